/** Masks secrets before a text is written to a journal, where it would stay in the history for ever. */
import {
  type Detector,
  looksGenerated,
  markerStart,
  type SecretKind,
  type Span,
  secretKinds,
  shapeDetectors,
  withoutTechnicalNames,
} from './redact-patterns.js';

export type Masked = { readonly kind: SecretKind; readonly count: number };
export type Redacted = { readonly text: string; readonly masked: readonly Masked[] };

/**
 * Each secret becomes `[REDACTED:kind]`; nothing else changes. `masked` is sorted by kind. Linear in the text, about
 * 7 ms for a megabyte without secrets. Redacting again changes nothing.
 *
 * A value beside a key such as `password` is masked only when it looks like no word, code, path or placeholder: to miss
 * a weak password is better than to spoil a note that explains code.
 */
export const redact = (text: string): Redacted => {
  const countByKind = new Map<SecretKind, number>();
  let current = text;
  // A mask can uncover a secret, as in `u:pass@{ghp_...}@host`; the second round mostly finds nothing.
  for (let spans = findSecrets(current); spans.length > 0; spans = findSecrets(current)) {
    for (const { kind } of spans) countByKind.set(kind, (countByKind.get(kind) ?? 0) + 1);
    current = mask(current, spans);
  }
  const masked = [...countByKind].map(([kind, count]) => ({ kind, count }));
  return { text: current, masked: masked.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)) };
};

const mask = (text: string, spans: readonly Span[]): string => {
  const pieces = spans.map(
    ({ kind, start }, i) => `${text.slice(i === 0 ? 0 : spans[i - 1]?.end, start)}${markerStart}${kind}]`,
  );
  return pieces.join('') + text.slice(spans.at(-1)?.end);
};

const rankByKind = new Map(secretKinds.map((kind, rank) => [kind, rank]));
const rankOf = (kind: SecretKind): number => rankByKind.get(kind) ?? secretKinds.length;

/** In order and apart: of spans that overlap, the union is one secret. */
const findSecrets = (text: string): readonly Span[] => {
  const found = detectors.flatMap((detector) => (detector.hint.test(text) ? detector.find(text) : []));
  const apart: Span[] = [];
  for (const span of found.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last === undefined || span.start >= last.end) {
      apart.push(span);
    } else {
      const kind = rankOf(span.kind) < rankOf(last.kind) ? span.kind : last.kind;
      apart[apart.length - 1] = { kind, start: last.start, end: Math.max(last.end, span.end) };
    }
  }
  return apart;
};

const sensitiveName =
  '(?:passw(?:or)?d|passphrase|pwd|(?<=[_-])pass|secret|token|credentials?|(?:api|access|private)[_ -]?key)';
const nameTail = String.raw`(?:[_ -]?(?:access|key|value|plain|prod|dev|staging|live|base64|b64|\d{1,3})){0,3}`;
const nameEnd = String.raw`(?:\\?["'\x60*_\]]){0,4}[ \t]{0,8}`;
/** With a type between name and value: `password: str = "..."`. */
const typedSign = String.raw`[?!]?:[ \t]{0,2}[\w.<>|? ]{1,40}=[ \t]{0,2}(?=[rbuRBU]?["'\x60])`;
const sign = `(?:=>|:=|=(?![=>~])|:-|${typedSign}|[?!]?:(?!:))`;

const pairHint = new RegExp(`[=:](?<=${sensitiveName}${nameTail}${nameEnd}[?!]?[=:])`, 'i');
const pair = new RegExp(`(${sensitiveName})${nameTail}${nameEnd}${sign}[*_]{0,2}[ \\t]{0,8}`, 'gi');
/** A line of an env file or of a shell, where what follows the sign is a value and never code. */
const envLine = new RegExp(
  String.raw`^(?<keep>[ \t]{0,16}(?:(?:export|set|ENV|ARG|-|\$|>)[ \t]{1,4})?(?:[A-Z0-9_]{1,48}_)?` +
    '(?<name>PASSWORD|PASSWD|PASSPHRASE|(?<=_)PASS|PWD|SECRET|TOKEN|CREDENTIALS?|(?:API|ACCESS|PRIVATE)_?KEY)' +
    String.raw`(?:_(?:ACCESS|KEY|VALUE|PROD|DEV|STAGING|LIVE|\d{1,3})){0,3}=)` +
    String.raw`(?<value>[^\s"'\x60\\]{6,4096})(?=[ \t\r]*(?:#.{0,200})?$)`,
  'gm',
);

