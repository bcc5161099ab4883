/** Finds passwords in URLs, URLs that are secrets themselves, and signatures in queries. */

import { type Detector, findAll, type Span, spanOf } from './span.js';
import { isDocumented, isPlaceholder, isRandom, isThrowAway, looksGenerated } from './values.js';

/** `scheme://user:` and the rest of the word, in which a password may have any sign. */
const userInUrl = /(?<=[A-Za-z0-9]):\\?\/\\?\/(?<user>[^\s:/@?#"'`<>[\]\\]{0,128}):(?<rest>[^\s"'`<>\\]{2,600})/g;
/** The end of a password: `@` and a host. `docker://image:tag@sha256:...` names none. */
const beforeHost = /@(?!sha\d{3}:)(?=[\w{$<%]|\[[0-9a-f:])/g;

/** Up to the last `@` before a query: people forget to escape `/`, `?` and `@`. A path after a port may have one. */
const passwordIn = (rest: string): string | undefined => {
  const ends = [...rest.matchAll(beforeHost)].map(({ index }) => index);
  const [first] = ends;
  if (first === undefined || /^\d{1,5}[/?#]/.test(rest)) return undefined;
  const query = rest.indexOf('?', first);
  const end = ends.findLast((at) => query === -1 || at < query) ?? first;
  return rest.slice(0, end);
};

const findPasswords: Detector = (text) => {
  const found: Span[] = [];
  for (const { index, 0: whole, groups } of text.matchAll(userInUrl)) {
    const { user = '', rest = '' } = groups ?? {};
    const password = passwordIn(rest);
    if (password === undefined || password === '' || isPlaceholder(password) || isThrowAway(password, user)) continue;
    found.push(spanOf('url-credentials', index + whole.length - rest.length, password));
  }
  return found;
};
/** `https://<token>@host`: the token in place of the user. */
const tokenAsUser = /(?<keep>:\/\/)[\w-]{30,255}(?=(?::x-oauth-basic)?@[\w.-]+)/g;

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
const query = new RegExp(
  String.raw`(?<keep>(?:[?&;\s"']|amp;)(?<name>${signatureNames.replaceAll(' ', '|')})=)(?<value>[\w+/%=.~-]{20,2000})`,
  'gi',
);
/** A random key may belong to anything; in the query of a URL it grants access. */
const isSignature = (name: string, value: string): boolean =>
  (/sig|hmac|token/i.test(name) || /[A-Za-z0-9]{16}/.test(value)) &&
  isRandom(value.replace(/%[0-9A-F]{2}/gi, ''), 18) &&
  !isDocumented(value);

export const findInUrls: Detector = (text) => [
  ...(text.includes('//') || text.includes('\\/')
    ? [
        ...findPasswords(text),
        ...findAll(text, tokenAsUser, (token) => (isRandom(token, 30) ? 'url-credentials' : undefined)),
      ]
    : []),
  ...hooks.flatMap(({ hint, kind, pattern }) =>
    text.includes(hint)
      ? findAll(text, pattern, (path) => (looksGenerated(path) && !isDocumented(path) ? kind : undefined))
      : [],
  ),
  ...findAll(text, query, (value, { groups }) =>
    isSignature(groups?.['name'] ?? '', value) ? 'signed-url' : undefined,
  ),
];
