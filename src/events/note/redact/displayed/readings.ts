/** Reads a text as it is displayed: no hidden marks or terminal codes, one sort of blank, spelled signs decoded. */
import { unseenMark } from '../../plain-text.js';
import type { Stretch } from '../remaining-text.js';
import type { Span } from '../span.js';
import { type CodeString, withinCodes } from './code-ends.js';
import { entity, mayHaveEntity, signOfEntity } from './entities.js';
import {
  escapedMark,
  escapedSign,
  mayHaveEscapedMark,
  mayHaveEscapedSign,
  type PlusReader,
  plusReader,
  signOf,
} from './escaped-signs.js';
import { blankOf, mayHaveOtherBlank, otherBlank } from './other-blanks.js';
import { type Rewriting, type Rewritten, rewrite } from './rewritten.js';
import { controlCode, mayHaveWrittenCode, writtenCode } from './terminal-codes.js';

/** `sure` is the end of the part that surely is not text, in case the match is not a code. */
type Found = { readonly start: number; readonly end: number; readonly sure: number; readonly what: What };
/** A code, a code with a text of its own, an invisible mark, or the sign or the blank that is meant. */
type What = 'code' | 'string' | 'mark' | { readonly sign: string };

/** Characters with which a code may begin. */
const begin = String.raw`[\u001b\u0090\u0098\u009b\u009d-\u009f]`;
/** In parts, which are joined later: the engine stores a position per mark of a part and has room for 8 million. */
const unseenRun = `(?!\\r)${unseenMark}(?:(?!\\r|${begin}(?!${begin}))${unseenMark}){0,65535}`;

/** Compiled on first use: Unicode classes take long. */
let patterns: { readonly all: RegExp; readonly written: RegExp } | undefined;
const makePatterns = () => {
  const written = `${escapedSign}|${escapedMark}|${otherBlank}|${writtenCode}|${entity}`;
  return {
    all: new RegExp(`${written}|${controlCode}|(${unseenRun})`, 'gu'),
    written: new RegExp(written, 'gu'),
  };
};
/**
 * The same characters as the marks, those beyond the first plane by their high surrogate: emoji and the letters of most
 * languages don't match.
 */
const mayHaveMarks = new RegExp(
  String.raw`[^\x20-\x7e\n\r\t\u00a0-\uffff]|[\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164]|` +
    String.raw`\u034f|[\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud82f\ud834\udb40-\udb43]`,
);

/**
 * Returns the readings of a text, first the text as it is, often the only one. A code inside a secret counts as nothing
 * (a reader sees the secret whole), one between two words keeps them apart, and one that may not be a code leaves the
 * text that it would consume. A secret in any reading is a secret. A span of a reading also covers any codes and marks
 * inside it.
 */
export const readingsOf = (text: string): readonly Reading[] => {
  const found = findHidden(text);
  const strings = found.flatMap((one) => codeString(text, one));
  const within = strings.length === 0 ? undefined : withinCodes(strings);
  const asReading = ({ text: read, joints, original }: Rewritten): Reading => ({
    text: read,
    joints,
    original: within === undefined ? original : (span) => within(original(span)),
  });
  return [asReading(asItStands(text)), ...readOtherwise(text, found).map(asReading)];
};

export type Reading = Pick<Rewritten, 'text' | 'joints'> & { readonly original: (span: Span) => Span };

const asItStands = (text: string): Rewritten => ({ text, joints: [], original: (part) => part });

const readOtherwise = (text: string, found: readonly Found[]): readonly Rewritten[] => {
  if (found.length === 0) return [];
  const readings = [rewrite(text, found.map(asNothing))];
  if (found.some(isUnsure)) readings.push(rewrite(text, found.map(asNothingSure)));
  const borders = found.filter((one) => isBorder(text, one));
  if (borders.length === 0) return readings;
  readings.push(rewrite(text, found.flatMap(asBorder(text, new Set(borders)))));
  // With one code before a token and one inside it, only the first separates words.
  const first = new Set(
    borders.filter(({ start }, at) => at === 0 || hasBlank(text, borders[at - 1]?.end ?? 0, start)),
  );
  if (first.size < borders.length) readings.push(rewrite(text, found.map(asFirstBorder(first))));
  return readings;
};

/** Only for control characters: a string spelled as text ends at a backslash, as values do. */
const codeString = (text: string, { start, end, what }: Found): readonly CodeString[] =>
  what === 'string' && !/[\\^]/.test(text.charAt(start))
    ? [{ start, end, textEnd: end - (text.endsWith('\\', end) ? 2 : 1) }]
    : [];

