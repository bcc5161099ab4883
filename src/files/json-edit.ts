/**
 * Edits JSON as text: order, indentation and comments stay. Pure. Not with jsonc-parser's `modify` (39 tests fail): it
 * drops the comment beside what it removes, inserts before the last one's comment, and changes the first of two equal
 * keys.
 */
import { applyEdits, type Edit, type Node } from 'jsonc-parser/lib/esm/main.js';
import { endOf, type JsonText, nodeAt, parseJsonText, propertyOf } from './json-text.js';

/** Sets the value at a path of keys, creating missing objects. A new key is added at the end of its object. */
export const setValue = (document: JsonText, path: readonly string[], value: unknown): JsonText => {
  const [key, parents] = [path.at(-1), path.slice(0, -1)];
  if (key === undefined) return replaceNode(document, document.root, '', value);
  const parent = nodeAt(document.root, parents);
  if (parent === undefined) return setValue(document, parents, Object.fromEntries([[key, value]]));
  const node = propertyOf(parent, key)?.children?.[1];
  if (node !== undefined) return replaceNode(document, node, indentOfLine(document.text, node.offset), value);
  const style = styleOf(document);
  const write = (indent: string | undefined): string =>
    `${JSON.stringify(key)}:${indent === undefined ? '' : ' '}${format(value, style, indent)}`;
  return applied(document, insertion(document, parent, style, write));
};

/** Appends to the list at that path, which is created if missing. */
export const appendValue = (document: JsonText, path: readonly string[], value: unknown): JsonText => {
  const list = nodeAt(document.root, path);
  if (list === undefined) return setValue(document, path, [value]);
  const style = styleOf(document);
  return applied(
    document,
    insertion(document, list, style, (indent) => format(value, style, indent)),
  );
};

/** Removes a key or an element with its comma and its line; comments beside it stay. */
export const removeValue = (document: JsonText, path: readonly (string | number)[]): JsonText => {
  const step = path.at(-1);
  const parent = nodeAt(document.root, path.slice(0, -1));
  if (parent === undefined || step === undefined) return document;
  const child = typeof step === 'number' ? parent.children?.[step] : propertyOf(parent, step);
  return child === undefined ? document : applied(document, removal(document.text, parent, child));
};

/** One level of indentation and the line ending; `compact` for a text on one line. */
type Style = { readonly unit: string; readonly eol: string; readonly compact: boolean };

const styleOf = ({ text, root }: JsonText): Style => {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const compact = (root.children ?? []).length > 0 && !text.slice(root.offset, endOf(root)).includes('\n');
  return { unit: unitBelow(text, root) ?? '  ', eol, compact };
};

const unitBelow = (text: string, node: Node): string | undefined => {
  for (const child of node.children ?? []) {
    const indent = node.type === 'property' ? undefined : indentIfFirst(text, child.offset);
    const unit = indent?.slice(indentOfLine(text, node.offset).length) ?? unitBelow(text, child);
    if (unit !== undefined) return unit;
  }
  return undefined;
};

/** Formats a value; without an indentation, on one line. */
const format = (value: unknown, { unit, eol }: Style, indent: string | undefined): string => {
  if (indent === undefined || unit === '') return JSON.stringify(value);
  // JSON strings contain no raw tabs or line breaks.
  return JSON.stringify(value, null, '\t')
    .replace(/^\t+/gm, (tabs) => indent + unit.repeat(tabs.length))
    .replace(/\n(?=[\]}])/g, `\n${indent}`)
    .replaceAll('\n', eol);
};

