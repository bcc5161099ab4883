/** Finds the value beside a sensitive name in settings, code, headers, queries and markup. */
import {
  generatedLength,
  hasLettersAndDigits,
  isRandom,
  isUlid,
  isUuid,
  looksGenerated,
  looksLikePassword,
  withoutTechnicalNames,
} from './generated.js';
import { isPublishable, isReadable, isReadableButDotted, isThrowAway } from './harmless.js';
import { type FoundName, isHarmlessName, type NameClass } from './names.js';
import { endOfMatch, matchAt, type Span, spanOf } from './span.js';

/** The value in an attribute or an element after the name, or as the second of two arguments. */
const valueSign = String.raw`\\?["']?[,{}]?\s{0,40}(?:(?:type|description|sensitive|nullable)[ \t]{0,20}=[^\n]{0,80}\n\s{0,20}){0,3}(?:-\s{0,4})?\\?["']?(?:value|default|content)\\?["']?[ \t]{0,4}[:=][ \t]{0,4}`;
/** `{ get; set; } = "..."` of C#. */
const accessors = String.raw`\{[ \t]{0,4}get;[^{}\n]{0,40}\}[ \t]{0,4}=[ \t]{0,2}`;
const nextArgument = String.raw`(?<=["'\x60][ \t]{0,8}),[ \t]{0,8}(?=["'\x60])`;
/** `env.TOKEN || '...'` of JavaScript. */
const fallback = String.raw`(?:\|\||\?\?)[ \t]{0,2}(?=["'\x60])`;
/** The cell after the name, if the name begins its line. */
const nextCell = String.raw`(?<=^["']?\w{1,60}["']?),(?=[^\s,]{6,4096}(?:,|\s|$))`;
const yamlBlock = String.raw`:[ \t]{1,8}[>|][+-]?[ \t]{0,4}\n[ \t]{1,16}`;
/** A value on the next line, in quotes or alone. */
const brokenLine = String.raw`[:=][ \t*]{0,4}\r?\n[ \t]{0,40}(?=["'\x60]|[^\s:=]{8,200}[ \t]{0,4}(?:\r?\n|$))|\\?["']?>\s{0,8}<value>`;
/** HTML tags between name and value: a cell for each, or bold around either. */
const openTags = String.raw`(?:<(?:b|i|u|em|strong|code|kbd|tt|pre|span|samp|var|mark|p)(?:\s[^<>\n]{0,80})?>\s{0,20})`;
const closeTags = String.raw`(?:<\/\w{1,10}>)`;
const htmlCell = String.raw`:?${closeTags}{0,2}\s{0,20}<\/(?:t[dh]|dt)>\s{0,40}<(?:td|dd)(?:\s[^<>\n]{0,80})?>\s{0,20}${openTags}{0,2}`;
const htmlColon = String.raw`(?::${closeTags}{1,2}|${closeTags}{1,2}:)[ \t]{0,8}${openTags}{0,2}|:[ \t]{0,8}${openTags}{1,2}`;
/** The verb of a sentence in Chinese or Japanese, which has no blanks, before a value in ASCII. */
const spacelessIs = String.raw`(?:是|为|為|は):?(?=[ \t「『“]{0,3}[!-~])`;
/** Markdown bold, a YAML tag, or an opening quote of French, Chinese or Japanese. */
const beforeValue = String.raw`(?:[*_]{0,2}[ \t]{0,8}(?:!!\w{1,8} |«[ \t]{0,2}|[「『“])?)`;
const sign = new RegExp(
  String.raw`(?:${yamlBlock}|${brokenLine}|${fallback}|${nextCell}|${htmlCell}|${htmlColon}|=>|:=|[?|+]{1,2}=|=(?![=>~])|:-|${accessors}|[?!]?:(?!:)|%3D|>|→|->|${valueSign}|${nextArgument}|\||${spacelessIs})${beforeValue}`,
  'yim',
);
/** With a type between name and value: `password: str = "..."`. The type may be the secret, with a setting after it. */
const typedSign = new RegExp(
  String.raw`[?!]?:[ \t]{0,2}[\w.<>|?&' ]{1,40}=[ \t]{0,2}(?=[rbuRBU]?["'\x60])${beforeValue}`,
  'y',
);
/** A line of an env file or of a shell, in which `=` is followed by a value and never by code. */
const envLine = new RegExp(
  String.raw`^(?<keep>[+]?[ \t]{0,16}(?:(?:export|set|setx|setenv|declare -x|ENV|ARG|-|\$|>)[ \t]{1,4})?(?:[A-Z0-9_]{1,48}_)?` +
    '(?<name>PASSWORD|PASSWD|PASSPHRASE|(?<=_)PASS|PWD|SECRET|TOKEN|CREDENTIALS?|(?:API|ACCESS|PRIVATE)_?KEY)' +
    String.raw`(?:_(?:ACCESS|KEY|VALUE|PROD|DEV|STAGING|LIVE|\d{1,3})){0,3}=)` +
    String.raw`(?<value>[^\s"'\x60\\]{6,4096})(?=[ \t\r]*(?:#.{0,200})?$)`,
);

