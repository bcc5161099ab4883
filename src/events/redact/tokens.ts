/** Tokens known by their own shape, wherever they stand. */
import { generatedLength, isRandom, looksGenerated } from './generated.js';
import { isDocumented, looksFilledIn } from './harmless.js';
import { wordScanner } from './literals.js';
import { type Detector, findAll, matchAt, type SecretKind, type Span } from './span.js';
import { vendorTokens } from './vendors.js';

/** Not inside of a word; the `n` of an escaped line break and the digits of an escaped sign are no letters of one. */
const wordStart = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F]{2})|(?<=\\u00[0-9a-f]{2}))`;
/** Looks back from behind the prefix: the engine skips ahead to a literal, and tries a boundary at every character. */
const fromWordStart = (prefix: string): string => `(?:${prefix})(?<=${wordStart}(?:${prefix}))`;
const escapedBefore = /\\[nrt]$|%[0-9A-F]{2}$|\\u00[0-9a-f]{2}$/;

type Rule = { readonly body: RegExp; readonly kind: SecretKind; readonly random: boolean };

/** Made when first needed: most processes redact nothing. */
const prepare = () => {
  const rules = new Map<string, Rule>();
  for (const { kind, prefixes, body, random } of vendorTokens) {
    const pattern = new RegExp(body, 'y');
    for (const prefix of prefixes) rules.set(prefix, { body: pattern, kind, random });
  }
  return { rules, scan: wordScanner([...rules.keys()], false) };
};
let prepared: ReturnType<typeof prepare> | undefined;

const isAlnum = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
const startsWord = (text: string, at: number): boolean =>
  at === 0 || !isAlnum(text.charCodeAt(at - 1)) || escapedBefore.test(text.slice(Math.max(0, at - 6), at));

const findVendorTokens: Detector = (text) => {
  prepared ??= prepare();
  const { rules, scan } = prepared;
  const found: Span[] = [];
  /** Where the last run of a rule ended: inside of a run it isn't tried again, which keeps this linear. */
  const doneUntil = new Map<Rule, number>();
  scan(text, (start, prefix) => {
    const rule = rules.get(prefix);
    if (rule === undefined || !startsWord(text, start) || (doneUntil.get(rule) ?? 0) > start) return false;
    const body = matchAt(rule.body, text, start + prefix.length)?.[0];
    if (body === undefined) return false;
    const end = start + prefix.length + body.length;
    doneUntil.set(rule, end);
    if (looksFilledIn(body) || isDocumented(prefix + body)) return false;
    if (
      rule.random &&
      (!isRandom(body, 12) || (prefix.length <= 4 && /[+]|[^/]\//.test(text.slice(Math.max(0, start - 2), start))))
    )
      return false;
    found.push({ kind: rule.kind, start, end });
    return true;
  });
  return found;
};

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
  return parts.length >= 3 && parts.every((part) => part.length >= 8) && !isDocumented(token) ? 'jwt' : undefined;
};

const slackToken = String.raw`${fromWordStart(String.raw`xox[abceoprsd]-|xapp-|xoxe\.xox[bp]-`)}[\w-]{10,}`;
const dashedKey = new RegExp(String.raw`${fromWordStart('[srp]k-')}[\w-]{16,}`, 'g');
const dottedToken = new RegExp(String.raw`${fromWordStart('eyJ')}[\w-]*(?:\.[\w-]+){0,4}`, 'g');
const slack = new RegExp(slackToken, 'g');

/** Tokens whose mark stands inside of them. `hint` is a part of each one. */
type MarkedToken = { readonly hint: string; readonly kind: SecretKind; readonly pattern: RegExp };
const marked = (hint: string, kind: SecretKind, pattern: string): MarkedToken => ({
  hint,
  kind,
  pattern: new RegExp(pattern, 'g'),
});
const markedTokens: readonly MarkedToken[] = [
  marked('Q~', 'azure-key', String.raw`(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])`),
  marked('atlasv1.', 'api-key', String.raw`(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,100}`),
  marked('JQQJ99', 'azure-key', '(?<![A-Za-z0-9])[A-Za-z0-9]{40,60}JQQJ99[A-Za-z0-9]{20,40}'),
  marked('-us', 'api-key', String.raw`(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\w)`),
  marked('_mmk', 'api-key', '(?<![A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk'),
  // The keys of Azure say whose they are near their end; Base64 of 88 without a word before it may be a digest.
  marked(
    '=',
    'azure-key',
    '(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{33,80}(?:[+]ASt|ACDb|[+]ABa|[+]AMC|[+]AEh|[+]ASb|[+]ARm|AIoT|AzSe|AzFu|APIM|ACRD)' +
      '[A-Za-z0-9+/]{5,10}={1,2}',
  ),
  // A bot's id, when it was made, and a signature.
  marked('.', 'discord-token', String.raw`(?<![\w.-])[MNO][A-Za-z0-9]{22,27}\.[\w-]{6,7}\.[\w-]{27,44}(?![\w-]|\.\w)`),
  marked(':', 'telegram-token', String.raw`(?<![A-Za-z0-9]|\d[.:-])(?:bot)?\d{8,10}:A[\w-]{34}(?![\w-])`),
  marked('|', 'api-key', String.raw`(?<!\w)\d{15,16}\|[\w-]{27,40}(?!\w)`),
];

const findMarkedTokens: Detector = (text) =>
  markedTokens.flatMap(({ hint, kind, pattern }) =>
    text.includes(hint)
      ? findAll(text, pattern, (token) => (isRandom(token, 16) && !isDocumented(token) ? kind : undefined))
      : [],
  );

export const findTokens: Detector = (text) => [
  ...findVendorTokens(text),
  ...findMarkedTokens(text),
  ...(text.includes('xo') || text.includes('xapp-')
    ? findAll(text, slack, (token) => (/\d/.test(token) && looksGenerated(token) ? 'slack-token' : undefined))
    : []),
  ...(text.includes('k-') ? findAll(text, dashedKey, kindOfDashedKey) : []),
  ...(text.includes('eyJ') ? findAll(text, dottedToken, kindOfDottedToken) : []),
];
