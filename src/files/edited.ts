/** The result of editing another program's settings file, or why the edit is refused. Pure. */
import type { Refusal } from '../commands/refusals.js';
import { type JsonDialect, type JsonText, parseJsonText, type TextProblem } from './json-text.js';

/** `text` is the whole file, unchanged if there was nothing to do. */
export type Edit = {
  readonly text: string;
  /** Shown to a person: each place and its new content. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** True when the file already had an entry of ours. */
  readonly hadOurs: boolean;
};

export type EditProblem =
  | { readonly kind: 'unparsable'; readonly problem: TextProblem }
  | { readonly kind: 'shape'; readonly what: string }
  | { readonly kind: 'name-taken'; readonly name: string };

export type EditResult =
  | { readonly ok: true; readonly edit: Edit }
  | { readonly ok: false; readonly problem: EditProblem };

export const refuseEdit = (file: string, problem: EditProblem): Refusal => {
  switch (problem.kind) {
    case 'unparsable': {
      const { line, column, what } = problem.problem;
      return {
        code: 'file-unparsable',
        message: `${file} can't be read: line ${line}, column ${column}: ${what}; nothing was changed`,
        next: 'fix that file, then repeat the command',
      };
    }
    case 'shape':
      return {
        code: 'file-shape',
        message: `${file} has an unexpected form: ${problem.what}; nothing was changed`,
        next: 'fix that file, then repeat the command',
      };
    case 'name-taken':
      return {
        code: 'name-taken',
        message: `${file} names another MCP server ${problem.name}; nothing was changed`,
        next: 'give this one another name with --name, or remove the other one',
      };
  }
};

/** Applies another edit to the result of one. */
export const editAgain = (one: EditResult, second: (text: string) => EditResult): EditResult => {
  if (!one.ok) return one;
  const two = second(one.edit.text);
  if (!two.ok) return two;
  const { text, removed, hadOurs } = two.edit;
  const { edit } = one;
  return {
    ok: true,
    edit: { ...edit, text, removed: [...edit.removed, ...removed], hadOurs: edit.hadOurs || hadOurs },
  };
};

export type ObjectResult =
  | { readonly ok: true; readonly document: JsonText; readonly close: (document: JsonText) => string }
  | { readonly ok: false; readonly problem: EditProblem };

/** Parses a file's object. A missing or blank file counts as empty; `close` restores a byte order mark. */
export const openObject = (text: string | undefined, dialect: JsonDialect): ObjectResult => {
  const given = text ?? '';
  const mark = given.startsWith('\ufeff') ? '\ufeff' : '';
  const isBlank = given.trim() === '';
  const result = parseJsonText(isBlank ? '{}\n' : given.slice(mark.length), dialect);
  if (!result.ok) return { ok: false, problem: { kind: 'unparsable', problem: result.problem } };
  const { parsed } = result;
  if (!isObject(parsed.value)) return { ok: false, problem: { kind: 'shape', what: 'it is not a JSON object' } };
  const close = (document: JsonText): string => (document === parsed ? given : mark + document.text);
  return { ok: true, document: parsed, close };
};

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads own keys only: a file may contain a key such as `constructor`. */
export const readKey = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

export const readPath = (value: unknown, path: readonly string[]): unknown => path.reduce<unknown>(readKey, value);