const signIn = ({ what }: Found): string => (typeof what === 'object' ? what.sign : '');
const asNothing = (one: Found): Rewriting => ({ start: one.start, end: one.end, as: signIn(one) });
const asNothingSure = (one: Found): Rewriting => ({ ...asNothing(one), end: isUnsure(one) ? one.sure : one.end });
/** A string has a terminator and so is always sure. */
const isUnsure = ({ sure, end, what }: Found): boolean => sure < end && what !== 'string';
const asFirstBorder =
  (first: ReadonlySet<Found>) =>
  (one: Found): Rewriting => ({ ...asNothing(one), as: first.has(one) ? ' ' : signIn(one) });
const asBorder =
  (text: string, borders: ReadonlySet<Found>) =>
  (one: Found): readonly Rewriting[] => {
    if (one.what !== 'string') return [{ ...asNothing(one), as: borders.has(one) ? ' ' : signIn(one) }];
    // The text of a title or of a link is searched too.
    endOfString.lastIndex = one.sure;
    const end = endOfString.exec(text)?.index ?? one.end;
    return [
      { start: one.start, end: one.sure, as: ' ' },
      { start: end, end: one.end, as: ' ' },
    ];
  };
const endOfString = /[\\^\u0007\u001b\u009c]/g;

/** Only a code that joins two words needs a reading of its own: most are beside a blank. */
const isBorder = (text: string, { start, end, what }: Found): boolean =>
  what === 'string' || (what === 'code' && inWord.test(text.charAt(start - 1)) && inWord.test(text.charAt(end)));
/** Characters of tokens, those that begin another code, and invisible ones. */
const inWord = /[\w~.+/=\\^%&\0-\x08\x0e-\x1f\x7f-\x9f\xad\u200b-\u206f\u241b\ufeff-]/;

const hasBlank = (text: string, start: number, end: number): boolean => /\s/.test(text.slice(start, end));

/** In the order of the groups of the patterns. */
const whatByGroup = [
  ...(['address', 'sign', 'sign', 'sign', 'plus', 'unseen', 'blank'] as const),
  ...(['string', 'code', 'code', 'entity'] as const),
  ...(['string', 'code', 'code'] as const),
  'mark',
] as const;

const whatMatched = (match: RegExpExecArray) => {
  for (let at = 0; at < whatByGroup.length; at += 1) {
    const group = match[at + 1];
    if (group !== undefined) return { what: whatByGroup[at] ?? 'code', group };
  }
  return { what: 'code', group: '' } as const;
};

type Spelled = Exclude<(typeof whatByGroup)[number], 'string' | 'code' | 'mark'>;

/** Returns undefined if the match stands for itself. */
const signMeant = (what: Spelled, group: string, { start, end }: Stretch, plus: PlusReader): string | undefined => {
  switch (what) {
    case 'address':
      plus.spelled(end);
      return signOf(group);
    case 'sign':
      return signOf(group);
    case 'plus':
      return plus.isBlank(start) ? ' ' : undefined;
    case 'unseen':
      return '';
    case 'blank':
      return blankOf(group);
    case 'entity':
      return signOfEntity(group);
  }
};

const mayHaveSpelled = [mayHaveWrittenCode, mayHaveEscapedSign, mayHaveEscapedMark, mayHaveOtherBlank, mayHaveEntity];

const findHidden = (text: string): readonly Found[] => {
  const hasMarks = mayHaveMarks.test(text);
  if (!hasMarks && !mayHaveSpelled.some((mayHave) => mayHave(text))) return [];
  patterns ??= makePatterns();
  const pattern = hasMarks ? patterns.all : patterns.written;
  const found: Found[] = [];
  const plus = plusReader(text);
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const start = match.index;
    const end = start + match[0].length;
    const { what, group } = whatMatched(match);
    const last = found.at(-1);
    if (what !== 'string' && what !== 'code' && what !== 'mark') {
      const sign = signMeant(what, group, { start, end }, plus);
      if (sign !== undefined) found.push({ start, end, sure: end, what: { sign } });
    } else if (last?.sure === start && last.what === what && (group === '' || what === 'mark'))
      found[found.length - 1] = { ...last, end, sure: end };
    else found.push({ start, end, sure: group === '' ? end : start + group.length, what });
  }
  return found;
};
