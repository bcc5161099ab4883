/** Finds where a markdown file's front matter begins and ends. Loads no YAML, for readers that want only the body. */

export type Fences =
  | {
      readonly ok: true;
      /** A byte order mark, or ''. */
      readonly mark: string;
      /** The opening line with its line end. */
      readonly open: string;
      /** The lines between the fences. */
      readonly inner: string;
      /** The closing line with its line end, if it has one. */
      readonly close: string;
      readonly body: string;
    }
  | { readonly ok: false; readonly code: FenceProblem; readonly message: string };

export type FenceProblem = 'front-matter-missing' | 'front-matter-open' | 'front-matter-language';

/** Longer front matter is rejected: no note needs it, and nested YAML can exhaust a parser. */
export const maxFrontMatterUnits = 1024 * 1024;

/** Splits the text; joining the parts gives it back. Linear in the size of the front matter. */
export const findFences = (text: string): Fences => {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const openEnd = lineEnd(text, mark.length);
  const open = text.slice(mark.length, openEnd);
  const fence = open.trimEnd();
  if (!fence.startsWith('---') || fence.startsWith('----')) {
    return { ok: false, code: 'front-matter-missing', message: 'the file does not begin with a `---` line' };
  }
  const language = fence.slice(3).trim();
  if (language !== '' && language !== 'yaml') {
    const message = `front matter is YAML and never code; this one says \`---${language}\``;
    return { ok: false, code: 'front-matter-language', message };
  }
  let at = openEnd;
  for (; at < text.length && at - openEnd <= maxFrontMatterUnits; at = lineEnd(text, at)) {
    if (!text.startsWith('---', at)) continue;
    const end = lineEnd(text, at);
    const close = text.slice(at, end);
    if (close.trimEnd() === '---') {
      return { ok: true, mark, open, inner: text.slice(openEnd, at), close, body: text.slice(end) };
    }
  }
  const message =
    at < text.length
      ? `the front matter is too long: more than ${maxFrontMatterUnits} characters`
      : 'the front matter has no closing `---` line';
  return { ok: false, code: 'front-matter-open', message };
};

/** Returns the index just past the line that begins at `from`. */
export const lineEnd = (text: string, from: number): number => {
  const found = text.indexOf('\n', from);
  return found === -1 ? text.length : found + 1;
};
