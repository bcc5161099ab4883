/** Finds passwords and tokens in sentences: "the password of the database is ...", "log in as ... with ...". */
import { generatedLength, hasLettersAndDigits, isRandom, isUlid, isUuid, looksLikePassword } from './generated.js';
import { isReadableButDotted, isThrowAway } from './harmless.js';
import { type FoundName, isHarmlessName, type NameClass } from './names.js';
import { digitReader, maxBefore, mayBeSecret } from './prose-signs.js';
import { type Detector, findFrom, matchAt, type Span, spanOf } from './span.js';

/** git's prompt: `Password for 'https://ana@git.test': ...`. */
const quotedAddress = String.raw`[ \t]{1,2}for[ \t]{1,2}(?<mark>['"])https?:\/\/[^\s'"]{1,200}\k<mark>`;
const clause = String.raw`(?:[ \t]{1,2}\([^()\n]{1,40}\))?(?:${quotedAddress})?(?:[ \t]{1,2}(?:for|of|on|to|in|at|from|für|vom|von|zum|zur|des|der|de|du|del|della|do|da|para|pour|im|en|value|header|variable|cookie)(?![a-z])[^\n=:;"'\x60]{0,60}?)?`;
const verb = String.raw`(?:[;,.]?[ \t]{1,2}(?:it'?s|it is|c'est|es ist)(?:[ \t]{1,2}now)?[ \t]{1,2}|[ \t]{1,2}(?:root|admin|user|prod|staging)[ \t]?:[ \t]{1,2}|[ \t]{1,2}(?:is:?|was:?|are|be|ist|lautet|est|es|é|è|war|sera|becomes?|being|reads|equals|set to|changed (?:to|from)|to|auf|as|from|will be|should be|:|=|→|->|=>|–|—)(?:[ \t]{1,2}(?:now|currently|still|always|just|set to|changed to|jetzt|nun|désormais|maintenant|ahora|agora))?[ \t]{1,2}|[ \t]{0,2}(?:[:=→|]|->|=>)[ \t]{0,4})`;
/** The way to a value: the secret's purpose and a verb or a sign (`toValue`), or no more than a mark (`beside`). */
const toValue = new RegExp(String.raw`["'\x60*_]{0,4}${clause}${verb}`, 'y');
const mark = String.raw`(?:[ \t]{0,2}["'\x60*_]{1,4}|[ \t]{1,2}\()`;
const beside = new RegExp(String.raw`["'\x60*_]{0,4}(?:${mark}|[ \t]{1,2})`, 'y');
const value = /(?<open>["'`*_“‘«(]{0,3}(?<=«)[ \t]{1,2}|["'`*_“‘«(]{0,3})(?<value>[^\s"'`“”‘’«»<>\\]{6,4096})/y;

/** Drops a following table cell and the marks that end the sentence. */
const trimEnd = (text: string): string => {
  const bar = text.indexOf('|');
  let end = bar === -1 ? text.length : bar;
  while (end > 0 && endsSentence(text, end - 1)) end -= 1;
  return text.slice(0, end);
};

const endMarks = '.,;:)]}…*';
/** In `Summer24?` the question mark may be part of the password. */
const mayEndInQuestion = /[A-Z][a-z]{2,12}\d{2,4}$/;
const endsSentence = (text: string, at: number): boolean =>
  endMarks.includes(text.charAt(at)) ||
  (text.charAt(at) === '?' && !mayEndInQuestion.test(text.slice(Math.max(0, at - 17), at)));

const isProseSecret = (text: string, kind: NameClass, marked: boolean, isKey = false): boolean => {
  if (!mayBeSecret.test(text)) return false;
  if (isReadableButDotted(text) || isThrowAway(text) || /^(?:[-$%@[{(]|\/(?![\w/+=]{39}))|[(){}[\]]|:\/\//.test(text))
    return false;
  if (kind === 'password')
    return (
      looksLikePassword(text) ||
      (marked &&
        text.length >= 7 &&
        hasLettersAndDigits(text) &&
        !/^[a-z]+[-_.]?\d{1,4}$/i.test(text) &&
        !/\//.test(text))
    );
  const least = kind === 'weak' || kind === 'key' ? 24 : 16;
  return (
    isRandom(text, least) &&
    // A name with a generated suffix, such as a pod's, is not a token.
    (/^[0-9a-f-]+$/i.test(text) || generatedLength(text) * 2 >= text.length) &&
    !isUlid(text) &&
    !(isUuid(text) && kind !== 'token') &&
    (isKey || !/^0x[0-9a-f]{64}$/i.test(text))
  );
};
/** A space, a quote, a bracket or an arrow; `=` and `:` without a space are settings. */
const leadsOn = /[ \t"'`(*_:→=|;,]/;

/** In `$PGPASSWORD` and in `password_file` the name is part of a longer one, not a word of a sentence. */
const isInLongerName = (text: string, { start, tail }: FoundName): boolean =>
  /^_+[A-Za-z0-9]/.test(text.slice(tail, tail + 4)) || /[$%]\{?\w*$/.test(text.slice(Math.max(0, start - 40), start));

const genitive = /^'?s(?![A-Za-z])/;
/** Finds the value that a sentence assigns to the name. */
export const findValueInSentence = (text: string, found: FoundName): Span | undefined => {
  if (isInLongerName(text, found)) return undefined;
  const end = found.tail + (genitive.exec(text.slice(found.tail, found.tail + 3))?.[0].length ?? 0);
  const next = text.charAt(end);
  if (!leadsOn.test(next) || ((next === '=' || next === ':') && !/\s/.test(text.charAt(end + 1)))) return undefined;
  const span = valueAfter(text, end, text.startsWith('ey', found.start + 1) ? 'key' : found.kind, found.kind);
  return span === undefined ||
    isOther(text.slice(end, span.start)) ||
    isHarmlessName(text, found, text.slice(span.start, span.end))
    ? undefined
    : span;
};

/** True if the value belongs to something else named in between, such as a commit, a request or a file. */
const isOther = (between: string): boolean =>
  /\b(?:commit|sha\d*|hash|md5|rev(?:ision)?|digest|checksum|fingerprint|address|contract|request|trace|image|id|uuid|version|blob|tree|file|build)\b/i.test(
    between,
  );

/** Matches `dbname=shop2`, which follows a password without being part of it. */
const setting = /^[A-Za-z][A-Za-z_]*=./;
const notOnTheWay = /[A-Zgjkmnquxyz0-9]/;
const valueAfter = (text: string, end: number, root: 'key' | NameClass, kind: NameClass): Span | undefined => {
  const word = text.charAt(end) === ' ' ? text.charAt(end + 1) : '';
  for (const pattern of [toValue, beside]) {
    // Most names are followed by a word that can't lead to a value.
    if (pattern === toValue && notOnTheWay.test(word)) continue;
    const way = matchAt(pattern, text, end);
    if (way === undefined) continue;
    const found = matchAt(value, text, end + way[0].length);
    if (found === undefined) continue;
    const whole = found.groups?.['value'] ?? '';
    if (!mayBeSecret.test(whole) || (pattern === beside && setting.test(whole))) continue;
    const plain = trimEnd(whole);
    const open = found.groups?.['open'] ?? '';
    const marked = /["'`]$/.test(way[0]) || open !== '';
    if (isProseSecret(plain, kind, marked, root === 'key' && kind === 'token'))
      return spanOf('secret-value', end + way[0].length + open.length, plain);
  }
  return undefined;
};

/** The text before a name in "`Xk42...` is the password" and "use ... as the token". */
const beforeName = new RegExp(
  String.raw`(?:^|[\s"'\x60(*])(?<value>[^\s"'\x60]{6,200})["'\x60*)]{0,3}[ \t]{1,2}(?:is|was|as|for)[ \t]{1,2}` +
    String.raw`(?:(?:the|my|our|his|her|their|your|its|a|an|new|old)[ \t]{1,2}){0,2}(?:[\w-]{1,30}[ \t]{1,2}){0,3}?` +
    String.raw`(?:[\w-]{0,20}[ _-])?$`,
  'i',
);
/** Finds the value that a sentence puts before the name. */
export const findValueBefore = (text: string, { kind, start, tail }: FoundName): Span | undefined => {
  if (kind === 'weak' || kind === 'key' || text.charCodeAt(start - 1) > 127) return undefined;
  const around = text.slice(Math.max(0, start - maxBefore), start);
  const before = around.slice(around.lastIndexOf('\n') + 1);
  const from = start - before.length;
  if (/^[\w-]*[=:]/.test(text.slice(tail, tail + 30))) return undefined;
  const match = beforeName.exec(before);
  const found = match?.groups?.['value'];
  if (match === null || found === undefined || !isProseSecret(found, kind, false)) return undefined;
  return spanOf('secret-value', from + match.index + match[0].indexOf(found), found);
};

/** User and password side by side: `log in with anna / Xk42...`, `credentials: anna:Xk42...`. */
export const loginMarks = 'auth wifi wi-fi log-in login sign cred account user'
  .split(' ')
  .concat('log in', 'logged', 'logging');
const login = new RegExp(
  String.raw`(?<=\b)(?<keep>(?:auth|wi-?fi|log(?:ged|ging)?[ -]?in|login|logins|sign(?:ed)?[ -]?in|creds?|credentials?|account|user(?:name)?)\b[^\n/,|]{0,40}?[ \t:]["'\x60]?(?<user>[\w.@+-]{2,60})["'\x60]?` +
    String.raw`(?:[ \t]{0,2}[/|:,][ \t]{0,2}|[ \t]{1,2}(?:and|with|pass|pw)[ \t]{1,2})["'\x60]?)(?<value>[^\s"'\x60]{6,100})`,
  'iy',
);

export const findInProse: Detector = (text, seen) => {
  // A password has a digit; most lines that mention a user have none.
  const hasDigitBehind = digitReader(text, 239, /[\d\n]/g);
  const places = seen.logins.filter(({ at }) => !isLetter(text.charCodeAt(at - 1)) && hasDigitBehind(at));
  return findFrom(text, places, login, (found, match) => {
    const plain = trimEnd(found);
    return looksLikePassword(plain) &&
      (/[A-Z!#$*]/.test(plain) || match[0].slice(0, -found.length).includes('/')) &&
      !isReadableButDotted(plain) &&
      !isThrowAway(plain, match.groups?.['user']) &&
      !/^[-/$%@[{(]|[(){}[\]]|:\/\/|@[\w-]+\./.test(plain)
      ? 'secret-value'
      : undefined;
  });
};
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
