/** Finds the names that secrets are given, in any case and inside longer names (`DB_PASSWORD`, `githubToken`). */
import { endOfMatch } from './span.js';
import type { NameClass } from './values.js';

/** `tail` is the position after `_KEY`, `-prod` and the like; `end` is after quotes and spaces too. */
export type FoundName = {
  readonly kind: NameClass;
  readonly start: number;
  readonly tail: number;
  readonly end: number;
};

const classByRoot: Readonly<Record<string, NameClass>> = {
  password: 'password',
  passwort: 'password',
  passwd: 'password',
  kennwort: 'password',
  wachtwoord: 'password',
  senha: 'password',
  contrase: 'password',
  'mot de passe': 'password',
  пароль: 'password',
  密码: 'password',
  密碼: 'password',
  パスワード: 'password',
  sshpass: 'password',
  'identified by': 'password',
  passphrase: 'password',
  passcode: 'password',
  pass: 'password',
  pwd: 'password',
  pw: 'password',
  psk: 'password',
  secret: 'token',
  token: 'token',
  credentials: 'token',
  creds: 'token',
  credential: 'token',
  bearer: 'token',
  jwt: 'token',
  key: 'key',
  auth: 'weak',
  signature: 'weak',
  hmac: 'weak',
  pat: 'weak',
  pin: 'weak',
  session: 'weak',
  sessionid: 'weak',
  cookie: 'weak',
  sid: 'weak',
  dsn: 'weak',
  sas: 'weak',
  salt: 'weak',
};
/** Short roots are parts of many words. */
const isWholeWord = (root: string): boolean => root.length <= 4 && root !== 'pwd';

const keyOwner = new RegExp(
  '(?:api|access|private|account|signing|signature|encryption|encrypt|decryption|cipher|master|subscription|shared|service|admin|' +
    'auth|client|consumer|application|app|deploy|license|webhook|storage|function|sas|hmac|aes|session|integration|write|server|' +
    'secret|datadog|algolia|mailgun|stripe|sendgrid|twilio|openai|anthropic|gemini|sentry|heroku|cloudflare|azure|newrelic|mistral|' +
    'cohere|groq|primary|secondary|unseal|fernet|cookie|bitlocker)[_ .-]?$',
  'i',
);
const nameTail =
  /(?:[_ .-]?(?:access|key|value|plain|prod|dev|staging|live|base64|base|b64|ñas?|nas?)(?![a-z])|[_-]?\d{1,3}(?![a-z0-9])){0,3}/iy;
