/** Finds the JSON in what a model wrote: alone, in a fence, inside prose, after its thoughts, or cut off. Pure. */

/**
 * Returns every JSON value that could be the answer, likeliest first; none of them is part of another one. Of a text
 * that was cut off, returns the complete objects. Linear in the text.
 */
export const findJson = (text: string): readonly unknown[] => {
  const answer = withoutThoughts(text.slice(0, maxChars));
  const fenced = [...answer.matchAll(fence)].map(([, body]) => body ?? '');
  return [answer, ...fenced].flatMap(parse).concat(findSpans(answer).flatMap(parse));
};

/** A judgement is a few thousand characters. */
const maxChars = 64 * 1024;

const fence = /```[a-z]{0,10}[ \t]*\n([^`]{1,65536})```/gi;

const withoutThoughts = (text: string): string => {
  const end = text.lastIndexOf('</think>');
  return end === -1 ? text : text.slice(end + '</think>'.length);
};

const parse = (text: string): readonly unknown[] => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? [value] : [];
  } catch {
    return [];
  }
};

/** Returns the widest pieces between matching brackets; a bracket that never closes does not hide its content. */
const findSpans = (text: string): readonly string[] => {
  const open: { readonly at: number; readonly closer: string }[] = [];
  let spans: { readonly start: number; readonly end: number }[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"' || char === '\n') inString = false;
    } else if (char === '"') {
      inString = open.length > 0;
    } else if (char === '{' || char === '[') {
      open.push({ at, closer: char === '{' ? '}' : ']' });
    } else if (open.at(-1)?.closer === char) {
      const start = open.pop()?.at ?? at;
      while ((spans.at(-1)?.start ?? -1) > start) spans.pop();
      spans.push({ start, end: at + 1 });
    }
  }
  spans = spans.slice(0, maxSpans);
  return spans.map(({ start, end }) => text.slice(start, end));
};

const maxSpans = 64;
