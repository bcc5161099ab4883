/** Tells secrets from words, names, versions and dates, and from placeholders, references and calls. Pure. */

const base64 = (most: number): string => `[A-Za-z0-9+/_-]{0,${most}}={0,2}`;
const awsId = '(?:A[A-Z]{3}[A-Z0-9]{9}|A[A-Za-z]{3,5}IOSFODNN7)EXAMPLE';
const awsScope = '(?:(?:/|%2F)[0-9]{8}(?:(?:/|%2F)[a-z0-9-]{2,20}){2}(?:/|%2F)aws4_request)?';

const documented = new RegExp(
  `^(?:${[
    `${awsId}${awsScope}`,
    `(?:${awsId}:)?[A-Za-z0-9/+]{28,32}EXAMPLEKEY`,
    '(?:[srp]k_(?:test|live)_)?(?:4eC39HqLyjWDarjtT1zdp7dc|BQokikJOvBiI2HlWgH4olfQ2|26PHem9AhJZvU623DfE1x4sd):?',
    String.raw`eyJ[\w-]{10,200}\.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lI[\w-]{0,100}(?:\.[\w-]{0,700})?`,
    'QWxhZGRpbjpvcGVuIHNlc2FtZQ={0,2}|QWxhZGRpbjpPcGVuU2VzYW1l',
    String.raw`mF_9\.B5f-4\.1JqM`,
    String.raw`T0{8}\\?/B0{8}\\?/[\w-]{0,40}`,
    String.raw`(?:bot)?(?:\d{6,10}:)?(?:ABC-DEF1234ghIkl[\w-]{0,20}|AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw\w?|AAFD39kkdpWt3ywyRZergyOLMaJhac60qc\w?)`,
    '(?:gh[a-z]_)?16C7e42F292c6912E7710c838347Ae178B4a',
    String.raw`MTk4NjIyNDgzNDcxOTI1MjQ4(?:\.[\w-]{6,7}\.[\w-]{27,44})?`,
    `Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1${base64(56)}`,
    `C2y6yDjf5/R[+]ob0N8A7Cgv30VRDJIWEHLM${base64(54)}`,
    `AQoEXAMPLEH4aoAH0gNC${base64(400)}`,
    `[AFI]Qo[A-Za-z0-9+/]{0,60}wEXAMPLEt(?:c764bNrC9|MSJHMEUCIDoKK)${base64(400)}`,
    `AQoDYXdzEE0a8ANXXXXXXXXNO1ewxE5${base64(30)}`,
    String.raw`(?:Atza(?:%7C|\|))?IQEBLjAsAhRF\w{0,60}ZXXXXXXXXJnrulxKDHwy${base64(400)}`,
    '1234567891011EXAMPLE',
    '[0-9A-Za-z]{8}-5678-90ab-cdef-[0-9A-Za-z]{12}|[0-9A-Za-z]{8}-90ab-cdef-fedc-ba987[0-9A-Za-z]{3,9}',
    `EXAMPLE3VYb9EDI2${base64(40)}`,
    'eoEmxw[+]YaYhb3h3iVJHuXMJXqeu1q1/wwmvjuEXAMPLE',
    String.raw`(?:amzn1\.account\.)?AF6RHO7KZU5XRVQJGXK6HEXAMPLE`,
  ].join('|')})$`,
);

/** An issuer's prefix: `sk`, `ant`, `api03`. */
const prefix = /^[A-Za-z]{1,8}\d{0,2}$/;
const gluedPrefix = /^[A-Za-z]{1,8}\d{0,2}(?=abcd)/;

/** True for runs of three or more characters in alphabetical or numerical order; the last may be cut off. */
const isInOrder = (piece: string): boolean => {
  let length = 1;
  for (let at = 1; at < piece.length; at += 1) {
    const step = piece.charCodeAt(at) - piece.charCodeAt(at - 1);
    if (step === 1 || piece.slice(at - 1, at + 1) === '90') length += 1;
    else if (length < 3) return false;
    else length = 1;
  }
  return length >= 3 || piece.length >= 6;
};

/** `ghp_abcdefghijklmnopqrstuvwxyz1234567890`: typed by hand, with nothing else after the prefix. */
const isAlphabet = (value: string): boolean => {
  if (!value.includes('abcdefghijklmnopqrstuvwxyz')) return false;
  const pieces = value.split(/[^A-Za-z0-9]+/).filter((piece) => piece !== '');
  const first = pieces.findIndex((piece) => !prefix.test(piece));
  return pieces.slice(first).every((piece, at) => isInOrder(at === 0 ? piece.replace(gluedPrefix, '') : piece));
};

