/** Passwords in addresses, addresses that are secrets themselves, and signatures in queries. */
import { isRandom, looksGenerated } from './generated.js';
import { isDocumented, isThrowAway } from './harmless.js';
import { type Detector, findAll, type Span } from './span.js';

const passwordPlaceholder =
  /^\$\w+$|^%\w+%$|[$]\{|^\{.*\}$|your|example|placeholder|change[-_]?me|redacted|^<.*>$|^(?:\*|x|\.)+$/i;
const isUrlPassword = (password: string, user: string): boolean =>
  !passwordPlaceholder.test(password) && !isThrowAway(password, user);

const hasUser = /:\\?\/\\?\/[^\s/@]{0,400}@/;
// A host may be an IPv6 address in brackets, but no marker. `docker://image:tag@sha256:...` names no host.
const withPassword = new RegExp(
  String.raw`(?<keep>[A-Za-z0-9]:\\?\/\\?\/(?<user>[^\s:/@?#"'\x60<>[\]\\]{0,128}):)` +
    String.raw`[^\s/?"'\x60<>[\]\\]{1,256}(?=@(?!sha\d{3}:)(?:[\w{$<%]|\[[0-9a-f:]))`,
  'g',
);
/** `https://<token>@host`: the token in the place of the user. */
const tokenAsUser = /(?<keep>:\/\/)[\w-]{30,255}(?=(?::x-oauth-basic)?@[\w.-]+)/g;

/** Whoever knows the end of such an address can post to it. */
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

/** The signature of a signed link, also where `&` is written `&amp;` or the whole is quoted. */
const signature = new RegExp(
  String.raw`(?<keep>(?:[?&;\s"']|%26|%3F|\\u0026|amp;)(?:sig|signature|X-Amz-Signature|X-Goog-Signature|X-Amz-Security-Token|` +
    String.raw`hmac|code|key|auth|apikey|access_key|jwt|ticket|sid|session)(?:=|%3D))[\w+/%=.~-]{20,2000}`,
  'gi',
);

const findHooks: Detector = (text) =>
  hooks.flatMap(({ hint, kind, pattern }) =>
    text.includes(hint)
      ? findAll(text, pattern, (path) => (looksGenerated(path) && !isDocumented(path) ? kind : undefined))
      : [],
  );

const findSignatures: Detector = (text) =>
  findAll(text, signature, (value, match) => {
    // A key that is no word may be one of anything; in the query of an address it opens something.
    const sure = /(?:sig|signature|hmac|token)(?:=|%3D)$/i.test(match.groups?.['keep'] ?? '');
    return (sure || /[A-Za-z0-9]{16}/.test(value)) &&
      isRandom(value.replace(/%[0-9A-F]{2}/gi, ''), 18) &&
      !isDocumented(value)
      ? 'signed-url'
      : undefined;
  });

export const findInUrls: Detector = (text): readonly Span[] => [
  ...(hasUser.test(text)
    ? [
        ...findAll(text, withPassword, (password, match) =>
          isUrlPassword(password, match.groups?.['user'] ?? '') ? 'url-credentials' : undefined,
        ),
        ...findAll(text, tokenAsUser, (token) => (isRandom(token, 30) ? 'url-credentials' : undefined)),
      ]
    : []),
  ...findHooks(text),
  ...(/sig|key|hmac|code|auth|jwt|ticket|sid|session|security-token/i.test(text) ? findSignatures(text) : []),
];
