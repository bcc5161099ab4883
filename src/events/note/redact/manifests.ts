/** Finds the values of Kubernetes secrets, since Base64 is no protection. */
import { findAll, type Span, spanOf } from './span.js';
import { isNamedSecret, isPlaceholder, isRandom } from './values.js';

/** Matches only a whole line: a sentence that mentions `kind: Secret` is not a manifest. */
const kindLine = /^(?<indent>[+> \t-]{0,40})["']?kind["']?[ \t]*:[ \t]*["']?Secret["']?,?[ \t\r]*(?:#.*)?$/;
const blockLine = /^(?<indent>[+> \t-]{0,40})(?<block>data|stringData):[ \t\r]*$/;
const entryLine =
  /^(?<keep>(?<indent>[+> \t-]{0,60})["']?(?<name>[\w.-]{1,100})["']?:[ \t]+["']?)(?<value>[^\s"'#]{1,8192})/;
/** A key, an item, a comment or a blank line; any other line is prose, which ends the manifest. */
const yamlLine = /^(?![+ -]?---[ \t\r]*$)[+> \t-]*(?:["']?[\w./-]{1,100}["']?:(?:[ \t].*)?|#.*|[{}[\],].*)?\r?$/;

const isManifestSecret = (value: string, block: string | undefined): boolean =>
  value.length >= 4 &&
  !isPlaceholder(value) &&
  !/^[|><]/.test(value) &&
  // Clear text in a manifest may be a mere setting; a name that says secret is found by its own rule.
  (block === 'data' || (isNamedSecret(value, 'token') && isRandom(value, 12)));

type Line = { readonly at: number; readonly text: string };
const depthOf = (groups: Readonly<Record<string, string>>): number => (groups['indent'] ?? '').length;

/** Searches the blocks of a document that are indented like its `kind: Secret`, above and below it. */
const findInDocument = (lines: readonly Line[]): readonly Span[] => {
  const depths = new Set(lines.flatMap(({ text }) => [kindLine.exec(text)?.groups ?? []].flat().map(depthOf)));
  if (depths.size === 0) return [];
  const found: Span[] = [];
  let block: { readonly depth: number; readonly name: string | undefined } | undefined;
  for (const { at, text } of lines) {
    const entry = block === undefined ? undefined : entryLine.exec(text)?.groups;
    const head = blockLine.exec(text)?.groups;
    if (block !== undefined && entry !== undefined && depthOf(entry) > block.depth) {
      const { keep = '', value = '' } = entry;
      if (isManifestSecret(value, block.name)) found.push(spanOf('kubernetes-secret', at + keep.length, value));
    } else if (head !== undefined && depths.has(depthOf(head))) block = { depth: depthOf(head), name: head['block'] };
    else if (block !== undefined && /[^+> \t\r-]/.test(text) && text.search(/[^+> \t\r-]/) <= block.depth)
      block = undefined;
  }
  return found;
};

const jsonKind = /["']kind["']\s{0,8}:\s{0,8}["']Secret["']/;
const jsonData = /["'](?<block>data|stringData)["']\s{0,8}:\s{0,8}\{(?<entries>[^{}]{1,20000})\}/g;
const jsonEntry = /(?<keep>["'][\w.-]{1,100}["']\s{0,8}:\s{0,8}["'])(?<value>[^"'\\\s]{1,8192})/g;

const findInJson = (text: string): readonly Span[] =>
  [...text.matchAll(jsonData)].flatMap(({ 0: whole, index, groups }) => {
    const start = index + whole.lastIndexOf(groups?.['entries'] ?? '');
    return findAll(groups?.['entries'] ?? '', jsonEntry, (value) =>
      isManifestSecret(value, groups?.['block']) ? 'kubernetes-secret' : undefined,
    ).map((span) => ({ ...span, start: span.start + start, end: span.end + start }));
  });

export const findInManifests = (text: string): readonly Span[] => {
  const found: Span[] = jsonKind.test(text) ? [...findInJson(text)] : [];
  let document: Line[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    if (yamlLine.test(line)) document.push({ at, text: line });
    else {
      found.push(...findInDocument(document));
      document = [];
    }
    at += line.length + 1;
  }
  return [...found, ...findInDocument(document)];
};