/** Example keys from issuers' documentation, only as the whole value: a part says nothing about the rest. */
export const isDocumented = (value: string): boolean => documented.test(value) || isAlphabet(value);
/** Names with digits, which would otherwise pass for generated text. */
const technicalNames = new RegExp(
  String.raw`utf-?(?:8|16|32)|base-?(?:16|32|36|58|62|64|85)|sha-?\d{1,3}|md[45]|pbkdf2|argon2(?:id|[id])?|` +
    String.raw`pkcs\d{1,2}|[ehr]s(?:256|384|512)|aes-?(?:128|192|256)|ed25519|secp\d{3}[kr]1|x509|[23]fa|` +
    'u?int(?:8|16|32|64)|oauth[12]|ipv[46]|http2|[hx]26[45]|mp[34]|k8s|i18n|l10n|a11y|ec2|s3|b2[bc]|p2p|e2e|' +
    String.raw`log4j|neo4j|v\d{1,2}(?:alpha|beta|rc)\d{0,2}`,
  'gi',
);
const withoutTechnicalNames = (text: string): string => text.replace(technicalNames, 'x');

/** `note`, `Note2`, `2nd`, `userID`, `OAuth`; longer names are split at their capitals first. */
const word = /^\d{0,4}[a-z]*(?:[A-Z]+[a-z]*)?\d{0,4}$|^\d+$/;
/** Five or more letters of both cases without a vowel are not a word either. */
const noVowel = /^(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])\d{0,4}[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{5,}\d{0,4}$/;
const wordEnd = /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z][a-z]{2})/;
/** Counts as one part of 32 digits, not as five that could each pass for a word. */
const uuidParts = /(?<![0-9a-f])([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})(?![0-9a-f])/gi;

/** True if letters and digits are mixed as in no word, name, version, date or slug. */
export const looksGenerated = (text: string): boolean => /\d/.test(text) && generatedLength(text) > 0;

/** Counts the characters in parts that are not words. */
export const generatedLength = (text: string): number =>
  withoutTechnicalNames(text.replace(uuidParts, '$1$2$3$4$5'))
    .split(wordEnd)
    .filter((part) => !word.test(part) || noVowel.test(part))
    .reduce((total, part) => total + part.length, 0);

/** Digits may be missing by chance: then at least 12 letters must be in parts that are not words. */
export const isRandom = (text: string, least: number): boolean =>
  text.length >= least &&
  (looksGenerated(text) || generatedLength(text) >= 12 || isHex(text)) &&
  !/^[\d.,:_-]+$/.test(text) &&
  !isRepetitive(text);

const isHex = (text: string): boolean => text.length >= 16 && /^(?=.*\d)(?=.*[a-f])[0-9a-f]+$/i.test(text);

/** Few different characters for its length: `aaaa1111`, `0123456701234567`. */
const isRepetitive = (text: string): boolean => text.length >= 16 && new Set(text.slice(0, 64)).size < 7;

/** Letters that change their case as in no name: `ldGwAsvLyyBF`, but not `accessTokenValue` or `myApiKey`. */
const isMixedCase = (text: string): boolean => {
  const letters = text.replace(/[^A-Za-z]/g, '');
  const changes = letters.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0;
  if (letters.length < 8 || changes * 3 <= letters.length) return false;
  const inWords = (letters.match(/[A-Z]?[a-z]+/g) ?? []).filter((hump) => /[aeiou]/i.test(hump)).join('').length;
  return inWords * 4 < letters.length * 3;
};

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
/** A ULID identifies something and protects nothing. */
const isUlid = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
export const isId = (text: string): boolean => isUuid(text) || isUlid(text);

