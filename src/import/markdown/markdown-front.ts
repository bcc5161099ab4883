/** Reads front matter that other tools wrote: parsed when possible, salvaged otherwise, never run. Pure. */
import { splitFrontMatter } from '../../events/note/front-matter.js';

/** Values by lower-case key; a scalar is the text as written. */
export type ForeignValues = ReadonlyMap<string, unknown>;

export type ForeignText = {
  readonly values: ForeignValues;
  /** The keys as written; empty unless the front matter could be parsed as a whole. */
  readonly entries: readonly (readonly [key: string, value: unknown])[];
  readonly body: string;
  /** The body, preceded by any front matter that could not be parsed as a whole, which is kept as text. */
  readonly whole: string;
  /** The text searched for a heading: the body, without front matter in another language. */
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
      // Its closing `---` would make all its code one setext heading.
      return { ...nothingRead, body: whole, whole, prose: splitFences(whole)?.after ?? whole };
    case 'front-matter-bomb':
    case 'front-matter-yaml': {
      const fences = splitFences(whole);
      const values = salvage(fences?.between ?? '');
      // Without any key it was a rule above a text, not front matter: keeping all of it loses nothing.
      if (fences === undefined || values.size === 0) return { values, entries: [], body: whole, whole, prose: whole };
      return { values, entries: [], body: fences.after, whole, prose: fences.after };
    }
  }
};

const nothingRead = { values: new Map<string, unknown>(), entries: [] } as const;

export const readText = (values: ForeignValues, key: string): string | undefined => {
  const value = values.get(key);
  const text = typeof value === 'string' ? value.trim() : '';
  // The front matter is parsed without types, so YAML's two forms of null arrive as text.
  return text === '' || text === '~' || text === 'null' ? undefined : text;
};

/** Returns the values below a key; empty unless it is a mapping. */
export const readNested = (values: ForeignValues, key: string): ForeignValues => {
  const value = values.get(key);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? foldKeys(Object.entries(value))
    : new Map();
};

/** If a key is spelled in two ways, the first wins. */
const foldKeys = (entries: readonly (readonly [string, unknown])[]): ForeignValues => {
  const folded = new Map<string, unknown>();
  for (const [key, value] of entries) {
    if (!folded.has(key.toLowerCase())) folded.set(key.toLowerCase(), value);
  }
  return folded;
};

/** Returns the text between the opening line and the next `---` line, and the text after that. */
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

/** Parses each key with its lines as separate front matter; one that fails keeps its line as text. */
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
  const [line = ''] = lines;
  return unquote(line.slice(line.indexOf(':') + 1).trim());
};

const unquote = (text: string): string => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;
