/** Finds the JSON in what a model wrote: alone, in a fence, inside prose or after its thoughts. Pure. */

/** Returns the object or list that is the answer; undefined if there is none. Linear in the text. */
export const findJson = (text: string): unknown => {
  const answer = text.slice(0, maxChars).replace(/^[\s\S]*<\/think>/, '');
  const fenced = [...answer.matchAll(/```[a-z]{0,10}[ \t]*\n([^`]{1,65536})```/gi)].map(([, body]) => body ?? '');
  const spans = ['{}', '[]'].map(([open = '', close = '']) =>
    answer.slice(Math.max(0, answer.indexOf(open)), answer.lastIndexOf(close) + 1),
  );
  return [answer, ...fenced, ...spans].map(parse).find((value) => value !== undefined);
};

/** A judgement is a few thousand characters. */
const maxChars = 64 * 1024;

const parse = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};