const elided = /\*\*\*|\.\.\.|…|^(?:test|token|secret|key|string|foo|bar|baz|password|passwd|pass|pwd)[-_]?\d{0,2}$/i;
const saying = 'your|sample|example|placeholder|change[-_ ]?(?:me|this)|replaced?|dummy|redacted';
/** At an end of the value, or a word of its own in it. */
const sayings = new RegExp(
  `^(?:${saying})|(?:${saying})$|(?<![A-Za-z])(?:${saying})(?![A-Za-z])|^(?:my|some)[-_]|[-_]here$`,
  'i',
);
/** Words, and short or plain numbers, as in `your-api-key-1`; letters and digits mixed make it a secret. */
const plainPiece = /^(?:[A-Za-z]*\d{0,5}|[a-z0-9]{0,5}|[A-Z0-9]{0,5}|\d{1,12})$/;
/** Words that examples write with digits. */
const dressed = /p[a@4]ssw[o0]rd|s[e3]cr[e3]t/gi;
const crossedOut = /x{3,}/gi;
const maskedPart = /\[redacted:[a-z-]+\]/i;

const saysPlaceholder = (value: string): boolean => {
  const left = value.replace(crossedOut, '');
  if (left.length * 2 < value.length) return !(/\d/.test(left) && /[a-z]/.test(left) && /[A-Z]/.test(left));
  const pieces = value
    .replace(sayings, ' ')
    .replace(dressed, 'word')
    .split(/[^A-Za-z0-9]+/);
  return (
    (sayings.test(value) || /^My[A-Z][a-z]{3}/.test(value)) &&
    pieces.every((piece) => plainPiece.test(piece)) &&
    pieces.filter((piece) => /\d/.test(piece) && /[A-Za-z]/.test(piece) && !/^[A-Za-z]{3,}\d{1,5}$/.test(piece))
      .length < 2 &&
    (value.match(/\d/g)?.length ?? 0) <= 12
  );
};
const isFilledIn = (value: string): boolean => elided.test(value) || maskedPart.test(value) || saysPlaceholder(value);

/** Variables, templates, calls; paths, URLs, addresses, colours; formats and patterns; references to a vault. */
const reference = new RegExp(
  String.raw`^\$[A-Za-z_]\w*$|^%\w+%$|[$#]\{|\{\{|\$\(|\{[\w.]*\}|^<.*>$|^[\w.$]+\([^()]*\)$|` +
    String.raw`^(?:[.~]{0,2}|[A-Za-z]:)[\\/][^+=]*$|:\/\/|^[\w.+-]+@[\w-]+\.[\w.]+$|^#[0-9a-f]{3,8}$|` +
    String.raw`^%[sdv]|%[sdv]$|%\(|^\^|\(\?|\\[dwsb]|\.\*|^(?:vault|arn|ssm|op|ref|env|file|secrets?|projects|ENC\[)[:/[]`,
  'i',
);
const fileName =
  /^(?:[\w.-]*[A-Za-z_-]|[\w.-]+\/[\w./-]*)\.(?:[a-z]{1,3}|json|ya?ml|toml|html|conf|jpeg|tsx|jsx|java|lock|local|test)$/;
const pathStart = /^(?:[.~]{0,2}|[A-Za-z]:)[\\/]/;
const dottedNames = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/;
/** `GITHUB_TOKEN_2`: the name of a secret. */
const nameOfSecret = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:[A-Z]{3,}(?:_?\d{1,2})?|\d{1,2})$/;
/** A digest with its algorithm, the id of a key in its key service, the address of a contract, a publishable key. */
const isPublic = (value: string): boolean =>
  /^(?:(?:sha-?\d{1,3}|md5|blake\w{1,3})[:=][0-9a-f]{16,}|mrk-[0-9a-f]{32}|0x[0-9a-f]{40})$/i.test(value) ||
  /^(?:pk_(?:live|test)_|pk\.eyJ|phc_)/.test(value);

/** True for a value that reads as a name or a piece of code, or says that it is a placeholder. */
export const isReadable = (value: string): boolean =>
  isFilledIn(value) ||
  isPublic(value) ||
  isDocumented(value) ||
  nameOfSecret.test(value) ||
  fileName.test(value) ||
  // A random key may begin with a slash; the parts of a path are words.
  (reference.test(value) && !(pathStart.test(value) && /^[\w/+=]{24,}$/.test(value) && isRandomPath(value))) ||
  // `config.db1a.token` is code; a token with dots in it has longer parts.
  (dottedNames.test(value) &&
    !/\d\d\w{0,20}\.[A-Z]\w{0,20}\d/.test(value) &&
    !value.split('.').some((part) => part.length >= 16 && looksGenerated(part)));

const isRandomPath = (value: string): boolean =>
  value.split('/').every((part) => part === '' || looksGenerated(part) || isMixedCase(part));

