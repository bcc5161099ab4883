/** Finds tokens by their shape alone, regardless of the text around them. */

import { type Detector, findAll, matchAt, type SecretKind, type Span } from './span.js';
import { generatedLength, isDocumented, isRandom, looksFilledIn, looksGenerated } from './values.js';
import { vendorTokens } from './vendors.js';

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
let prepared: { readonly rules: ReadonlyMap<string, Rule>; readonly prefix: RegExp; readonly hint: RegExp } | undefined;
const prepare = () => {
  const rules = makeRules();
  const longestFirst = [...rules.keys()].toSorted((a, b) => b.length - a.length);
  const either = longestFirst.map((prefix) => prefix.replace(/[.$|]/g, '[$&]')).join('|');
  const prefix = `(?<![A-Za-z0-9])(?:${either})(?=[A-Za-z0-9_+/-])`;
  const hints = [prefix, 'xox|xapp-|[srp]k-|eyJ', ...markedTokens.map(({ part }) => part.source)];
  return { rules, prefix: new RegExp(prefix, 'g'), hint: new RegExp(hints.join('|')) };
};

const findVendorTokens: Detector = (text) => {
  prepared ??= prepare();
  const found: Span[] = [];
  /** Where the last match of a rule ended: it isn't tried again inside a match, which keeps this linear. */
  const doneUntil = new Map<Rule, number>();
  for (const { index: start, 0: prefix } of text.matchAll(prepared.prefix)) {
    const rule = prepared.rules.get(prefix);
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
const slackToken = /(?<![A-Za-z0-9])(?:xox[abceoprsd]-|xapp-|xoxe\.xox[bp]-)[\w-]{10,65535}/g;
const dashedKey = /(?<![A-Za-z0-9])[srp]k-[\w-]{16,65535}/g;
const dottedToken = /(?<![A-Za-z0-9])eyJ[\w-]*(?:\.[\w-]+){0,4}/g;

/** Tokens that are recognised by a part inside them, tried only where the text has it. */
type MarkedToken = { readonly part: RegExp; readonly kind: SecretKind; readonly pattern: RegExp };
const marked = (part: RegExp, kind: SecretKind, pattern: string): MarkedToken => ({
  part,
  kind,
  pattern: new RegExp(pattern, 'g'),
});
/** Azure keys name their service near the end. */
const azurePart = '(?:[+]ASt|ACDb|[+]ABa|[+]AMC|[+]AEh|[+]ASb|[+]ARm|AIoT|AzSe|AzFu|APIM|ACRD)';
const markedTokens: readonly MarkedToken[] = [
  marked(/\dQ~/, 'azure-key', String.raw`(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])`),
  marked(/\.atlasv1\./, 'api-key', String.raw`(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,100}`),
  marked(/JQQJ99/, 'azure-key', '(?<![A-Za-z0-9])[A-Za-z0-9]{40,60}JQQJ99[A-Za-z0-9]{20,40}'),
  marked(/-us\d/, 'api-key', String.raw`(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\w)`),
  marked(/_mmk/, 'api-key', '(?<![A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk'),
  // 88 characters of Base64 without such a part may be a digest.
  marked(
    new RegExp(azurePart),
    'azure-key',
    `(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{33,80}${azurePart}[A-Za-z0-9+/]{5,10}={1,2}`,
  ),
  marked(/\d:A/, 'telegram-token', String.raw`(?<![A-Za-z0-9]|\d[.:-])(?:bot)?\d{8,10}:A[\w-]{34}(?![\w-])`),
  marked(/:APA91b/, 'google-api-key', String.raw`(?<![\w-])AAAA[\w-]{7}:APA91b[\w-]{100,200}`),
  marked(/\d\|/, 'api-key', String.raw`(?<!\w)\d{15,16}\|[\w-]{27,40}(?!\w)`),
  /** A bot's id, the time of creation, and a signature. */
  marked(
    /\.[\w-]{6,7}\.[\w-]{27}/,
    'discord-token',
    String.raw`(?<![\w.-])[MNO][A-Za-z0-9]{22,27}\.[\w-]{6,7}\.[\w-]{27,44}(?![\w-]|\.\w)`,
  ),
  /** Mailgun's key has 32, 8 and 8 digits; a UUID has other lengths. */
  marked(
    /[0-9a-f]{8}-[0-9a-f]{8}-/,
    'api-key',
    String.raw`(?<![A-Za-z0-9_-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])`,
  ),
];

/** Every token has this many characters in a row; most words are shorter, and none of them is tried. */
const longRun = /(?<![\w.$+/=~|:%-])[\w.$+/=~|:%-]{15,1000000}/g;

export const findTokens: Detector = (text) => {
  prepared ??= prepare();
  const found: Span[] = [];
  for (const { index, 0: run } of text.matchAll(longRun))
    if (prepared.hint.test(run))
      for (const { kind, start, end } of findInRun(run)) found.push({ kind, start: start + index, end: end + index });
  return found;
};

const findInRun: Detector = (run) => [
  ...findVendorTokens(run),
  ...markedTokens.flatMap(({ part, kind, pattern }) =>
    part.test(run)
      ? findAll(run, pattern, (token) => (isRandom(token, 16) && !isDocumented(token) ? kind : undefined))
      : [],
  ),
  ...findAll(run, slackToken, (token) => (looksGenerated(token) ? 'slack-token' : undefined)),
  ...findAll(run, dashedKey, kindOfDashedKey),
  ...findAll(run, dottedToken, kindOfDottedToken),
];
