/** Front matter, kept as source text per key, so that an untouched one is written back byte for byte. */
import matter from 'gray-matter';
import { FAILSAFE_SCHEMA, type LoadOptions, Schema, safeDump, safeLoad, Type } from 'js-yaml';
import { type FenceProblem, findFences, lineEnd, maxFrontMatterUnits } from './fences.js';
import { readPlainKeys } from './yaml-text.js';

/** The lines of one top-level key; the lines before the first key have the key ''. */
export type Segment = { readonly key: string; readonly text: string };

export type FrontMatter = {
  /** A byte order mark, or ''. */
  readonly mark: string;
  readonly open: string;
  readonly segments: readonly Segment[];
  readonly close: string;
  readonly eol: '\n' | '\r\n';
  /** Scalars are strings as written: no dates, no numbers, no booleans; an empty value is null. */
  readonly values: Readonly<Record<string, unknown>>;
};

export type FrontMatterProblem = {
  readonly code: FenceProblem | 'front-matter-yaml' | 'front-matter-bomb';
  readonly line: number;
  readonly message: string;
};

export type SplitFile =
  | { readonly ok: true; readonly front: FrontMatter; readonly body: string }
  | { readonly ok: false; readonly problem: FrontMatterProblem };

/** Splits a file's text; `front` and `body` together are the whole text. Linear in the size of the front matter. */
export const splitFrontMatter = (text: string): SplitFile => {
  const fences = findFences(text);
  if (!fences.ok) return { ok: false, problem: { code: fences.code, line: 1, message: fences.message } };
  const { mark, open, inner, close, body } = fences;
  const parsed = parseYaml(inner);
  if ('problem' in parsed) return { ok: false, problem: parsed.problem };
  const eol = open.endsWith('\r\n') ? '\r\n' : '\n';
  let segments: readonly Segment[] | undefined;
  const front: FrontMatter = {
    mark,
    open,
    // Computed on demand: an edit needs them, a replay of 100,000 notes does not.
    get segments() {
      segments ??= splitSegments(inner);
      return segments;
    },
    close,
    eol,
    values: parsed.values,
  };
  return { ok: true, front, body };
};

export const joinFrontMatter = (front: FrontMatter, body: string): string => {
  const close = body !== '' && !front.close.endsWith('\n') ? `${front.close}${front.eol}` : front.close;
  return `${front.mark}${front.open}${front.segments.map((segment) => segment.text).join('')}${close}${body}`;
};

/** Returns the 1-based line of the key in the file; 1 if the key is absent. */
export const lineOfKey = (front: Pick<FrontMatter, 'segments'>, key: string): number => {
  let line = 2;
  for (const segment of front.segments) {
    if (segment.key === key) return line;
    line += segment.text.split('\n').length - 1;
  }
  return 1;
};

/** Cuts a reason that may quote a megabyte of the file. */
export const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

