/** Finds passwords in URLs, URLs that are secrets themselves, and signatures in queries. */

import { isDocumented } from './examples/documented.js';
import { placeholderWith } from './examples/placeholders.js';
import { isRandom, looksGenerated } from './generated.js';
import { isThrowAway } from './harmless.js';
import { type Detector, findAll, findFrom, matchAt, type Place, type Span, spanOf } from './span.js';

const reference = /^\$\w+$|^%\w+%$|[$]\{|^\{.*\}$|^<.*>$|^(?:\*|x|\.)+$/i;
const saysPlaceholder = placeholderWith('your|example|placeholder|changeme|redacted');
const isUrlPassword = (password: string, user: string): boolean =>
  !reference.test(password) && !saysPlaceholder(password) && !isThrowAway(password, user);

// A host may be an IPv6 address in brackets, but not a marker. A password has no brackets except those of an apparent
// marker, and can't hide behind one. `docker://image:tag@sha256:...` names no host.
const withPassword = new RegExp(
  String.raw`(?<=[A-Za-z0-9])(?<keep>:\\?\/\\?\/(?<user>[^\s:/@?#"'\x60<>[\]\\]{0,128}):)` +
    String.raw`(?:[^\s/?"'\x60<>[\]\\]|\[REDACTED:(?:[^\s\]@]{0,40}\])?){1,256}(?=@(?!sha\d{3}:)(?:[\w{$<%]|\[[0-9a-f:]))`,
  'y',
);
/** `https://<token>@host`: the token in place of the user. */
const tokenAsUser = /(?<keep>:\/\/)[\w-]{30,255}(?=(?::x-oauth-basic)?@[\w.-]+)/y;

/** Anyone who knows the end of such a URL can post to it. */
const hooks: readonly {
  readonly hint: string;
  readonly kind: 'slack-webhook' | 'webhook';
  readonly pattern: RegExp;
}[] = [
  {
    hint: 'hooks.slack',
    kind: 'slack-webhook',
    pattern: /(?<keep>hooks\.slack(?:-gov)?\.com\\?\/(?:services|workflows|triggers)\\?\/)[\w/\\-]{16,200}/g,
  },
  {
    hint: 'webhooks',
    kind: 'webhook',
    pattern: /(?<keep>discord(?:app)?\.com\\?\/api\\?\/(?:v\d{1,2}\\?\/)?webhooks\\?\/\d{1,24}\\?\/)[\w-]{30,120}/g,
  },
  {
    hint: 'office.com',
    kind: 'webhook',
    pattern: /(?<keep>webhook\.office\.com\/webhookb2\/)[\w@/-]{40,300}/g,
  },
  { hint: 'hooks.zapier', kind: 'webhook', pattern: /(?<keep>hooks\.zapier\.com\/hooks\/catch\/)[\w/]{8,60}/g },
  {
    hint: 'maker.ifttt',
    kind: 'webhook',
    pattern: /(?<keep>maker\.ifttt\.com\/trigger\/[\w-]{1,60}\/with\/key\/)[\w-]{20,80}/g,
  },
  { hint: 'hc-ping', kind: 'webhook', pattern: /(?<keep>hc-ping\.com\/)[0-9a-f-]{36}/g },
];

/** Names in the query of a URL, also where `&` is written `&amp;` or the query is escaped. */
const signatureNames =
  'sig signature x-amz-signature x-goog-signature x-amz-security-token hmac code key auth apikey access_key jwt ticket sid session';
export const queryMarks = signatureNames.split(' ').flatMap((name) => [`${name}=`, `${name}%3d`]);
const queryStart = /(?:[?&;\s"']|%26|%3F|\\u0026|amp;)$/i;
const queryValue = /[\w+/%=.~-]{20,2000}/y;

export const hookMarks = hooks.map(({ hint }) => hint);
const findHooks = (text: string, places: readonly Place[]): readonly Span[] =>
  hooks
    .filter(({ hint }) => places.some(({ word }) => word === hint))
    .flatMap(({ kind, pattern }) =>
      findAll(text, pattern, (path) => (looksGenerated(path) && !isDocumented(path) ? kind : undefined)),
    );

const findSignatures = (text: string, places: readonly Place[]): readonly Span[] => {
  const found: Span[] = [];
  let end = 0;
  for (const { at, word } of places) {
    if (at < end || !queryStart.test(text.slice(Math.max(0, at - 6), at))) continue;
    const start = at + word.length;
    const value = matchAt(queryValue, text, start)?.[0] ?? '';
    if (value === '') continue;
    end = start + value.length;
    // A random key may belong to anything; in the query of a URL it grants access.
    if (
      (/sig|hmac|token/.test(word) || /[A-Za-z0-9]{16}/.test(value)) &&
      isRandom(value.replace(/%[0-9A-F]{2}/gi, ''), 18) &&
      !isDocumented(value)
    )
      found.push(spanOf('signed-url', start, value));
  }
  return found;
};

export const schemeMarks = ['://', ':\\/\\/'];

export const findInUrls: Detector = (text, seen): readonly Span[] => [
  ...findFrom(text, seen.schemes, withPassword, (password, match) =>
    isUrlPassword(password, match.groups?.['user'] ?? '') ? 'url-credentials' : undefined,
  ),
  ...findFrom(text, seen.schemes, tokenAsUser, (token) => (isRandom(token, 30) ? 'url-credentials' : undefined)),
  ...(seen.hooks.length > 0 ? findHooks(text, seen.hooks) : []),
  ...findSignatures(text, seen.queries),
];
