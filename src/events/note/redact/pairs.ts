/** Finds the value beside a name that says secret, in settings, code, headers, queries, markup and options. */
import { type FoundName, findNames, isHarmlessName } from './names.js';
import { type Detector, endOfMatch, matchAt, type Span, spanOf } from './span.js';
import { isNamedSecret, isRandom, isReadable, isVariable, type NameClass } from './values.js';

/** The value in an attribute or an element after the name. */
const valueSign = String.raw`["']?[,{}]?\s{0,40}(?:(?:type|description|sensitive)[ \t]{0,20}=[^\n]{0,80}\n\s{0,20}){0,3}(?:-\s{0,4})?["']?(?:value|default|content)["']?[ \t]{0,4}[:=][ \t]{0,4}`;
const nextArgument = String.raw`(?<=["'\x60][ \t]{0,8}),[ \t]{0,8}(?=["'\x60])`;
const yamlBlock = String.raw`:[ \t]{1,8}[>|][+-]?[ \t]{0,4}\n[ \t]{1,16}`;
/** A value on the next line, in quotes or alone. */
const brokenLine = String.raw`[:=][ \t*]{0,4}\r?\n[ \t]{0,40}(?=["'\x60]|[^\s:=]{8,200}[ \t]{0,4}(?:\r?\n|$))`;
/** A cell for name and value each, or either in bold. */
const tags = String.raw`:?[ \t]{0,4}(?:<\/?[a-z]\w{0,9}(?:\s[^<>\n]{0,80})?>\s{0,20}){1,4}(?::[ \t]{0,4})?(?:<[a-z]\w{0,9}>){0,2}`;
/** `Password for 'https://ana@git.test': ` */
const gitPrompt = String.raw`for '[^\s']{1,200}':[ \t]`;
const sign = new RegExp(
  String.raw`(?:${gitPrompt}|${yamlBlock}|${brokenLine}|${tags}|=>|:=|[?|+]{1,2}=|=(?![=>~])|:-|[?!]?:(?!:)|>|→|->|${valueSign}|${nextArgument}|\|{1,2}|\?\?)` +
    String.raw`(?:[*_]{0,2}[ \t]{0,8}(?:!!\w{1,8} |«[ \t]{0,2}|[「『“])?)`,
  'yi',
);
/** With a type between name and value: `password: str = "..."`. */
const typedSign = /[?!]?:[ \t]{0,2}[\w.<>|?&' ]{1,40}=[ \t]{0,2}(?=[rbuRBU]?["'`])/y;
/** In a sentence only a generated value is more than a word. */
const verbs = /(?:is|was|to):?[ \t]{1,2}/y;
const isTelling = (value: string): boolean => isRandom(value, 8) || (/\d/.test(value) && /[!#$%^&*+~@]/.test(value));
/** A quick test, since most names are in prose; `value` and `default` may follow a comma or a line break. */
const mayBeSign = /[=:?!<>→|+,{}-]|["'\sdcfv]/;

/** Bounded, because the engine stores a position to backtrack to for each character of such a loop. */
const quotedValue =
  /[rbfuRBFUL@$]{0,2}(?<quote>["'`])(?:\k<quote>{2}(?=[^"'`]))?(?<value>(?:(?!\k<quote>)[^\\\n]|\\.){1,4096})\k<quote>/y;
const openQuote = /[rbfuRBFUL@$]{0,2}["'`]{1,3}/y;
/** Characters with which a sentence in Chinese or Japanese continues without a blank end a value too. */
const bareValue = /[^\s"'`<>|\\\u0000-\u001f\u3001-\u9fff\uff01-\uff60”]{1,100}/y;
/** Only what has no sign of settings or code in it may be longer, so that no run of settings is read again and again. */
const longValue = /[^\s,;:=&(){}[\]"'`<>|\\\u0000-\u001f\u3001-\u9fff\uff01-\uff60”]{100,4096}={0,2}/y;
/** The value begins here or is more than a value: an option, a mention, a tag of YAML, a path, a variable. */
const notBare = /^(?:[-%@!~.?([{]|\+(?![\w/+]{20})|\/(?![\w/+]{30})|\$[A-Za-z_({])/;
/** The marks that end a sentence or an argument, and where tools cut their output. */
const endOfBare = /(?:(?:\.{3}|…|\[(?:\.{3}|output|truncated)).*|(?<![.,;:)\]}?*])[.,;:)\]}?*]+)$/;
/** The next setting of a query or of a connection string. */
const nextSetting = /(?:&amp;|[&;,](?=[\w .%-]{1,40}=)).*$/;
const breakInBare = /[,;(){}[\]]/;

export const findNamed: Detector = (text) => {
  const found: Span[] = [];
  /** A name inside a long value would read on to its end again. */
  let done = 0;
  for (const name of findNames(text)) {
    if (name.start < done) continue;
    for (const span of findValues(text, name)) {
      if (isHarmlessName(text, name)) continue;
      found.push(span);
      if (span.end - span.start > 100) done = Math.max(done, span.end);
    }
  }
  return found;
};

/** The values that signs put beside the name: a type and a value may both follow it. */
const findValues = (text: string, name: FoundName): readonly Span[] => {
  const { end, tail, start, kind } = name;
  const first = text.charAt(end);
  const plain = mayBeSign.test(first) ? endOfMatch(sign, text, end) : -1;
  const typed = /[:?!]/.test(first) ? endOfMatch(typedSign, text, end) : -1;
  if (plain !== -1 || typed !== -1)
    return [plain, typed].flatMap((at) => (at === -1 ? [] : findValue(text, at, kind, text.slice(end, at))));
  if (end === tail || !/[ \t]/.test(text.slice(tail, end))) return [];
  const verb = /[iwt]/.test(first) ? endOfMatch(verbs, text, end) : -1;
  if (verb !== -1)
    return findValue(text, verb, kind, '').filter(({ start: from, end: to }) => isTelling(text.slice(from, to)));
  if (isOption(text, start)) return findOptionValue(text, end, kind);
  // `IDENTIFIED BY '...'`, `WITH PASSWORD '...'`
  return kind === 'password' && /["'`]/.test(first) ? findQuoted(text, end, kind) : [];
};

const findQuoted = (text: string, at: number, kind: NameClass): readonly Span[] => {
  const match = matchAt(quotedValue, text, at);
  const value = match?.groups?.['value'];
  if (match === undefined || value === undefined || !isNamedSecret(value, kind)) return [];
  return [spanOf('secret-value', at + match[0].lastIndexOf(value), value)];
};

const findValue = (text: string, at: number, kind: NameClass, key: string): readonly Span[] => {
  const opened = /["'`rbfuL@$]/i.test(text.charAt(at)) ? endOfMatch(openQuote, text, at) : -1;
  if (opened === -1) return findBare(text, at, kind, isAssignment(text, at, key));
  const quoted = findQuoted(text, at, kind);
  if (quoted.length > 0) return quoted;
  // A quote that isn't closed means that the text was cut; one with blanks before it may belong to something else.
  const closed = matchAt(quotedValue, text, at)?.groups?.['value'];
  if (closed !== undefined && !/\s/.test(closed)) return [];
  const first = findBare(text, opened, kind, false);
  return closed === undefined ? first : first.filter((span) => isTelling(text.slice(span.start, span.end)));
};

/** Code has blanks around the sign; so have settings, which are known by the heading of a section. */
const isAssignment = (text: string, at: number, key: string): boolean =>
  /[=?][ \t]+$/.test(key) && !sectionHead.test(text.slice(Math.max(0, at - 600), at));
const sectionHead = /^\[[\w. :"-]{1,60}\][ \t]*\r?$/m;

const findBare = (text: string, at: number, kind: NameClass, isCode: boolean): readonly Span[] => {
  const short = matchAt(bareValue, text, at)?.[0] ?? '';
  const run = short.length < 100 ? short : (matchAt(longValue, text, at)?.[0] ?? short);
  if (run.length < 6 || notBare.test(run)) return [];
  const whole = run.replace(nextSetting, '').replace(endOfBare, '');
  const stop = whole.search(breakInBare);
  const values =
    stop === -1 ? [whole] : [...(kind === 'password' && !/[([{]/.test(whole) ? [whole] : []), whole.slice(0, stop)];
  for (const value of values) {
    const next = text.slice(at + value.length, at + value.length + 4);
    const inCode = isCode || (/^[ \t]*[,;)}]/.test(next) && !isDefault(text, at));
    if (
      (value.length === stop && /[([{]/.test(whole.charAt(stop))) ||
      (inCode && isVariable(value)) ||
      !isNamedSecret(value, kind)
    )
      continue;
    return [spanOf('secret-value', at, run.length < longest ? value : wholeWord(text, at))];
  }
  return [];
};

/** `${PASSWORD:-value}` */
const isDefault = (text: string, at: number): boolean => text.startsWith(':-', at - 2);

const longest = 4096;
const endOfWord = /[\s"'`<>|\\]/g;
/** A value that is longer than what was read of it. */
const wholeWord = (text: string, at: number): string => {
  endOfWord.lastIndex = at;
  return text.slice(at, endOfWord.exec(text)?.index);
};

const settingBefore = /\b(?:ENV|ARG|setenv|setx|set -g?x|set -xg)[ \t]{1,4}$|\bconfig(?:ure)? set [\w.:/-]{0,60}$/;
/** `--token value`, `ENV TOKEN value`, `setenv TOKEN value`, `config set x:_authToken value`. */
const isOption = (text: string, start: number): boolean => {
  let first = start;
  while (first > 0 && start - first < 60 && /[\w-]/.test(text.charAt(first - 1))) first -= 1;
  const before = text.charAt(first - 1);
  if (text.charAt(first) === '-') return before === '' || /[\s"']/.test(before);
  if (before === ':') return text.charAt(first) === '_';
  return (before === ' ' || before === '\t') && settingBefore.test(text.slice(Math.max(0, first - 80), first));
};

const optionValue = /[^\s"'`|<>\\&]{6,4096}/y;
const findOptionValue = (text: string, at: number, kind: NameClass): readonly Span[] => {
  const quoted = findQuoted(text, at, kind);
  if (quoted.length > 0) return quoted;
  const value = matchAt(optionValue, text, at)?.[0].replace(/(?<![,;)])[,;)]+$/, '') ?? '';
  const isSecret = isNamedSecret(value, kind) || (isRandom(value, 20) && !isReadable(value));
  return isSecret && !/^[-$%]/.test(value) ? [spanOf('secret-value', at, value)] : [];
};