const keyLine =
  /^(?:([^\s"'#?:,[\]{}&*!|>%@`-](?:[^:#\r\n]*[^:#\r\n \t])?)|"([^"\\\r\n]*)"|'([^'\r\n]*)')[ \t]*:(?=[ \t\r\n]|$)/;

// Comments and blank lines before the next key do not belong to this one, so setting it leaves them alone.
const splitSegments = (inner: string): readonly Segment[] => {
  const segments: Segment[] = [];
  let key = '';
  let start = 0;
  let contentEnd = 0;
  const close = (end: number): void => {
    if (contentEnd > start) segments.push({ key, text: inner.slice(start, contentEnd) });
    if (end > contentEnd) segments.push({ key: '', text: inner.slice(contentEnd, end) });
  };
  for (let at = 0; at < inner.length; at = lineEnd(inner, at)) {
    const line = inner.slice(at, lineEnd(inner, at));
    const found = keyLine.exec(line);
    if (found !== null) {
      close(at);
      key = found[1] ?? found[2] ?? found[3] ?? '';
      start = at;
    }
    if (line.trim() !== '' && !line.startsWith('#')) contentEnd = at + line.length;
  }
  close(inner.length);
  return segments;
};

/** Matches `title: Deploy: the hard way`, which js-yaml reads as a key without its value. */
const hasOpenColon = (line: string): boolean => /^[^\s"'#:]+[ \t]*:[ \t]+[^\s"'|>[{].*:(?:\s|$)/.test(line);

/** Nesting of lists and maps. A thread's stack size differs from the main thread's, and both must give one answer. */
const maxDepth = 100;
/** 100 empty lines in a row: gray-matter's search for comments is quadratic. A `\r` before `\n` ends no line. */
const manyEmptyLines =
  /(?:\n|\r(?!\n)|[\u2028\u2029])(?:(?:[^\S\r\n\u2028\u2029]|\r(?=\n))*(?:\n|\r(?!\n)|[\u2028\u2029])){100}/;

/** Thrown for small front matter that would take much memory or time to parse. */
class Bomb extends Error {}

const tooDeep = (): Bomb => new Bomb(`the front matter has lists or maps nested more than ${maxDepth} deep`);

/** A js-yaml listener, called when a value begins and when it ends. */
const makeDepthGuard = (): ((event: 'open' | 'close') => void) => {
  let depth = 0;
  return (event) => {
    depth += event === 'open' ? 1 : -1;
    if (depth > maxDepth) throw tooDeep();
  };
};

/** Rejects values that grow far beyond their text once each `*alias` is expanded. */
const checkExpanded = (values: unknown): void => {
  let units = 0;
  const visit = (value: unknown, depth: number): void => {
    units += typeof value === 'string' ? value.length + 1 : 1;
    if (units > maxFrontMatterUnits)
      throw new Bomb(
        `the front matter is too long with its aliases expanded: more than ${maxFrontMatterUnits} characters`,
      );
    if (typeof value !== 'object' || value === null) return;
    if (depth > maxDepth) throw tooDeep();
    for (const [key, child] of Object.entries(value)) {
      if (!Array.isArray(value)) units += key.length;
      visit(child, depth + 1);
    }
  };
  visit(values, 0);
};

const never = (): never => {
  throw new Error('front matter is data and never code');
};
const noEngine = { parse: never, stringify: never };

// Every scalar is text except a bare null; a quoted `'null'` is text.
const nothing = new Type('tag:yaml.org,2002:null', {
  kind: 'scalar',
  resolve: (data: unknown) => data === null || (typeof data === 'string' && /^(?:~|null|Null|NULL)$/.test(data)),
  construct: () => null,
  predicate: (value: unknown) => value === null,
  represent: () => 'null',
});
const textSchema = new Schema({ include: [FAILSAFE_SCHEMA], implicit: [nothing] });

/** Parses a key's value from its own lines alone; undefined if those are not valid YAML. */
export const readSegment = ({ key, text }: Segment): unknown => {
  const parsed = parseYaml(text);
  return 'values' in parsed && Object.hasOwn(parsed.values, key) ? parsed.values[key] : undefined;
};

/** Makes a segment for a key whose source text can't be kept because it shares lines with other keys. */
export const writeSegment = (key: string, value: unknown): Segment => ({
  key,
  text: safeDump({ [key]: value }, { schema: textSchema, lineWidth: -1 }),
});

// js-yaml's types omit `listener`.
const loadOptions = (): LoadOptions & { readonly listener: ReturnType<typeof makeDepthGuard> } => ({
  schema: textSchema,
  listener: makeDepthGuard(),
});

// Without options, gray-matter caches by text and runs `---js` blocks; these turn off both.
const options = {
  language: 'yaml',
  engines: {
    yaml: {
      parse: (yaml: string): object => Object(safeLoad(yaml, loadOptions()) ?? {}),
      stringify: never,
    },
    js: noEngine,
    javascript: noEngine,
    json: noEngine,
    coffee: noEngine,
    toml: noEngine,
  },
};

const parseYaml = (
  yaml: string,
): { readonly values: Readonly<Record<string, unknown>> } | { readonly problem: FrontMatterProblem } => {
  const plain = readPlainKeys(yaml);
  if (plain !== undefined) return { values: plain };
  // gray-matter would read such a line as the end of the front matter, YAML as the start of another document.
  const dashes = /^---/m.exec(yaml);
  if (dashes !== null) {
    const line = yaml.slice(0, dashes.index).split('\n').length + 1;
    return {
      problem: {
        code: 'front-matter-yaml',
        line,
        message: 'the front matter is not valid YAML: a line begins with `---`',
      },
    };
  }
  try {
    if (manyEmptyLines.test(`\n${yaml}`)) throw new Bomb('the front matter has 100 empty lines in a row');
    const { data } = matter(`---\n${yaml}${yaml === '' || yaml.endsWith('\n') ? '' : '\n'}---\n`, options);
    if (Array.isArray(data) || Object.getPrototypeOf(data) !== Object.prototype) {
      return { problem: { code: 'front-matter-yaml', line: 2, message: 'the front matter is not a list of keys' } };
    }
    if (yaml.includes('*')) checkExpanded(data);
    return { values: data };
  } catch (error) {
    if (error instanceof Bomb) return { problem: { code: 'front-matter-bomb', line: 1, message: error.message } };
    const mark: unknown = error instanceof Error && 'mark' in error ? error.mark : undefined;
    // gray-matter passes the text with the fence's line break, so line 1 of the mark is line 2 of the file.
    const line = typeof mark === 'object' && mark !== null && 'line' in mark ? Number(mark.line) + 1 : 2;
    const reason = shorten(error instanceof Error && 'reason' in error ? String(error.reason) : String(error));
    const why = hasOpenColon(yaml.split('\n')[line - 2] ?? '') ? 'a value contains a colon; put it in quotes' : reason;
    return { problem: { code: 'front-matter-yaml', line, message: `the front matter is not valid YAML: ${why}` } };
  }
};