/** Bounded, because the engine keeps a place to go back to for each character of such a loop. */
const quotedValue = /[rbfuRBFUL@$]{0,2}(?<quote>["'`])(?<value>(?:(?!\k<quote>)[^\\\n]|\\.){1,4096})\k<quote>/y;
const escapedValue = /\\(?<quote>["'])(?<value>[^"'\\\n]{1,4096})\\\k<quote>/y;
/** At most one colon, so that a run of pairs is not read again and again. */
const bareValue = /[^\s"'`,;&|<>(){}[\]\\:=]+(?::[^\s"'`,;&|<>(){}[\]\\:=]+)?={0,2}/y;
const endOfSentence = /(?<![.*?])[.*?]+$/;

/** Tokens of a page, a parser or a language model; a user in a URL; the resource name of a secret; our own marker. */
const harmlessBefore = new RegExp(
  '(?:page|next|previous|continuation|cursor|start|end|stop|eos|bos|pad|unk|mask|special)[_-]?$|' +
    String.raw`:\/\/[\w.-]*$|\barn:[\w:-]*:$|\[REDACTED:[a-z-]*$`,
  'i',
);

const findPairs = (text: string): readonly Span[] =>
  [...text.matchAll(pair)].flatMap((match): readonly Span[] => {
    const span = findValue(text, match.index + match[0].length, match);
    return span === undefined || harmlessBefore.test(text.slice(Math.max(0, match.index - 64), match.index))
      ? []
      : [span];
  });

const findValue = (text: string, at: number, [key, name = '']: RegExpExecArray): Span | undefined => {
  const quoted = matchAt(quotedValue, text, at) ?? matchAt(escapedValue, text, at);
  if (quoted !== undefined) {
    const value = quoted.groups?.['value'] ?? '';
    const start = at + quoted[0].indexOf(value);
    return isQuotedSecret(value, isPasswordName(name)) ? valueSpan(start, value) : undefined;
  }
  const value = matchAt(bareValue, text, at)?.[0].replace(endOfSentence, '') ?? '';
  const after = text.slice(at + value.length, at + value.length + 8);
  const isCode = /=[ \t]+$/.test(key) || /^[ \t]*[,;)]/.test(after);
  return !/^[([{<]/.test(after) && isBareSecret(value, isCode) ? valueSpan(at, value) : undefined;
};

const findEnvLines = (text: string): readonly Span[] =>
  [...text.matchAll(envLine)].flatMap((match): readonly Span[] => {
    const { keep = '', name = '', value = '' } = match.groups ?? {};
    return isQuotedSecret(value, isPasswordName(name)) ? [valueSpan(match.index + keep.length, value)] : [];
  });

const isPasswordName = (name: string): boolean => /^(?:pass|pwd)/i.test(name);
const valueSpan = (start: number, value: string): Span => ({ kind: 'secret-value', start, end: start + value.length });

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
};

const placeholder = new RegExp(
  String.raw`your|example|sample|placeholder|change[-_]?(?:me|this)|replace|dummy|redacted|xxx|\*\*\*|\.\.\.|…|` +
    String.raw`^(?:test|token|secret|key|string|foo|bar|baz|password|passwd|pass|pwd)[-_]?\d{0,2}$`,
  'i',
);
/** Variables, templates, calls; paths, URLs, addresses, colours; formats and patterns. */
const reference = new RegExp(
  String.raw`^\$[A-Za-z_]\w*$|^%\w+%$|[$#]\{|\{\{|\$\(|\{[\w.]*\}|^<.*>$|^[\w.$]+\([^()]*\)$|` +
    String.raw`^(?:[.~]{0,2}|[A-Za-z]:)[\\/][^+=]*$|:\/\/|\.[a-z]{1,5}$|^[\w.+-]+@[\w-]+\.[\w.]+$|^#[0-9a-f]{3,8}$|` +
    String.raw`%[sdv(]|^\^|\(\?|\\[dwsb]|\.\*`,
  'i',
);
const dottedNames = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/;

const isReadable = (value: string): boolean =>
  placeholder.test(value) ||
  reference.test(value) ||
  value.includes(markerStart) ||
  // `config.db1a.token` is code; a token with dots in it has longer parts.
  (dottedNames.test(value) && !value.split('.').some((part) => part.length >= 16 && looksGenerated(part)));

const hasLettersAndDigits = (value: string): boolean => /[A-Za-z]/.test(value) && /\d/.test(value);

/**
 * People choose passwords like `hunter2`, which no rule tells from a name: quotes and a digit have to do. The lines of
 * an env file count as quoted.
 */
const isQuotedSecret = (value: string, isPassword: boolean): boolean =>
  value.length >= (isPassword ? 6 : 8) &&
  !/\s/.test(value) &&
  !isReadable(value) &&
  (isPassword ? hasLettersAndDigits(withoutTechnicalNames(value)) : looksGenerated(value));

/** In code a bare value is mostly a variable, and variables have digits too: `x509cert`, `level2token`. */
const isBareSecret = (value: string, isCode: boolean): boolean =>
  value.length >= 8 &&
  !/^(?:[-%@!~.?/]|\$[A-Za-z_])/.test(value) &&
  looksGenerated(value) &&
  !isReadable(value) &&
  !(isCode && /^[A-Za-z_]\w{0,18}$/.test(value) && (value.match(/\d+/g) ?? []).length < 2);

const pairs: Detector = { hint: pairHint, find: (text) => [...findPairs(text), ...findEnvLines(text)] };
const detectors: readonly Detector[] = [...shapeDetectors, pairs];
