/** Finds secrets in headers: Authorization and cookies. */

import { isDocumented } from './examples/documented.js';
import { isRandom, isUlid, isUuid, looksGenerated, looksLikePassword } from './generated.js';
import { isReadable, isThrowAway } from './harmless.js';
import { type Detector, findFrom, type Place, type SecretKind, type Span, spanOf } from './span.js';

/** Decodes Base64 of `user:password`. Words of that length decode to bytes that are not text. */
const decodePair = (text: string): RegExpExecArray | undefined =>
  /^([\x20-\x39\x3b-\x7e]+):([\x20-\x7e]*)$/.exec(Buffer.from(text, 'base64').toString('latin1')) ?? undefined;

export const isEncodedPair = (text: string): boolean => {
  const pair = decodePair(text);
  return pair !== undefined && !isDocumented(text) && !isThrowAway(pair[2] ?? '', pair[1]);
};

const kindOfBasic = (secret: string): SecretKind | undefined =>
  isEncodedPair(secret) || (decodePair(secret) === undefined && looksGenerated(secret)) ? 'basic-auth' : undefined;
const kindOfBearer = (secret: string): SecretKind | undefined =>
  (looksGenerated(secret) || isRandom(secret, 20)) && !isDocumented(secret) ? 'bearer-token' : undefined;

const bearer = /(?<=\b)(?<keep>bearer(?:[ \t]{1,4}|%20))[A-Za-z0-9+/._~-]{16,4096}={0,2}/iy;
const basic = /(?<=\b)(?<keep>basic(?:[ \t]{1,4}|%20))[A-Za-z0-9+/_-]{12,4096}={0,2}/iy;

/** The value of Authorization with another scheme or none, in a header, a setting or a call. */
const authorization = new RegExp(
  String.raw`(?<keep>authorization\\?["'\x60]?[ \t]{0,4}(?:[:=,]|=>)?[ \t]{0,4}[frb]?\\?["'\x60]?` +
    String.raw`(?:[A-Za-z][\w-]{0,20}[ \t]{1,4})?(?:token=|id=)?\\?["']?)[A-Za-z0-9+/._~=-]{16,4096}`,
  'iy',
);
const kindOfAuthorization = (value: string): SecretKind | undefined =>
  isRandom(value, 16) && !isReadable(value) && decodePair(value) === undefined ? 'bearer-token' : undefined;

const cookieStart =
  /(?:cookies?["'`]?\]?[ \t]{0,4}(?:[:=]|=>|,)[ \t]{0,4}["'`{]{0,2}|\s-b[ \t]{0,4}["'](?<=\bcurl\b[^\n]{0,300}))/gi;
const cookiePair = /([\w.%$-]{1,80}["']?[ \t]{0,2}[=:][ \t]{0,2}["']?)([^\s;,"'`<>{}]{1,4096})/y;
const betweenPairs = /["']?[;,][ \t]{0,4}["']?/y;

const isCookieSecret = (value: string): boolean => {
  const plain = value.replace(/%[0-9A-F]{2}/gi, '.');
  return (
    (isRandom(plain, 16) || looksLikePassword(plain)) && plain.length >= 12 && !isReadable(value) && !isUlid(value)
  );
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
const sessionCookie = new RegExp(
  String.raw`(?<keep>(?:connect\.sid|sess(?:ion)?[_-]?(?:id|token|key)?|(?<=\b)sid|\.ASPXAUTH|remember[_-]?(?:me|token)|csrf[_-]?token|xsrf-token|auth)` +
    String.raw`\\?["']?[ \t]{0,2}(?:=|%3D|:|,)[ \t]{0,2}\\?["']?)[\w%.+/~-]{20,4096}={0,2}`,
  'iy',
);
const kindOfSession = (value: string): SecretKind | undefined =>
  isCookieSecret(value) && value.length >= 20 && !isUuid(value) && !isUlid(value) ? 'cookie' : undefined;

export const headerMarks = ['bearer', 'basic', 'authorization', 'cookie', 'curl'];
export const cookieMarks = 'connect.sid sess sid .aspxauth remember csrf xsrf-token auth'.split(' ');

export const findInHeaders: Detector = (text, seen) => {
  const found: Span[] = [...findFrom(text, seen.cookies, sessionCookie, kindOfSession)];
  if (seen.headers.length === 0) return found;
  const from = (mark: string): readonly Place[] => seen.headers.filter(({ word }) => word === mark);
  const lists = seen.headers.some(({ word }) => word === 'cookie' || word === 'curl');
  return [
    ...found,
    ...findFrom(text, from('bearer'), bearer, kindOfBearer),
    ...findFrom(text, from('basic'), basic, kindOfBasic),
    ...findFrom(text, from('authorization'), authorization, kindOfAuthorization),
    ...(lists ? findCookies(text) : []),
  ];
};
