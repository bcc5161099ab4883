/** Finds tokens by their shape alone, regardless of the text around them. */

import { isDocumented } from './examples/documented.js';
import { generatedLength, isRandom, looksGenerated } from './generated.js';
import { looksFilledIn } from './harmless.js';
import { lastNotAfter } from './remaining-text.js';
import {
  type Detector,
  type FoundWords,
  findAll,
  findAround,
  findFrom,
  matchAt,
  type Place,
  type SecretKind,
  type Span,
} from './span.js';
import { vendorTokens } from './vendors.js';

/** The `n` of an escaped line break and the digits of an escaped sign are not part of a word. */
const escaped = String.raw`\\[nrt]|%[0-9A-Fa-f]{2}|\\u00[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}`;
const escapedBefore = new RegExp(`(?:${escaped})$`);

type Rule = { readonly body: RegExp; readonly kind: SecretKind; readonly random: boolean };

/** Compiled on first use: most processes redact nothing. */
const makeRules = (): ReadonlyMap<string, Rule> => {
  const rules = new Map<string, Rule>();
  for (const { kind, prefixes, body, random } of vendorTokens) {
    const pattern = new RegExp(body, 'y');
    for (const prefix of prefixes) rules.set(prefix, { body: pattern, kind, random });
  }
  return rules;
};
let prepared: ReadonlyMap<string, Rule> | undefined;

const isAlnum = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
const startsWord = (text: string, at: number, { joints }: FoundWords): boolean =>
  at === 0 ||
  !isAlnum(text.charCodeAt(at - 1)) ||
  escapedBefore.test(text.slice(Math.max(0, at - 6), at)) ||
  joints[lastNotAfter(joints, at)] === at;

