/** JSON text parsed into a tree that knows the offset of each value. Pure. */
// Imported by path: the package's main file is UMD, whose inner requires a bundler can't follow.
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';

/** `jsonc` allows comments and trailing commas, as editors' settings do. */
export type JsonDialect = 'json' | 'jsonc';

export type JsonText = {
  readonly text: string;
  readonly dialect: JsonDialect;
  readonly root: Node;
  /** As JSON.parse returns it, including keys such as `__proto__`. */
  readonly value: unknown;
};

export type TextProblem = { readonly line: number; readonly column: number; readonly what: string };

export type JsonResult<Value> =
  | { readonly ok: true; readonly parsed: Value }
  | { readonly ok: false; readonly problem: TextProblem };

/** Far more than settings need, and far less than the stack allows. */
const maxDepth = 200;

export const parseJsonText = (text: string, dialect: JsonDialect): JsonResult<JsonText> => {
  const fail = (offset: number, what: string): JsonResult<JsonText> => ({
    ok: false,
    problem: { ...placeOf(text, offset), what },
  });
  const deep = offsetOfDepth(text, maxDepth);
  if (deep !== undefined) return fail(deep, `nested more than ${maxDepth} deep`);
  const errors: ParseError[] = [];
  const lenient = dialect === 'jsonc';
  const root = parseTree(text, errors, { disallowComments: !lenient, allowTrailingComma: lenient });
  const [first] = errors;
  if (first !== undefined) return fail(first.offset, inWords(printParseErrorCode(first.error)));
  if (root === undefined) return fail(0, 'value expected');
  if (lenient) return { ok: true, parsed: { text, dialect, root, value: toValue(root) } };
  try {
    return { ok: true, parsed: { text, dialect, root, value: JSON.parse(text) } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Not the message itself: it may quote the text there, and with it a key.
    return fail(Number(/position (\d+)/.exec(message)?.[1] ?? 0), 'not valid JSON');
  }
};

/** Returns one-based numbers, as editors count; lines end with LF. */
const placeOf = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
};

export const endOf = (node: Node): number => node.offset + node.length;

/** Returns the node of a value, or undefined; of a duplicate key, the last one, which counts. */
export const nodeAt = (root: Node, path: readonly (string | number)[]): Node | undefined => {
  let node: Node | undefined = root;
  for (const step of path) {
    if (typeof step === 'number') node = node?.type === 'array' ? node.children?.[step] : undefined;
    else node = node === undefined ? undefined : propertyOf(node, step)?.children?.[1];
  }
  return node;
};

export const propertyOf = (node: Node, key: string): Node | undefined =>
  node.type === 'object' ? node.children?.findLast((property) => property.children?.[0]?.value === key) : undefined;

const toValue = (node: Node): unknown => {
  if (node.type === 'array') return (node.children ?? []).map(toValue);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(
    (node.children ?? []).map(({ children: [key, value] = [] }) => [
      String(key?.value),
      value === undefined ? null : toValue(value),
    ]),
  );
};

/** Returns where brackets outside strings first nest deeper than that. Comments may mislead it only into rejecting. */
const offsetOfDepth = (text: string, most: number): number | undefined => {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"' || mark === '\n') isInString = mark === '"' && !isInString;
    else if (isInString) at += mark === '\\' ? 1 : 0;
    else if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    if (depth > most) return at;
  }
  return undefined;
};

/** `PropertyNameExpected` → `property name expected`. */
const inWords = (code: string): string => code.replace(/(?<=[a-z])[A-Z]/g, (mark) => ` ${mark}`).toLowerCase();
