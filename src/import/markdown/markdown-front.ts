/** Front matter that other tools wrote: parsed when it can be, salvaged when it cannot, never run. Pure. */
import { splitFrontMatter } from '../../events/note/front-matter.js';

/** By key in lower case; a scalar is the text as written. */
export type ForeignValues = ReadonlyMap<string, unknown>;

export type ForeignText = {
  readonly values: ForeignValues;
  /** The keys as they are written, of front matter that is read whole. */
  readonly entries: readonly (readonly [key: string, value: unknown])[];
  readonly body: string;
  /** The body, below front matter from which only parts could be read: what nobody could read is kept as text. */
  readonly whole: string;
  /** Where a heading is looked for; it is the body but for front matter in another language. */
  readonly prose: string;
};

export const splitForeign = (text: string): ForeignText => {
  const split = splitFrontMatter(text);
  if (split.ok) {
    const entries = Object.entries(split.front.values);
    return { values: foldKeys(entries), entries, body: split.body, whole: split.body, prose: split.body };
  }
  const whole = text.replace(/^\ufeff/, '');
  switch (split.problem.code) {
    case 'front-matter-missing':
    case 'front-matter-open':
      return { ...nothingRead, body: whole, whole, prose: whole };
    case 'front-matter-language':
      // A closing `---` would make all its code one setext heading.
      return { ...nothingRead, body: whole, whole, prose: splitFences(whole)?.after ?? whole };
    case 'front-matter-bomb':
    case 'front-matter-yaml': {
      const fences = splitFences(whole);
      const values = salvage(fences?.between ?? '');
      // Without a single key it was a rule above a text, not front matter: keeping all of it loses nothing.
      if (fences === undefined || values.size === 0) return { values, entries: [], body: whole, whole, prose: whole };
      return { values, entries: [], body: fences.after, whole, prose: fences.after };
    }
  }
};

const nothingRead = { values: new Map<string, unknown>(), entries: [] } as const;

/** The text of a scalar; undefined when there is none. */
export const readText = (values: ForeignValues, key: string): string | undefined => {
  const value = values.get(key);
  const text = typeof value === 'string' ? value.trim() : '';
  // The front matter is read without types, so YAML's two words for nothing arrive as text.
  return text === '' || text === '~' || text === 'null' ? undefined : text;
};

/** The values below a key; none when it is no mapping. */
export const readNested = (values: ForeignValues, key: string): ForeignValues => {
  const value = values.get(key);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? foldKeys(Object.entries(value))
    : new Map();
};

/** Of two spellings of one key the first wins. */
const foldKeys = (entries: readonly (readonly [string, unknown])[]): ForeignValues => {
  const folded = new Map<string, unknown>();
  for (const [key, value] of entries) {
    if (!folded.has(key.toLowerCase())) folded.set(key.toLowerCase(), value);
  }
  return folded;
};

/** The text between the opening line and the next `---` line, and the text after that. */
const splitFences = (text: string): { readonly between: string; readonly after: string } | undefined => {
  const start = text.indexOf('\n') + 1;
  for (let at = start, end = start; start > 0 && at < text.length; at = end) {
    const found = text.indexOf('\n', at);
    end = found === -1 ? text.length : found + 1;
    const line = text.slice(at, end);
    if (line.trimEnd() === '---') return { between: text.slice(start, at), after: text.slice(end) };
  }
  return undefined;
};

const keyLine = /^([A-Za-z_][\w.-]*)[ \t]*:(?=\s|$)/;

const nestedLine = /^[ \t]+([A-Za-z_][\w.-]*)[ \t]*:(?=\s|$)(.*)$/;

/** Every key with the lines that belong to it is read as front matter of its own; one that fails keeps its own line. */
const salvage = (yaml: string): ForeignValues => {
  const chunks: { readonly key: string; readonly lines: string[] }[] = [];
  for (const line of yaml.split('\n')) {
    const key = keyLine.exec(line)?.[1];
    if (key !== undefined) chunks.push({ key, lines: [line] });
    else chunks.at(-1)?.lines.push(line);
  }
  return foldKeys(chunks.map(({ key, lines }) => [key, salvageValue(key, lines)]));
};

const salvageValue = (key: string, lines: readonly string[]): unknown => {
  const split = splitFrontMatter(`---\n${lines.join('\n')}\n---\n`);
  if (split.ok) return split.front.values[key];
  const [line = '', ...rest] = lines;
  const scalar = unquote(line.slice(line.indexOf(':') + 1).trim());
  const nested = rest.flatMap((below) => {
    const found = nestedLine.exec(below.trimEnd());
    return found === null ? [] : [[found[1] ?? '', unquote((found[2] ?? '').trim())] as const];
  });
  return scalar === '' && nested.length > 0 ? Object.fromEntries(nested) : scalar;
};

const unquote = (text: string): string => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;