const findVendorTokens: Detector = (text, seen) => {
  const found: Span[] = [];
  /** Where the last match of a rule ended: it isn't tried again inside a match, which keeps this linear. */
  const doneUntil = new Map<Rule, number>();
  let done = -1;
  for (const { at: start, word: prefix } of seen.prefixes) {
    if (start === done || !startsWord(text, start, seen)) continue;
    prepared ??= makeRules();
    const rule = prepared.get(prefix);
    if (rule === undefined || (doneUntil.get(rule) ?? 0) > start) continue;
    const body = matchAt(rule.body, text, start + prefix.length)?.[0];
    if (body === undefined) continue;
    const end = start + prefix.length + body.length;
    doneUntil.set(rule, end);
    if (looksFilledIn(body) || isDocumented(prefix + body)) continue;
    if (
      rule.random &&
      (!isRandom(body, 12) || (prefix.length <= 4 && /[^\n][+]|[^/]\//.test(text.slice(Math.max(0, start - 2), start))))
    )
      continue;
    found.push({ kind: rule.kind, start, end });
    done = start;
  }
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

/** Parts are counted here: a pattern that required three would read from every `eyJ` to the end of the run. */
const kindOfDottedToken = (token: string): SecretKind | undefined => {
  const parts = token.split('.');
  return parts.length >= 3 && parts.every((part) => part.length >= 8) && !isDocumented(token) ? 'jwt' : undefined;
};

/** Bounded, but longer than any token: the engine stores a position per character of a counted run, up to 8 million. */
const slackToken = /(?:xox[abceoprsd]-|xapp-|xoxe\.xox[bp]-)[\w-]{10,65535}/y;
const dashedKey = /[srp]k-[\w-]{16,65535}/y;
const dottedToken = /eyJ[\w-]*(?:\.[\w-]+){0,4}/y;

/** Tokens that are recognised by one of these parts inside them. */
type MarkedToken = { readonly parts: readonly string[]; readonly kind: SecretKind; readonly pattern: RegExp };
const marked = (parts: readonly string[], kind: SecretKind, pattern: string): MarkedToken => ({
  parts,
  kind,
  pattern: new RegExp(pattern, 'g'),
});

/** Azure keys name their service near the end. */
const azureParts = '+ASt ACDb +ABa +AMC +AEh +ASb +ARm AIoT AzSe AzFu APIM ACRD'.split(' ');
const digits = [...'0123456789'];
const telegramParts = digits.map((digit) => `${digit}:A`);
const mailchimpParts = digits.map((digit) => `-us${digit}`);
const facebookParts = digits.map((digit) => `${digit}|`);
export const tokenParts = [
  ...['Q~', '.atlasv1.', 'JQQJ99', '_mmk', ':APA91b'],
  ...azureParts,
  ...telegramParts,
  ...mailchimpParts,
  ...facebookParts,
];

/** The start of a token: not preceded by a character of one, except those of an escape. */
const startOf = (characters: string): string => `(?:(?<![${characters}])|(?<=${escaped}))`;

/** The middle and the end of a Discord token: few texts have this, and it is quick to find. */
const discordEnd = /\.[\w-]{6,7}\.[\w-]{27}/;

const makeMarkedTokens = (): readonly MarkedToken[] => [
  marked(['Q~'], 'azure-key', String.raw`${startOf('\\w~.-')}[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])`),
  marked(['.atlasv1.'], 'api-key', String.raw`${startOf('A-Za-z0-9')}[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,100}`),
  marked(['JQQJ99'], 'azure-key', `${startOf('A-Za-z0-9')}[A-Za-z0-9]{40,60}JQQJ99[A-Za-z0-9]{20,40}`),
  marked(mailchimpParts, 'api-key', String.raw`${startOf('A-Za-z0-9')}[0-9a-f]{32}-us\d{1,2}(?!\w)`),
  marked(['_mmk'], 'api-key', `${startOf('A-Za-z0-9')}[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk`),
  // 88 characters of Base64 without such a part may be a digest.
  marked(
    azureParts,
    'azure-key',
    `${startOf('A-Za-z0-9+/')}[A-Za-z0-9+/]{33,80}(?:${azureParts.join('|').replaceAll('+', '[+]')})[A-Za-z0-9+/]{5,10}={1,2}`,
  ),
  marked(
    telegramParts,
    'telegram-token',
    String.raw`(?:(?<![A-Za-z0-9]|\d[.:-])|(?<=${escaped}))(?:bot)?\d{8,10}:A[\w-]{34}(?![\w-])`,
  ),
  marked([':APA91b'], 'google-api-key', String.raw`${startOf('\\w-')}AAAA[\w-]{7}:APA91b[\w-]{100,200}`),
  marked(facebookParts, 'api-key', String.raw`(?<!\w)\d{15,16}\|[\w-]{27,40}(?!\w)`),
];
let markedTokens: readonly MarkedToken[] | undefined;
/** A bot's id, the time of creation, and a signature. */
const discordToken = new RegExp(
  String.raw`${startOf('\\w.-')}[MNO][A-Za-z0-9]{22,27}\.[\w-]{6,7}\.[\w-]{27,44}(?![\w-]|\.\w)`,
  'g',
);

/** Mailgun's key has 32, 8 and 8 digits; a UUID has other lengths. Tried only where a run of digits begins. */
const mailgunKey = /(?<![A-Za-z0-9_-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/g;

const findMarkedTokens: Detector = (text, seen) => {
  const ifRandom = (kind: SecretKind) => (token: string) =>
    isRandom(token, 16) && !isDocumented(token) ? kind : undefined;
  const found = [
    ...(discordEnd.test(text) ? findAll(text, discordToken, ifRandom('discord-token')) : []),
    ...findAll(text, mailgunKey, ifRandom('api-key')),
  ];
  if (seen.parts.length === 0) return found;
  markedTokens ??= makeMarkedTokens();
  const beside = markedTokens.flatMap(({ parts, kind, pattern }) => {
    const places = seen.parts.filter(({ word }) => parts.includes(word));
    return places.length > 0 ? findAround(text, places, pattern, ifRandom(kind)) : [];
  });
  return [...found, ...beside];
};

export const tokenMarks = ['xox', 'xapp-', 'sk-', 'rk-', 'pk-', 'eyj'];

export const findTokens: Detector = (text, seen) => {
  const found = [...findVendorTokens(text, seen), ...findMarkedTokens(text, seen)];
  if (seen.tokens.length === 0) return found;
  const places = seen.tokens.filter(({ at }) => startsWord(text, at, seen));
  const from = (mark: RegExp): readonly Place[] => places.filter(({ word }) => mark.test(word));
  return [
    ...found,
    ...findFrom(text, from(/^x/), slackToken, (token) =>
      /\d/.test(token) && looksGenerated(token) ? 'slack-token' : undefined,
    ),
    ...findFrom(text, from(/k-$/), dashedKey, kindOfDashedKey),
    ...findFrom(text, from(/^ey/), dottedToken, kindOfDottedToken),
  ];
};