/** For places that hold nothing but secrets: true only for a value that says it is none. */
export const isPlaceholder = (value: string): boolean =>
  isFilledIn(value) ||
  isDocumented(value) ||
  /^\$[A-Za-z_{(]|^%\w+%?$|^<.*>$|^\{.*\}$|\$\{|\{\{|^(.)\1*$|^[A-Z]+_[A-Z_]+$/.test(value);

const throwAway = new Set(
  (
    'root admin administrator postgres postgresql mysql mariadb mongo mongodb redis rabbitmq guest user username test ' +
    'tester testing demo default password passwd pass pwd pw secret changeme example toor sa foo bar baz qwerty letmein ' +
    '1234 12345 123456 12345678 123456789 test123 admin123 password1 password123 root123 user123 dev local minioadmin ' +
    'elastic keycloak wordpress docker vagrant ubuntu app none null true false xyz token x-oauth-basic x prompt'
  ).split(' '),
);
/** Well-known passwords from examples and test databases. */
export const isThrowAway = (value: string, user = ''): boolean =>
  throwAway.has(value.toLowerCase()) || (user !== '' && value === user) || /^[.x*]+$/i.test(value);

/** For the options of commands that take a password. */
export const isCommandSecret = (value: string, user: string): boolean =>
  value.length >= 4 &&
  !isPlaceholder(value) &&
  !isThrowAway(value, user) &&
  !/^-|^\/dev\/|^@/.test(value) &&
  !/^\d{1,5}(?::\d{1,5})?$/.test(value);

/**
 * A `password` may be chosen by a person, a `token` was generated; after a `weak` name or a `key` it must be long, and a
 * `qualified` name may be that of a setting.
 */
export type NameClass = 'password' | 'token' | 'qualified' | 'weak' | 'key';

/** A number, a date, a version, a span of time: what settings beside a token are. */
const quantity =
  /^v?\d{1,12}(?:[.,:_/T+-]\d{1,9})*(?:[-.]?(?:[smhdwyTZk]|ms|min|sec|days?|hours?|bits?|bytes?|chars?|px|r?em|[kmg]b|alpha|beta|rc)[-.]?\d{0,4}){0,3}$/i;
/** `shop-db-2`, `refresh`, `step2`: the name of a thing. */
const slug = /^(?:[A-Za-z]?[a-z]*(?:[-_.:/]\d?[a-z]+)*[-_.]?v?\d{0,2}|[a-z]+(?:\.(?:[a-z]+|\d{1,3}))+)$/;
const hasMix = (value: string): boolean => /\d/.test(withoutTechnicalNames(value)) || isMixedCase(value);

/** Whether the value beside a name that says secret is one: anything but a word, a placeholder, a reference or a call. */
export const isNamedSecret = (value: string, name: NameClass): boolean => {
  if (/\s/.test(value) || isReadable(value) || isThrowAway(value)) return false;
  switch (name) {
    case 'password':
      return (
        value.length >= 6 &&
        !(quantity.test(value) && /[.:-]/.test(value)) &&
        (hasMix(value) || /[a-z0-9][!#$%^&*+~@?=]{1,9}[a-z0-9]/i.test(value))
      );
    case 'token':
      return (
        value.length >= 8 &&
        hasMix(value) &&
        !slug.test(value) &&
        !isUlid(value) &&
        (isHex(value) || !quantity.test(value))
      );
    case 'qualified':
      return isRandom(value, 12) && (isHex(value) || /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d.*\d)/.test(value));
    case 'weak':
      return isRandom(value, 20) && !isId(value) && !/[(){}]/.test(value);
    case 'key':
      // A cache or a map has keys too, which are hashes or words.
      return /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w-]{24,}$/.test(value) && generatedLength(value) * 2 > value.length;
  }
};

/** In code a bare value is usually a variable, and variables have digits too: `x509cert`, `level2token`. */
export const isVariable = (value: string): boolean =>
  /^[A-Za-z_$][\w$]{0,24}$/.test(value) && (value.match(/\d+/g) ?? []).length < 2 && !isMixedCase(value);

/** `ghp_xxxxxxxx`, `npm_yourtokengoeshere`: right in length, filled in by hand. */
export const looksFilledIn = (body: string): boolean =>
  /^(?:[a-z]+|(.)\1*)$/.test(body.replace(/[_.-]/g, '')) || /^(?:x{6}|X{6}|0{8}|123456789)/.test(body);