const insertion = (
  { text, root }: JsonText,
  parent: Node,
  style: Style,
  write: (indent: string | undefined) => string,
): readonly Edit[] => {
  const close = endOf(parent) - 1;
  const last = parent.children?.at(-1);
  if (last === undefined) {
    if (style.compact && parent !== root) return [{ offset: close, length: 0, content: write(undefined) }];
    const outer = indentOfLine(text, parent.offset);
    const inner = outer + style.unit;
    const offset = backOverSpace(text, close);
    const content = style.eol + inner + write(inner) + style.eol + outer;
    return [{ offset, length: close - offset, content }];
  }
  const comma = commaAfter(text, endOf(last));
  const indent = indentIfFirst(text, last.offset);
  if (indent === undefined) {
    const content = comma === undefined ? `,${write(undefined)}` : `${write(undefined)},`;
    return [{ offset: comma === undefined ? endOf(last) : comma + 1, length: 0, content }];
  }
  // The comma goes right after the last value, the new value after any comment there. A trailing comma is kept.
  const separator = comma === undefined ? [{ offset: endOf(last), length: 0, content: ',' }] : [];
  const content = `${style.eol}${indent}${write(indent)}${comma === undefined ? '' : ','}`;
  return [...separator, { offset: backOverSpace(text, close), length: 0, content }];
};

const removal = (text: string, parent: Node, node: Node): readonly Edit[] => {
  const children = parent.children ?? [];
  const comma = commaAfter(text, endOf(node));
  const isBeside = comma !== undefined && text.slice(endOf(node), comma).trim() === '';
  const end = isBeside ? comma + 1 : endOf(node);
  const [open, close] = [parent.offset + 1, endOf(parent) - 1];
  if (children.length === 1 && (text.slice(open, node.offset) + text.slice(end, close)).trim() === '') {
    return [{ offset: open, length: close - open, content: '' }];
  }
  const { offset, length } = spanToRemove(text, node.offset, end);
  const edits: Edit[] = [{ offset, length, content: '' }];
  if (comma !== undefined && !isBeside) edits.push({ offset: comma, length: 1, content: '' });
  const before = children[children.indexOf(node) - 1];
  const commaBefore = before === undefined || comma !== undefined ? undefined : commaAfter(text, endOf(before));
  if (commaBefore !== undefined) edits.unshift({ offset: commaBefore, length: 1, content: '' });
  return edits;
};

/** Includes the whole line if nothing else is on it, else the space before it. */
const spanToRemove = (
  text: string,
  start: number,
  end: number,
): { readonly offset: number; readonly length: number } => {
  const indent = indentIfFirst(text, start);
  if (indent === undefined) {
    const offset = backOverSpace(text, start);
    return { offset, length: end - offset };
  }
  const [spaces = ''] = /^[ \t]*/.exec(text.slice(end)) ?? [];
  const isAlone = /^(?:\r?\n|$)/.test(text.slice(end + spaces.length, end + spaces.length + 2));
  if (!isAlone) return { offset: start, length: end + spaces.length - start };
  const lineEnd = start - indent.length - 1;
  const offset = text[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd;
  return { offset, length: end + spaces.length - offset };
};

const replaceNode = (document: JsonText, node: Node, indent: string, value: unknown): JsonText => {
  const style = styleOf(document);
  const content = format(value, style, style.compact ? undefined : indent);
  return applied(document, [{ offset: node.offset, length: node.length, content }]);
};

/** Applies edits. A result that doesn't parse is a bug in this module: it throws, so nothing is written. */
const applied = ({ text, dialect }: JsonText, edits: readonly Edit[]): JsonText => {
  const result = parseJsonText(applyEdits(text, [...edits]), dialect);
  if (!result.ok) throw new Error(`an edit left JSON that does not parse: ${result.problem.what}`);
  return result.parsed;
};

/** Returns the offset of the next comma after spaces and comments. */
const commaAfter = (text: string, from: number): number | undefined => {
  const trivia = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = from;
  trivia.exec(text);
  return text[trivia.lastIndex] === ',' ? trivia.lastIndex : undefined;
};

const backOverSpace = (text: string, from: number): number => {
  let at = from;
  while (at > 0 && /\s/.test(text[at - 1] ?? '')) at -= 1;
  return at;
};

const indentOfLine = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? '';

/** Returns the indentation before the offset; undefined if anything but space precedes it on its line. */
const indentIfFirst = (text: string, offset: number): string | undefined => {
  const newline = text.lastIndexOf('\n', offset - 1);
  const before = text.slice(newline + 1, offset);
  return newline !== -1 && before.trim() === '' ? before : undefined;
};
