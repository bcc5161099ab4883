/**
 * Secrets that are known by their shape: tokens with a prefix, PEM blocks, passwords in URLs, Authorization headers.
 *
 * Every pattern is linear in the text. A run is either bounded, or taken whole so that the next search starts behind
 * it, and what a greedy run found is judged by code, never by backtracking into it.
 */

/** Where two secrets overlap, the kind that comes first here names both: `Bearer eyJ...` is a jwt. */
export const secretKinds = [
  'private-key',
  'aws-access-key',
  'aws-secret-key',
  'github-token',
  'gitlab-token',
  'slack-token',
  'slack-webhook',
  'google-api-key',
  'google-oauth',
  'stripe-key',
  'npm-token',
  'anthropic-key',
  'openai-key',
  'api-key',
  'jwt',
  'url-credentials',
  'bearer-token',
  'basic-auth',
  'secret-value',
] as const;
export type SecretKind = (typeof secretKinds)[number];

/** Half open, in UTF-16 units. */
export type Span = { readonly kind: SecretKind; readonly start: number; readonly end: number };

/** `hint` is cheap and true of every text that `find` finds something in: most notes pay for the hints alone. */
export type Detector = { readonly hint: RegExp; readonly find: (text: string) => readonly Span[] };

export const markerStart = '[REDACTED:';

/** Names with digits in them, which would otherwise pass for something a generator made. */
const technicalNames = new RegExp(
  String.raw`utf-?(?:8|16|32)|base-?(?:16|32|36|58|62|64|85)|sha-?\d{1,3}|md[45]|pbkdf2|argon2(?:id|[id])?|` +
    String.raw`pkcs\d{1,2}|[ehr]s(?:256|384|512)|aes-?(?:128|192|256)|ed25519|secp\d{3}[kr]1|x509|[23]fa|` +
    'oauth[12]|ipv[46]|http2|[hx]26[45]|mp[34]|k8s|i18n|l10n|a11y|ec2|s3|b2[bc]|p2p|e2e|' +
    String.raw`log4j|neo4j|v\d{1,2}(?:alpha|beta|rc)\d{0,2}`,
  'gi',
);
export const withoutTechnicalNames = (text: string): string => text.replace(technicalNames, 'x');