const nameEnd = /["'`*_\]]{0,4}[ \t]{0,8}/y;

/** Words that qualify a name, as in `DB_PASSWORD_RO` and `dbPasswordReplica`. */
const qualifiers = /(?:[_-][A-Za-z0-9]{1,16}|[A-Z][a-z]{1,15}){1,3}(?![A-Za-z0-9_-])/y;
/** Before a short root in one word: `dbpass`, but not `bypass`. */
const glued = /(?:db|user|admin|root|ftp|bind|require|mail|smtp|app|redis|ldap|proxy|wifi|key|master|vault|sudo)$/i;

/** First characters of `nameTail` and `nameEnd`. */
const tailStart = /[-_. \dakvpdslbnñ]/i;
const endStart = /["'`*_\] \t]/;

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isLower = (code: number): boolean => code >= 97 && code <= 122;

const classOf = (text: string, at: number, root: string): NameClass | undefined => {
  const kind = classByRoot[root];
  const after = text.charCodeAt(at + root.length);
  if (root === 'key') {
    if (isLower(after) && after !== 115) return undefined;
    if (keyOwner.test(text.slice(Math.max(0, at - 24), at))) return 'token';
    if (text.startsWith('KEY', at) && /[A-Z0-9]_$/.test(text.slice(Math.max(0, at - 2), at))) return 'weak';
    return isLetter(text.charCodeAt(at - 1)) ? undefined : 'key';
  }
  if (!isWholeWord(root)) return kind;
  if (isLower(after) || (isLetter(after) && text.charCodeAt(at + root.length - 1) < 97)) return undefined;
  const before = text.charCodeAt(at - 1);
  // `dbPass` and `xAuth`, but not `bypass`.
  const isHump = isLower(before) && !isLower(text.charCodeAt(at)) && root.length === 4;
  return !isLetter(before) || isHump || glued.test(text.slice(Math.max(0, at - 8), at)) ? kind : undefined;
};

/** The usual case after a name. */
const isOneBlank = (text: string, at: number): boolean =>
  text.charCodeAt(at) === 32 && text.charCodeAt(at + 1) !== 32 && text.charCodeAt(at + 1) !== 9;
const endOfName = (text: string, tail: number): number =>
  endStart.test(text.charAt(tail)) ? endOfMatch(nameEnd, text, tail) : tail;

export const nameRoots: readonly string[] = Object.keys(classByRoot);
/** The longest at each place. */
const anyRoot = new RegExp(nameRoots.toSorted((a, b) => b.length - a.length).join('|'), 'gi');

export const findNames = (text: string): readonly FoundName[] => {
  const found: FoundName[] = [];
  for (const { index: at, 0: written } of text.matchAll(anyRoot)) {
    const root = written.toLowerCase();
    const kind = classOf(text, at, root);
    if (kind === undefined) continue;
    const stop = at + root.length;
    const first = tailStart.test(text.charAt(stop)) ? endOfMatch(nameTail, text, stop) : stop;
    const qualified = kind === 'password' || kind === 'token' ? endOfQualifiers(text, first) : first;
    const tail = Math.max(first, qualified);
    const end = isOneBlank(text, tail) ? tail + 1 : endOfName(text, tail);
    found.push({ kind: tail > first ? 'qualified' : kind, start: at, tail, end });
  }
  return found;
};

/** Tokens of a page, a parser or a language model; a user in a URL; the resource name of a secret; public values. */
const harmlessBefore = new RegExp(
  '(?<![a-z])(?:page|next|previous|continuation|cursor|start|end|stop|eos|bos|pad|unk|mask|special|max|min|num|total|design|css|js|' +
    'brand|public|publishable|pub|site|cache|foreign|sort|partition|host|dedup|idempotency|object|row|lookup|map)[_ -]?$|' +
    String.raw`(?:page|Page|publishable|public|Public|Publishable)[_ -]?$|:\/\/[\w.-]*$|\barn:[\w:-]*:$|\[REDACTED:[a-z-]*$|\b(?:NEXT|VITE|REACT_APP|EXPO|NUXT)_PUBLIC_\w*$`,
  'i',
);
/** A thing named after a secret: its id, its name, its hash, its length. */
const harmlessAfter =
  /^(?:[ -]|_{0,2})(?:id|ids|name|names|ref|path|file|dir|url|uri|endpoint|type|hash(?:er|ers|ing)?|digest|fingerprint|address|contract|count|length|size|limit|index|arn|version|expir\w*|field|parser|symbol|mint|ttl|at|changed|created|updated|algo|algorithm|backend|encryption|policy|policies|provider|plugin|store|scheme|method|issuer|audience|scopes?|model|alias|header|stdin|reset|min|max|rotation|manager)(?![a-z])/i;

/** -1 if there are none, or one of them names another thing. */
const endOfQualifiers = (text: string, from: number): number => {
  if (!/[_A-Z-]/.test(text.charAt(from))) return -1;
  const end = endOfMatch(qualifiers, text, from);
  const pieces = end === -1 ? [] : text.slice(from, end).split(/[_-]|(?<=[a-z0-9])(?=[A-Z])/);
  return pieces.some((piece) => harmlessAfter.test(piece)) ? -1 : end;
};

export const isHarmlessName = (text: string, { start, tail }: FoundName): boolean =>
  harmlessBefore.test(text.slice(Math.max(0, start - 64), start)) || harmlessAfter.test(text.slice(tail, tail + 16));
