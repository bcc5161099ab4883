/** Finds the names that secrets are given, in any case and inside longer names (`DB_PASSWORD`, `githubToken`). */
import { endOfMatch, type Place } from './span.js';

/**
 * A `password` may be short and chosen by a person; a `token` was generated. A `weak` name, or a `key` without an
 * owner, may name other things too, so its value must be long and random.
 */
export type NameClass = 'password' | 'token' | 'weak' | 'key';
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
  Пароль: 'password',
  密码: 'password',
  密碼: 'password',
  パスワード: 'password',
  sshpass: 'password',
  passphrase: 'password',
  passcode: 'password',
  pass: 'password',
  pwd: 'password',
  pw: 'password',
  psk: 'password',
  secret: 'token',
  token: 'token',
  credentials: 'token',
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
    'cohere|groq|primary|secondary)[_ .-]?$',
  'i',
);
const nameTail =
  /(?:[_ .-]?(?:access|key|value|plain|prod|dev|staging|live|base64|base|b64|ñas?|nas?)(?![a-z])|[_-]?\d{1,3}(?![a-z0-9])){0,3}/iy;
const nameEnd = /(?:\\?["'`*_\]]){0,4}[ \t]{0,8}/y;

/** First characters of `nameTail` and `nameEnd`. */
const tailStart = /[-_. \dakvpdslbnñ]/i;
const endStart = /[\\"'`*_\] \t]/;

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
  return !isLetter(before) || isHump ? kind : undefined;
};

/** The usual case after a name. */
const isOneBlank = (text: string, at: number): boolean =>
  text.charCodeAt(at) === 32 && text.charCodeAt(at + 1) !== 32 && text.charCodeAt(at + 1) !== 9;
const endOfName = (text: string, tail: number): number =>
  endStart.test(text.charAt(tail)) ? endOfMatch(nameEnd, text, tail) : tail;

/** In lower case; roots in ASCII match in any case. */
export const nameRoots: readonly string[] = Object.keys(classByRoot);

export const findNames = (text: string, places: readonly Place[]): readonly FoundName[] => {
  const found: FoundName[] = [];
  let done = -1;
  for (const { at, word: root } of places) {
    if (at === done) continue;
    const kind = classOf(text, at, root);
    if (kind === undefined) continue;
    done = at;
    const stop = at + root.length;
    const tail = tailStart.test(text.charAt(stop)) ? endOfMatch(nameTail, text, stop) : stop;
    const end = isOneBlank(text, tail) ? tail + 1 : endOfName(text, tail);
    found.push({ kind, start: at, tail, end });
  }
  return found;
};

/** Tokens of a page, a parser or a language model; a user in a URL; the resource name of a secret; public values. */
const harmlessBefore = new RegExp(
  '(?<![a-z])(?:page|next|previous|continuation|cursor|start|end|stop|eos|bos|pad|unk|mask|special|max|min|num|total|design|css|js|' +
    'brand|public|publishable|pub|site|cache|primary|foreign|sort|partition|host|dedup|idempotency|object|row|lookup|map)[_ -]?$|' +
    String.raw`(?:page|Page|publishable|public|Public|Publishable)[_ -]?$|:\/\/[\w.-]*$|\barn:[\w:-]*:$|\[REDACTED:[a-z-]*$|\b(?:NEXT|VITE|REACT_APP|EXPO|NUXT)_PUBLIC_\w*$`,
  'i',
);
/** A thing named after a secret: its id, its name, its hash, its length. */
const harmlessAfter =
  /^(?:[ -]|_{0,2})(?:id|ids|name|names|ref|path|file|dir|url|uri|endpoint|type|hash(?:er|ers|ing)?|digest|fingerprint|address|contract|count|length|size|limit|index|arn|version|expir\w*|field|parser|symbol|mint|ttl|at|changed|created|updated|algo|algorithm|backend|encryption|policy|policies|provider|plugin|store|scheme|method|issuer|audience|scopes?|model|alias|header)(?![a-z])/i;

/** The primary key of a table is a number or a name; that of an account is a long random value. */
const isAccountKey = (before: string, value: string): boolean =>
  /(?:primary|secondary)[_ .-]?$/i.test(before) && /^[A-Za-z0-9+/]{43,}={1,2}$/.test(value);

export const isHarmlessName = (text: string, { start, tail }: FoundName, value: string): boolean =>
  (harmlessBefore.test(text.slice(Math.max(0, start - 64), start)) &&
    !isAccountKey(text.slice(Math.max(0, start - 12), start), value)) ||
  harmlessAfter.test(text.slice(tail, tail + 16));

/** For patterns that contain a name. */
export const passwordName = '(?:password|passwort|passwd|passphrase|passcode|pwd)';
export const tokenName = '(?:secret|token|credentials?|(?:api|access|private|secret|account|admin|signing)[_ -]?key)';
