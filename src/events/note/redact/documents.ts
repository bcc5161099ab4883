/** Finds secrets by a document's form: manifests (even in Base64), connection strings, the value beside an id. */
import { type Detector, findAll, markerStart, type Span, spanOf } from './span.js';
import { isCommandSecret, isNamedSecret, isPlaceholder, isRandom, isReadable, looksGenerated } from './values.js';

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

const findInManifests = (text: string): readonly Span[] => {
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
/** `Server=db;User Id=sa;Password=...;`, where a semicolon ends the value and no variable can be meant. */
const settingInString =
  /(?<keep>[;?&"' ](?:password|pwd|passwd|accountkey|sharedaccesskey|accesskey|sharedsecret)[ \t]{0,2}=[ \t]{0,2}["'{]?)(?<value>[^\s;&"'}|<>\\]{4,400})/gi;
const connectionHint =
  /\b(?:server|data source|host|hostname|user(?: ?id|name)?|uid|endpoint(?:s?protocol)?|accountname|driver|jdbc:\w+|database|dbname)[ \t]{0,2}[=:]/i;
const oracle = /(?<keep>jdbc:oracle:\w+:(?<user>[\w$#]{1,60})\/)(?<value>[^@\s"']{3,100})(?=@)/g;
/** host:port:database:user:password */
const passwordFile =
  /^(?<keep>[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w*-]{1,60}:(?<user>[\w*.-]{1,60}):)(?<value>[^\s:]{4,100})$/gm;
/** A login of `.netrc`, on one line or several. */
const netrc =
  /(?<keep>\b(?:machine[ \t\n]{1,8}\S{1,200}|default)[ \t\n]{1,8}login[ \t\n]{1,8}(?<user>\S{1,200})[ \t\n]{1,8}password[ \t\n]{1,8})(?<value>[^\s"'`]{3,300})(?=["'`]|\s*$|\s+(?:machine|account|macdef|default)\b)/gm;

const mayBePasswordFile = /:(?:\d{2,5}|\*):[\w*-]{1,60}:/;
const findConnections: Detector = (text) => [
  ...findAll(text, settingInString, (value, { index, 0: whole }) =>
    !/[()[\]]|^\{/.test(value) &&
    !/\{\w+:|\{[A-Z_\d]+$/.test(whole) &&
    isNamedSecret(value, 'password') &&
    connectionHint.test(text.slice(Math.max(0, index - 400), index + 400))
      ? 'secret-value'
      : undefined,
  ),
  ...(text.includes('jdbc:oracle') ? findAll(text, oracle, kindOfLogin('url-credentials')) : []),
  ...(mayBePasswordFile.test(text)
    ? findAll(text, passwordFile, (value, match) =>
        isNamedSecret(value, 'password') ? kindOfLogin('url-credentials')(value, match) : undefined,
      )
    : []),
  ...(text.includes('login')
    ? findAll(text, netrc, (value, match) =>
        isReadable(value) ? undefined : kindOfLogin('command-password')(value, match),
      )
    : []),
];
const kindOfLogin =
  (kind: 'url-credentials' | 'command-password') =>
  (value: string, { groups }: RegExpExecArray) =>
    isCommandSecret(value, groups?.['user'] ?? '') ? kind : undefined;

/** A text shaped like an AWS secret key counts up to 300 characters before an access key id and 400 after its start. */
const awsId = /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])|\[REDACTED:aws-access-key\]/g;
const fortyCharacters = /(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;
const isAwsSecret = (value: string): boolean =>
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  (/\d/.test(value) ? looksGenerated(value) : isRandom(value, 40)) &&
  !/EXAMPLE(?:KEY)?$/.test(value);

const findBesideAwsId: Detector = (text) => {
  const windows: { readonly start: number; end: number }[] = [];
  for (const { index } of text.matchAll(awsId)) {
    const last = windows.at(-1);
    if (last !== undefined && index - 300 <= last.end) last.end = index + 400;
    else windows.push({ start: Math.max(0, index - 300), end: index + 400 });
  }
  return windows.flatMap(({ start, end }) =>
    findAll(text.slice(start, end), fortyCharacters, (value) =>
      isAwsSecret(value) ? 'aws-secret-key' : undefined,
    ).map((span): Span => ({ ...span, start: span.start + start, end: span.end + start })),
  );
};

export const findInDocuments: Detector = (text) => [
  ...(text.includes('Secret') && text.includes('kind') ? findInManifests(text) : []),
  ...findConnections(text),
  ...(/A[KS]IA/.test(text) || text.includes(`${markerStart}aws`) ? findBesideAwsId(text) : []),
];