/** `note`, `Note2`, `2nd`, `userID`, `OAuth`; longer names are split at their capitals first. */
const word = /^\d{0,4}[a-z]*(?:[A-Z]+[a-z]*)?\d{0,4}$|^\d+$/;
const wordEnd = /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z][a-z]{2})/;
/** One part of 32 digits, not five that may each pass for a word. */
const uuid = /(?<![0-9a-f])([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})(?![0-9a-f])/gi;
const pieceEnd = /[^A-Za-z0-9!#$^*+~@]+/;
const piece = /[A-Za-z]+|\d+|[!#$^*+~@]+/g;

/**
 * Letters and digits mixed as in no word, name, version, date or slug. What is true of the front of a text is true of
 * all of it, so a secret does not appear because the one behind it was masked.
 */
export const looksGenerated = (text: string): boolean =>
  /\d/.test(text) && (generatedLength(text) > 0 || isJumble(text));

/** How many characters of the text stand in parts that are no words. */
const generatedLength = (text: string): number =>
  withoutTechnicalNames(text.replace(uuid, '$1$2$3$4$5'))
    .split(wordEnd)
    .filter((part) => !word.test(part))
    .reduce((total, part) => total + part.length, 0);

/** Letters, digits and signs in turn, as in `4k2#x9$m`, where each piece alone could be a word. */
const isJumble = (text: string): boolean =>
  text.split(pieceEnd).some((run) => /\d/.test(run) && /[!#$^*+~@]/.test(run) && (run.match(piece) ?? []).length >= 6);

/** `ghp_xxxxxxxx`, `npm_yourtokengoeshere`: right in length, filled in by hand. */
const looksFilledIn = (body: string): boolean => /^(?:[a-z]+|(.)\1*)$/.test(body.replace(/[_-]/g, ''));

/** Not inside of a word; the `n` of an escaped line break is no letter of one. */
const wordStart = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))`;
/** Looks back from behind the prefix: the engine skips ahead to a literal, and tries a boundary at every character. */
const fromWordStart = (prefix: string): string => `(?:${prefix})(?<=${wordStart}(?:${prefix}))`;

type Shape = {
  /** Group `keep` stands before the secret and stays readable. */
  readonly pattern: RegExp;
  readonly kindOf: (secret: string) => SecretKind | undefined;
};

const shape = (pattern: string, kindOf: Shape['kindOf'], flags = 'g'): Shape => ({
  pattern: new RegExp(pattern, flags),
  kindOf,
});
const prefixed = (kind: SecretKind, prefix: string, body: string): Shape => {
  const front = new RegExp(`^(?:${prefix})`);
  return shape(fromWordStart(prefix) + body, (secret) => (looksFilledIn(secret.replace(front, '')) ? undefined : kind));
};

const findShapes =
  (shapes: readonly Shape[]) =>
  (text: string): readonly Span[] =>
    shapes.flatMap(({ pattern, kindOf }) =>
      [...text.matchAll(pattern)].flatMap((match): readonly Span[] => {
        const kept = match.groups?.['keep']?.length ?? 0;
        const kind = kindOf(match[0].slice(kept));
        return kind === undefined ? [] : [{ kind, start: match.index + kept, end: match.index + match[0].length }];
      }),
    );

const kindOfDashedKey = (key: string): SecretKind | undefined => {
  const body = key.slice(3);
  if (body.startsWith('ant-')) return looksGenerated(body.slice(4)) ? 'anthropic-key' : undefined;
  if (key.startsWith('sk-') && /^(?:proj|svcacct|admin|None)-/.test(body)) {
    return looksGenerated(body) ? 'openai-key' : undefined;
  }
  // Ids and slugs such as `sk-learn-0a1b` have a generated part too; a key has a long one.
  if (generatedLength(body) < 16 || !/\d/.test(body)) return undefined;
  return key.startsWith('sk-') && /^[A-Za-z0-9]{48}$/.test(body) ? 'openai-key' : 'api-key';
};

/** Parts are counted here: a pattern that asks for three would read on from every `eyJ` to the end of the run. */
const kindOfDottedToken = (token: string): SecretKind | undefined => {
  const parts = token.split('.');
  return parts.length >= 3 && parts.every((part) => part.length >= 8) ? 'jwt' : undefined;
};

const tokens: Detector = {
  hint: new RegExp(
    `[-_](?<=${wordStart}(?:gh[pousr]_|github_pat_|npm_|whsec_|[srp]k_(?:live|test)_|gl[a-z]{2,5}-|` +
      String.raw`xox[a-z]-|xapp-|GOCSPX-|[srp]k-))[\w+/-]{10}|` +
      String.raw`[JA](?<=eyJ|A[KSBC][IC]A)[\w-]{5}|z(?<=AIz)a|\.(?<=ya29\.|hooks\.)[\w-]`,
  ),
  find: findShapes([
    prefixed('aws-access-key', 'A[KSB]IA|ACCA', '[A-Z0-9]{16}(?![A-Za-z0-9])'),
    prefixed('github-token', 'gh[pousr]_', '[A-Za-z0-9]{36,}'),
    prefixed('github-token', 'github_pat_', '[A-Za-z0-9_]{22,}'),
    prefixed(
      'gitlab-token',
      'gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|oas|ffct)-',
      String.raw`[\w-]{16,}(?:\.[0-9a-z]{2})?(?:\.[0-9a-z]{9})?`,
    ),
    shape(String.raw`${fromWordStart(String.raw`xox[abceoprsd]-|xapp-|xoxe\.xox[bp]-`)}[\w-]{10,}`, (secret) =>
      /\d/.test(secret) ? 'slack-token' : undefined,
    ),
    shape(String.raw`(?<keep>hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)[\w/-]{16,}`, (path) =>
      looksGenerated(path) ? 'slack-webhook' : undefined,
    ),
    prefixed('google-api-key', 'AIza', String.raw`[\w-]{35,}`),
    prefixed('google-oauth', String.raw`ya29\.(?:[a-z]\.)?`, String.raw`[\w-]{16,}(?:\.[\w-]+)*`),
    prefixed('google-oauth', 'GOCSPX-', String.raw`[\w-]{16,}`),
    prefixed('stripe-key', '[srp]k_(?:live|test)_', '[A-Za-z0-9]{10,}'),
    prefixed('stripe-key', 'whsec_', '[A-Za-z0-9+/]{16,}={0,2}'),
    prefixed('npm-token', 'npm_', '[A-Za-z0-9]{36,}'),
    shape(String.raw`${fromWordStart('[srp]k-')}[\w-]{16,}`, kindOfDashedKey),
    shape(String.raw`${fromWordStart('eyJ')}[\w-]*(?:\.[\w-]+){0,4}`, kindOfDottedToken),
  ]),
};

const awsSecretName = '(?:secret[_ -]?access[_ -]?key|aws[_ -]?secret(?:[_ -]?key)?)';
const awsSecretGap = String.raw`(?:\\?["'\x60*_\]]){0,4}[ \t]{0,4}(?:=>|:=|[=:,])?[ \t*]{0,8}(?:\\?["'\x60])?`;

const awsSecrets: Detector = {
  hint: /[Ss](?:ecret|ECRET)/,
  find: findShapes([
    shape(
      String.raw`(?<!\[REDACTED:)(?<keep>${awsSecretName}${awsSecretGap})` +
        '(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])',
      (secret) => (looksGenerated(secret) ? 'aws-secret-key' : undefined),
      'gi',
    ),
  ]),
};

const passwordPlaceholder = new RegExp(
  String.raw`^(?:pass|passwd|password|pwd|pw|secret|token|foo|bar|xyz|x-oauth-basic|[.x*]+)$|^\$\w+$|^%\w+%$|[$]\{|` +
    String.raw`^\{.*\}$|your|example|placeholder|change[-_]?me|redacted`,
  'i',
);

const urls: Detector = {
  hint: /:\\?\/\\?\/[^\s/@]{0,400}@/,
  find: findShapes([
    shape(
      // A host may be an IPv6 address in brackets, but no marker. `docker://image:tag@sha256:...` names no host.
      String.raw`(?<keep>[A-Za-z0-9]:\\?\/\\?\/[^\s:/@?#"'\x60<>[\]\\]{0,128}:)` +
        String.raw`[^\s/?"'\x60<>[\]\\]{1,256}(?=@(?!sha\d{3}:)(?:[\w{$<%]|\[[0-9a-f:]))`,
      (password) => (passwordPlaceholder.test(password) ? undefined : 'url-credentials'),
    ),
  ]),
};

/** `user:password` in base64. Words that are as long decode to bytes that are no text. */
const isEncodedPair = (text: string): boolean =>
  /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(Buffer.from(text, 'base64').toString('latin1'));

const authorization: Detector = {
  hint: /(?:bearer|basic)[ \t]+[A-Za-z0-9+/._~-]{16}/i,
  find: findShapes([
    shape(
      String.raw`(?<keep>\bbearer[ \t]{1,4})[A-Za-z0-9+/._~-]{16,}={0,2}`,
      (secret) => (looksGenerated(secret) ? 'bearer-token' : undefined),
      'gi',
    ),
    shape(
      String.raw`(?<keep>\bbasic[ \t]{1,4})[A-Za-z0-9+/_-]{16,}={0,2}`,
      (secret) => (isEncodedPair(secret) || looksGenerated(secret) ? 'basic-auth' : undefined),
      'gi',
    ),
  ]),
};

const pemEdge = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const base64Run = /[A-Za-z0-9+/=]{16,}/g;
/** What may stand between the lines of a key: line breaks, also escaped ones, and the marks of quotes and comments. */
const pemGap = String.raw`(?:[\s"',>|*]|\\[nrt]|\+[ \t\n]|#[ \t]){0,40}`;
const pemHeader = String.raw`(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): [^\n\\]{0,200}(?=[\n\\])`;
/** Shorter than the others: it ends in `=`, or the text ends in it. */
const lastPemLine = String.raw`[A-Za-z0-9+/]{1,15}={0,2}(?![^\s"'\\])(?:(?<==)|(?!\s*\S))`;
const cutPem = new RegExp(
  `^(?:${pemGap}${pemHeader}){0,8}(?:${pemGap}[A-Za-z0-9+/=]{16,}){1,2000}(?:(?:[ \\t]{0,8}\\n|\\\\n)${lastPemLine})?`,
);

/** Between the edges of a key there is base64 and little else; a text that only speaks of the edges has other words. */
const isPemBody = (body: string): boolean => {
  const solid = [...body.matchAll(base64Run)].reduce((total, [run]) => total + run.length, 0);
  return solid > 0 && solid * 4 >= body.replace(/\s|\\[nrt]/g, '').length && !body.includes(markerStart);
};

const privateKeys: Detector = {
  hint: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/,
  find: (text) => {
    const edges = [...text.matchAll(pemEdge)];
    return edges.flatMap((edge, i): readonly Span[] => {
      if (edge[1] !== 'BEGIN') return [];
      const next = edges[i + 1];
      const bodyStart = edge.index + edge[0].length;
      if (next?.[1] === 'END' && isPemBody(text.slice(bodyStart, next.index))) {
        return [{ kind: 'private-key', start: edge.index, end: next.index + next[0].length }];
      }
      // With the first dashes of the next edge, so that a line before it is not taken for the last of the text.
      const cut = cutPem.exec(text.slice(bodyStart, next === undefined ? undefined : next.index + 5));
      return cut === null ? [] : [{ kind: 'private-key', start: edge.index, end: bodyStart + cut[0].length }];
    });
  },
};

export const shapeDetectors: readonly Detector[] = [privateKeys, tokens, awsSecrets, urls, authorization];
