/** Finds the values of Kubernetes secrets, since Base64 is no protection. */
import { isRandom, looksLikePassword } from './generated.js';
import { isPlaceholder } from './harmless.js';
import { passwordName, tokenName } from './names.js';
import { findAll, type Span, spanOf } from './span.js';

/** Matches only a whole line: a sentence that mentions `kind: Secret` is not a manifest. */
const kindLine = /^(?<indent>[+> \t-]{0,40})["']?kind["']?[ \t]*:[ \t]*["']?Secret["']?,?[ \t\r]*(?:#.*)?$/;
const blockLine = /^(?<indent>[+> \t-]{0,40})(?<block>data|stringData):[ \t\r]*$/;
const entryLine =
  /^(?<keep>(?<indent>[+> \t-]{0,60})["']?(?<name>[\w.-]{1,100})["']?:[ \t]+["']?)(?<value>[^\s"'#]{1,8192})/;
/** A key, an item, a comment or a blank line; any other line is prose, which ends the manifest. */
const yamlLine = /^[+> \t-]*(?:["']?[\w./-]{1,100}["']?:(?:[ \t].*)?|#.*|[{}[\],].*)?\r?$/;
/** The end of a document, or a code fence. */
const edgeLine = /^(?:[+ -] ?)?---[ \t\r]*$|^[> \t]*(?:```|~~~)/;

const secretName = new RegExp(`${passwordName}|${tokenName}|(?:^|[_.-])(?:pass|pw|key)$`, 'i');

/** Values that a manifest has in clear text may be mere settings. */
const isClearSecret = (name: string, value: string): boolean =>
  isManifestSecret(value) && (secretName.test(name) || looksLikePassword(value) || isRandom(value, 12));
const isManifestSecret = (value: string): boolean =>
  value.length >= 4 && !isPlaceholder(value) && !/^[|><]/.test(value);

type Line = { readonly at: number; readonly text: string };
type Groups = Readonly<Record<string, string>>;
const depthOf = (groups: Groups): number => (groups['indent'] ?? '').length;

const linesOf = (text: string): readonly Line[] => {
  let at = 0;
  return text.split('\n').map((line) => {
    const start = at;
    at += line.length + 1;
    return { at: start, text: line };
  });
};

/** Searches the blocks of a document that are indented like its `kind: Secret`, above and below it. */
const findInDocument = (lines: readonly Line[], found: Span[]): void => {
  const depths = new Set<number>();
  for (const { text } of lines) {
    const kind = kindLine.exec(text)?.groups;
    if (kind !== undefined) depths.add(depthOf(kind));
  }
  if (depths.size === 0) return;
  let block: { readonly depth: number; readonly isClear: boolean } | undefined;
  for (const { at, text } of lines) {
    const entry = block === undefined ? undefined : entryLine.exec(text)?.groups;
    if (block !== undefined && entry !== undefined && depthOf(entry) > block.depth) {
      const { keep = '', name = '', value = '' } = entry;
      if (block.isClear ? isClearSecret(name, value) : isManifestSecret(value))
        found.push(spanOf('kubernetes-secret', at + keep.length, value));
      continue;
    }
    const head = blockLine.exec(text)?.groups;
    if (head !== undefined && depths.has(depthOf(head)))
      block = { depth: depthOf(head), isClear: head['block'] === 'stringData' };
    else if (block !== undefined && !isDeeper(text, block.depth)) block = undefined;
  }
};
/** Multi-line values, comments and blank lines do not end a block. */
const isDeeper = (text: string, depth: number): boolean => {
  const start = text.search(/[^+> \t\r-]/);
  return start === -1 || start > depth;
};

const jsonKind = /["']kind\\?["']\s{0,8}:\s{0,8}\\?["']Secret\\?["']/;
const jsonData = /["'](?<block>data|stringData)\\?["']\s{0,8}:\s{0,8}\{(?<entries>[^{}]{1,20000})\}/g;
const jsonEntry = /(?<keep>["'](?<name>[\w.-]{1,100})\\?["']\s{0,8}:\s{0,8}\\?["'])(?<value>[^"'\\\s]{1,8192})/g;

const findInJson = (text: string, offset: number, found: Span[]): void => {
  if (!jsonKind.test(text)) return;
  for (const { 0: whole, index, groups } of text.matchAll(jsonData)) {
    const { block, entries = '' } = groups ?? {};
    const start = offset + index + whole.lastIndexOf(entries);
    for (const span of findAll(entries, jsonEntry, (value, { groups: entry }) =>
      (block === 'stringData' ? isClearSecret(entry?.['name'] ?? '', value) : isManifestSecret(value))
        ? 'kubernetes-secret'
        : undefined,
    ))
      found.push({ ...span, start: span.start + start, end: span.end + start });
  }
};

export const findInManifests = (text: string): readonly Span[] => {
  const found: Span[] = [];
  const lines = linesOf(text);
  /** First line of the current YAML document, and start of the JSON, which has lines of any form. */
  let first = 0;
  let edge = 0;
  lines.forEach(({ at, text: line }, i) => {
    const isEdge = edgeLine.test(line);
    const isLast = i === lines.length - 1;
    if (isEdge || isLast || !yamlLine.test(line)) {
      findInDocument(lines.slice(first, isLast ? undefined : i), found);
      first = i + 1;
    }
    if (isEdge || isLast) {
      findInJson(text.slice(edge, isLast ? undefined : at), edge, found);
      edge = at;
    }
  });
  return found;
};
