/** Recognises harmless values in the place of a secret: placeholders, references, names, documented examples. */
import { isDocumented } from './examples/documented.js';
import { placeholderWith } from './examples/placeholders.js';
import { looksGenerated } from './generated.js';
import { findMarks } from './marks.js';

const saysPlaceholder = placeholderWith('your|example|sample|placeholder|change(?:me|this)|replace|dummy|redacted');
const elided = /\*\*\*|\.\.\.|…|^(?:test|token|secret|key|string|foo|bar|baz|password|passwd|pass|pwd)[-_]?\d{0,2}$/i;
const isFilledIn = (value: string): boolean => elided.test(value) || saysPlaceholder(value);
/** Variables, templates, calls; paths, URLs, addresses, colours; formats and patterns; references to a vault. */
const reference = new RegExp(
  String.raw`^\$[A-Za-z_]\w*$|^%\w+%$|[$#]\{|\{\{|\$\(|\{[\w.]*\}|^<.*>$|^[\w.$]+\([^()]*\)$|` +
    String.raw`^(?:[.~]{0,2}|[A-Za-z]:)[\\/][^+=]*$|:\/\/|^[\w.+-]+@[\w-]+\.[\w.]+$|^#[0-9a-f]{3,8}$|` +
    String.raw`^%[sdv]|%[sdv]$|%\(|^\^|\(\?|\\[dwsb]|\.\*|^(?:vault|arn|ssm|env|file|secrets?|projects|ENC\[)[:/[]`,
  'i',
);
const fileName = /^[\w.-]*[A-Za-z_-]\.(?:[a-z]{1,3}|json|ya?ml|toml|html|conf|jpeg|tsx|jsx|java|lock|local|test)$/;
const pathStart = /^(?:[.~]{0,2}|[A-Za-z]:)[\\/]/;
const dottedNames = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/;
/** `GITHUB_TOKEN_2`: the name of a secret. */
const nameOfSecret = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:[A-Z]{3,}(?:_?\d{1,2})?|\d{1,2})$/;
/** A digest with its algorithm, or the id of a key that never leaves its key service. */
const digestOrKeyId = /^(?:(?:sha-?\d{1,3}|md5|blake\w{1,3})[:=][0-9a-f]{16,}|mrk-[0-9a-f]{32})$/i;
/** The address of a contract or a wallet. */
const address = /^0x[0-9a-f]{40}$/i;
const publishable = /^(?:pk_(?:live|test)_|pk\.eyJ|phc_)/;

export const isPublishable = (value: string): boolean => publishable.test(value);

/** True for a value that reads as a word, a name or a piece of code. */
export const isReadable = (value: string): boolean =>
  isFilledIn(value) ||
  isReference(value) ||
  address.test(value) ||
  digestOrKeyId.test(value) ||
  publishable.test(value) ||
  isDocumented(value) ||
  // `config.db1a.token` is code; a token with dots in it has longer parts.
  (dottedNames.test(value) && !value.split('.').some((part) => part.length >= 16 && looksGenerated(part)));

/** Like `isReadable`, but false for `Kxyz42.Wabc7`: two names and a dot, with digits that names don't have. */
export const isReadableButDotted = (value: string): boolean =>
  isReadable(value) && !(/^[\w.]+$/.test(value) && /[A-Z][a-z]*\d{2}.*\..*[A-Z].*\d/.test(value));

/** Only a whole mark counts: the beginning of one can be written beside any secret. */
const hasMark = (value: string): boolean => findMarks(value).length > 0;

/** For places that hold nothing but secrets: true only for a value that says it is none. */
export const isPlaceholder = (value: string): boolean =>
  isFilledIn(value) ||
  isDocumented(value) ||
  hasMark(value) ||
  /^\$[A-Za-z_{(]|^%\w+%$|^<.*>$|^\{.*\}$|\$\{|\{\{|^(.)\1*$|^[A-Z]+_[A-Z_]+$/.test(value);

const isReference = (value: string): boolean =>
  hasMark(value) ||
  nameOfSecret.test(value) ||
  fileName.test(value) ||
  // A random key may begin with a slash; the parts of a path are words.
  (reference.test(value) && !(pathStart.test(value) && /^[\w/+=]{32,}$/.test(value) && isRandomPath(value)));

const isRandomPath = (value: string): boolean =>
  value.split('/').every((part) => part === '' || looksGenerated(part) || /[a-z][A-Z]{2}|[A-Z]{2}[a-z]/.test(part));

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

/** `ghp_xxxxxxxx`, `npm_yourtokengoeshere`: right in length, filled in by hand. */
export const looksFilledIn = (body: string): boolean =>
  /^(?:[a-z]+|(.)\1*)$/.test(body.replace(/[_.-]/g, '')) || /^(?:x{6}|X{6}|0{8}|123456789)/.test(body);
