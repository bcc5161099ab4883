/** Finds secrets in headers: Authorization and cookies. */

import { type Detector, findAll, type SecretKind, type Span, spanOf } from './span.js';
import { isDocumented, isId, isNamedSecret, isRandom, isReadable, isThrowAway, looksGenerated } from './values.js';

/** Decodes Base64 of `user:password`. Words of that length decode to bytes that are not text. */
const decodePair = (text: string): RegExpExecArray | undefined =>
  /^([\x20-\x39\x3b-\x7e]+):([\x20-\x7e]*)$/.exec(Buffer.from(text, 'base64').toString('latin1')) ?? undefined;

const isEncodedPair = (text: string): boolean => {
  const pair = decodePair(text);
  return pair !== undefined && !isDocumented(text) && !isThrowAway(pair[2] ?? '', pair[1]);
};

const kindOfBasic = (secret: string): SecretKind | undefined =>
  isEncodedPair(secret) || (decodePair(secret) === undefined && looksGenerated(secret)) ? 'basic-auth' : undefined;
const kindOfBearer = (secret: string): SecretKind | undefined =>
  isNamedSecret(secret.replace(/(?<!\.)\.+$/, ''), 'token') || (isRandom(secret, 20) && !isDocumented(secret))
    ? 'bearer-token'
    : undefined;

const bearer = /\b(?<keep>bearer[ \t]{1,4})[A-Za-z0-9+/._~-]{8,4096}={0,2}/gi;
const basic = /\b(?<keep>basic[ \t]{1,4})[A-Za-z0-9+/_-]{12,4096}={0,2}/gi;

/** The value of Authorization with another scheme or none, in a header, a setting or a call. */
const authorization =
  /(?<keep>authorization["'`]?[ \t]{0,4}(?:[:=,]|=>)?[ \t]{0,4}[frb]?["'`]?(?:[A-Za-z][\w-]{0,20}[ \t]{1,4})?(?:token=|id=)?["']?)[A-Za-z0-9+/._~=-]{16,4096}/gi;
const kindOfAuthorization = (value: string): SecretKind | undefined =>
  isRandom(value, 16) && !isReadable(value) && decodePair(value) === undefined ? 'bearer-token' : undefined;

/** `"auth": "dXNlcjpwYXNz"` in a registry's settings, `_auth=` in npm's. */
const encodedAuth =
  /(?:(?<![A-Za-z])|(?<=_))(?<keep>auth["']?[ \t]{0,4}[:=][ \t]{0,4}["']?)[A-Za-z0-9+/_-]{8,4096}={0,2}/gi;

const cookieStart =
  /(?:cookies?["'`]?\]?[ \t]{0,4}(?:[:=]|=>|,)[ \t]{0,4}["'`{]{0,2}|\s-b[ \t]{0,4}["'](?<=\bcurl\b[^\n]{0,300}))/gi;
const cookiePair = /([\w.%$-]{1,80}["']?[ \t]{0,2}[=:][ \t]{0,2}["']?)([^\s;,"'`<>{}]{1,4096})/y;
const betweenPairs = /["']?[;,][ \t]{0,4}["']?/y;

const isCookieSecret = (value: string): boolean => {
  const plain = value.replace(/%[0-9A-F]{2}/gi, '.');
  return (isRandom(plain, 16) || looksGenerated(plain)) && plain.length >= 12 && !isReadable(value) && !isId(value);
};

/** Finds the values in lists of cookies that look as if a server generated them. */
const findCookies = (text: string): readonly Span[] => {
  const found: Span[] = [];
  cookieStart.lastIndex = 0;
  for (let match = cookieStart.exec(text); match !== null; match = cookieStart.exec(text)) {
    let at = cookieStart.lastIndex;
    for (;;) {
      cookiePair.lastIndex = at;
      const pair = cookiePair.exec(text);
      if (pair === null) break;
      const [, front = '', value = ''] = pair;
      if (isCookieSecret(value)) found.push(spanOf('cookie', at + front.length, value));
      at = cookiePair.lastIndex;
      betweenPairs.lastIndex = at;
      if (!betweenPairs.test(text)) break;
      at = betweenPairs.lastIndex;
    }
    cookieStart.lastIndex = Math.max(at, cookieStart.lastIndex);
  }
  return found;
};

/** Usual names of session cookies; the id of an agent's session is a UUID and not a secret. */
const sessionCookie =
  /(?<keep>(?:connect\.sid|sess(?:ion)?[_-]?(?:id|token|key)?|\bsid|\.ASPXAUTH|remember[_-]?(?:me|token)|csrf[_-]?token|xsrf-token|auth)["']?[ \t]{0,2}[=:,][ \t]{0,2}["']?)[\w%.+/~-]{20,4096}={0,2}/gi;

const hint = /auth|bearer|basic|cookie|sess|sid|csrf|xsrf|remember|curl/i;

export const findInHeaders: Detector = (text) => (hint.test(text) ? findEach(text) : []);

const findEach: Detector = (text) => [
  ...findAll(text, sessionCookie, (value) => (isCookieSecret(value) ? 'cookie' : undefined)),
  ...findAll(text, bearer, kindOfBearer),
  ...findAll(text, basic, kindOfBasic),
  ...findAll(text, authorization, kindOfAuthorization),
  ...findAll(text, encodedAuth, (value) => (isEncodedPair(value) ? 'docker-auth' : undefined)),
  ...findCookies(text),
];