const mayBeQuote = /[rbfuRBFUL@$"'`]/;
/** Bounded, because the engine stores a position to backtrack to for each character of such a loop. */
const quotedValue = /[rbfuRBFUL@$]{0,2}(?<quote>["'`])(?<value>(?:(?!\k<quote>)[^\\\n]|\\.){1,4096})\k<quote>/y;
const escapedValue = /\\{1,3}(?<quote>["'])(?<value>[^"'\\\n]{1,4096})\\{1,3}\k<quote>/y;
/** Also doubled or tripled; one that is never closed means that the text was cut. */
const openQuote = /(?:[rbfuRBFUL@$]{0,2}|\\{1,3})(?<quote>["'`])(?:\\{0,3}\k<quote>){0,2}/y;
/** Marks that tools leave where they cut their output. */
const cutMark = String.raw`(?:\.{3}|…|[[(<](?:output |\d{1,9} )?(?:\.{3}|…|truncated|cut|snip))`;
const cutValue = new RegExp(
  String.raw`(?:(?!${cutMark})[^\s"'\x60\\]){6,4096}(?=["'\x60]|\\{1,3}["'nrt]|${cutMark}|[ \t]{0,40}(?:\r?\n|$))`,
  'y',
);
const whereCut = new RegExp(cutMark, 'y');
/** Characters with which a sentence in Chinese or Japanese continues without a blank. */
const spacelessEnd = String.raw`\u3001-\u9fff\uff01-\uff60”`;
const bareSign = String.raw`[^\s"'\x60,;&|<>(){}[\]\\:=${spacelessEnd}]`;
/** At most one colon, so that a run of pairs is not read repeatedly. */
const bareValue = new RegExp(`${bareSign}+(?::${bareSign}+)?={0,2}`, 'y');
/** A session token may have several hundred characters. */
const flagWord = /[^\s"'`|<>\\&]{6,4096}/y;
/** A password that a person chose has signs that code has too; a blank or a quote ends it. Its start identifies it. */
const bareSecret = new RegExp(String.raw`(?:[^\s"'\x60|<>\\=&${spacelessEnd}]|&(?![\w.%-]{0,40}=|amp;)){6,100}`, 'y');
const maxBareUnits = 100;
/** The rest of a password that `bareSecret` cuts off. */
const restOfSecret = new RegExp(
  String.raw`(?:[^\s"'\x60|<>\\=&,;)}\]${spacelessEnd}]|&(?![\w.%-]{0,40}=|amp;)){1,4096}`,
  'y',
);
const endOfSentence = /(?<![.*?])[.*?]+$/;

/** Tells whether the word that begins at `start` has a digit. */
type HasDigit = (start: number) => boolean;

/** Returns the values that a sign, a table or a flag puts beside the name; undefined if none of these follows it. */
export const findNamedValues = (text: string, found: FoundName, hasDigit: HasDigit): readonly Span[] | undefined => {
  const { kind, end } = found;
  const first = text.charAt(end);
  const plain = mayBeSign.test(first) ? endOfMatch(sign, text, end) : -1;
  const typed = mayBeTyped.test(first) ? endOfMatch(typedSign, text, end) : -1;
  if (plain === -1 && typed === -1) return findFlagValue(text, found);
  const isSecret = (span: Span | undefined): span is Span =>
    span !== undefined && !isHarmlessName(text, found, text.slice(span.start, span.end));
  return [plain, typed]
    .filter((at) => at !== -1)
    .map((at) => findValue(text, at, kind, text.slice(end, at), hasDigit))
    .filter(isSecret);
};

/** A quick test, since most names are in prose; `value` and `default` may follow a comma or a line break. */
const mayBeSign = /[=:?<>%→|+,{}是为為は-]|["'\sdcv]/;
const mayBeTyped = /[:?!]/;

const settingBefore = /\b(?:ENV|ARG|setenv|setx|set -g?x|set -xg)[ \t]{1,4}$|\bconfig set [\w.:/-]{0,60}$/;

/** `--token value`, `ENV TOKEN value`, `setenv TOKEN value`, `config set x:_authToken value`. */
const isFlag = (text: string, start: number): boolean => {
  let first = start;
  while (first > 0 && start - first < 60 && isNameChar(text.charCodeAt(first - 1))) first--;
  const before = text.charAt(first - 1);
  if (text.charAt(first) === '-') return before === '' || /[\s"']/.test(before);
  if (before === ':' && text.charAt(first) === '_') return true;
  return (before === ' ' || before === '\t') && settingBefore.test(text.slice(Math.max(0, first - 24), first));
};
const isNameChar = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 45;

const findFlagValue = (text: string, { kind, start, tail, end }: FoundName): readonly Span[] | undefined => {
  if (end === tail || !/[ \t]/.test(text.charAt(tail)) || !isFlag(text, start)) return undefined;
  const quoted = matchAt(quotedValue, text, end);
  const value = quoted?.groups?.['value'] ?? matchAt(flagWord, text, end)?.[0].replace(/(?<![,;)])[,;)]+$/, '') ?? '';
  const isSecret =
    kind === 'password'
      ? value.length >= 6 && hasLettersAndDigits(value) && !isThrowAway(value)
      : isRandom(value, kind === 'weak' ? 20 : 8) && !isUlid(value);
  return isSecret && !value.startsWith('-') && !isReadable(value)
    ? [spanOf('secret-value', end + (quoted === undefined ? 0 : quoted[0].lastIndexOf(value)), value)]
    : undefined;
};

const findValue = (text: string, at: number, name: NameClass, key: string, hasDigit: HasDigit): Span | undefined => {
  const first = text.charAt(at);
  const mayBeQuoted = first === '\\' || mayBeQuote.test(first);
  if (mayBeQuoted) {
    const quoted = matchAt(first === '\\' ? escapedValue : quotedValue, text, at);
    const value = quoted?.groups?.['value'] ?? '';
    if (quoted !== undefined && isQuotedSecret(value, name))
      return spanOf('secret-value', at + quoted[0].indexOf(value, quoted[0].search(/["'`]/)), value);
    if (quoted !== undefined && !/\s/.test(value)) return undefined;
    const opened = endOfMatch(openQuote, text, at);
    const cut = opened !== -1 && quoted === undefined ? findCutValue(text, opened, name) : undefined;
    if (opened !== -1) return cut ?? findBareValue(text, opened, name, '', hasDigit);
  }
  return findBareValue(text, at, name, key, hasDigit);
};

/** Reads up to the end of the line, the cut of the text, or another quote: text after an open quote is not code. */
const findCutValue = (text: string, at: number, name: NameClass): Span | undefined => {
  const value = matchAt(cutValue, text, at)?.[0] ?? '';
  return isQuotedSecret(value, name) ? spanOf('secret-value', at, value) : undefined;
};

const findBareValue = (
  text: string,
  at: number,
  name: NameClass,
  key: string,
  hasDigit: HasDigit,
): Span | undefined => {
  const run = text.slice(at, Math.max(at, endOfMatch(bareValue, text, at)));
  if (run.length < (name === 'password' ? 3 : 8)) return undefined;
  // Without a digit only a long value may be a secret, and most words after a name have none.
  if (run.length < 20 && !hasDigit(at)) return undefined;
  const value = run.replace(endOfSentence, '');
  const after = text.slice(at + value.length, at + value.length + 8);
  const isCode = /=[ \t]+$/.test(key) || /^[ \t]*[,;)]/.test(after);
  if (name === 'password') {
    const whole =
      matchAt(bareSecret, text, at)?.[0].replace(
        /(?:[,;)}\]].*|(?<![.:])[.:]+|(?<![A-Z][a-z]{2,12}\d{2,4}|\?)\?+)$/,
        '',
      ) ?? '';
    if (isBarePassword(whole, isCode)) {
      const rest = whole.length < maxBareUnits ? undefined : matchAt(restOfSecret, text, at + whole.length)?.[0];
      return spanOf('secret-value', at, whole + (rest ?? '').replace(/(?<![.:?])[.:?]+$/, ''));
    }
  }
  const isCall = /^[([{<]/.test(after.replace(/^<(?:\/|br)/, '')) && !isCut(text, at + value.length);
  return !isCall && isBareSecret(value, name, isCode) ? spanOf('secret-value', at, value) : undefined;
};

const isCut = (text: string, at: number): boolean => endOfMatch(whereCut, text, at) !== -1;

/** A password with signs that code would not have in this form. */
const isBarePassword = (value: string, isCode: boolean): boolean =>
  value.length >= 7 &&
  !/^(?:[-%@!~.?/([{]|\$[A-Za-z_])/.test(value) &&
  !/[([{]/.test(value) &&
  looksLikePassword(value) &&
  (/[A-Z]/.test(value) || /[!#$%*+~^@?&]/.test(value)) &&
  !(isCode && /^[\w.]+$/.test(value)) &&
  !isThrowAway(value) &&
  !isReadableButDotted(value);

/** Searches the lines that have a name followed by `=`. */
export const findEnvLines = (text: string, names: readonly FoundName[]): readonly Span[] => {
  const found: Span[] = [];
  let done = -1;
  for (const { start, tail } of names) {
    if (start < done || text.charAt(tail) !== '=') continue;
    const before = text.slice(Math.max(0, start - 120), start);
    const first = start - before.length + before.lastIndexOf('\n') + 1;
    // A name so far from the start of its line isn't the one that the line sets.
    if (first > 0 && text.charAt(first - 1) !== '\n') continue;
    const end = text.indexOf('\n', start);
    done = end === -1 ? text.length : end;
    const match = envLine.exec(text.slice(first, Math.min(done, first + 5000)));
    const { keep = '', name = '', value = '' } = match?.groups ?? {};
    if (match !== null && isQuotedSecret(value, /^PAS|^PWD/.test(name) ? 'password' : 'token'))
      found.push(spanOf('secret-value', first + keep.length, value));
  }
  return found;
};

/**
 * People choose passwords like `hunter2`, which no rule can tell from a name, so quotes and a digit must suffice. The
 * lines of an env file count as quoted.
 */
const isQuotedSecret = (value: string, name: NameClass): boolean => {
  if (/\s/.test(value)) return false;
  if (name === 'password') {
    return (
      value.length >= 6 &&
      hasLettersAndDigits(withoutTechnicalNames(value)) &&
      !isReadableButDotted(value) &&
      !isThrowAway(value)
    );
  }
  return value.length >= 8 && !isReadable(value) && looksLikeToken(value, name);
};

const looksLikeToken = (value: string, name: NameClass): boolean =>
  name === 'weak'
    ? isRandom(value, 20) && !isUuid(value) && !isUlid(value) && !/[\s(){}]/.test(value)
    : name === 'key'
      ? isMixedKey(value)
      : looksGenerated(value) || isRandom(value, 20);
/** A key without an owner may belong to a cache or a map, whose keys are hashes or words. */
const isMixedKey = (value: string): boolean =>
  value.length >= 24 &&
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  /\d/.test(value) &&
  /^[\w-]+$/.test(value) &&
  generatedLength(value) * 2 > value.length;

/** In code a bare value is usually a variable, and variables have digits too: `x509cert`, `level2token`. */
const isBareSecret = (value: string, name: NameClass, isCode: boolean): boolean =>
  value.length >= 8 &&
  !/^(?:[-%@!~.?]|\/(?![\w/+]{30})|\$[A-Za-z_])/.test(value) &&
  looksLikeToken(value, name) &&
  !isPublishable(value) &&
  !isReadable(value) &&
  !(isCode && /^[A-Za-z_]\w{0,18}$/.test(value) && (value.match(/\d+/g) ?? []).length < 2);
