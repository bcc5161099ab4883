/** Turns what a person asks to purge into a rule, or refuses before anything is searched. Pure. */

import type { Refusal } from '../../commands/refusals.js';
import type { JournalName, NoteId } from '../../events/note/note.js';
import { formsOf, leastLiteral, literalMatcher, patternMatcher, purgedMark, type TextMatcher } from './matcher.js';
import type { PurgeRule } from './rule.js';

export type PurgeTarget =
  | { readonly kind: 'note'; readonly id: NoteId }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'pattern'; readonly source: string; readonly ignoreCase: boolean };

export type PurgeRequest = {
  readonly what: PurgeTarget;
  /** Only this journal; undefined for both. */
  readonly journal?: JournalName | undefined;
  readonly reason?: string | undefined;
};

export const ruleOf = (what: PurgeTarget): PurgeRule | Refusal => {
  if (what.kind === 'note') return { notes: new Set([what.id]), text: undefined };
  const matcher = what.kind === 'literal' ? matcherOfLiteral(what.text) : matcherOfPattern(what);
  if ('code' in matcher) return matcher;
  if (matcher.spans(purgedMark).length === 0) return { notes: new Set(), text: matcher };
  return {
    code: 'pattern-wide',
    message: `that also matches ${purgedMark}, the mark that replaces it`,
    next: 'make it narrower',
  };
};

const matcherOfLiteral = (text: string): TextMatcher | Refusal =>
  [...text.trim()].length >= leastLiteral
    ? literalMatcher(text)
    : {
        code: 'text-short',
        message: `a text of fewer than ${leastLiteral} characters occurs in too many other texts`,
        next: 'give more of it, or a pattern with the text around it',
      };

type Pattern = Extract<PurgeTarget, { kind: 'pattern' }>;

const matcherOfPattern = (what: Pattern): TextMatcher | Refusal => {
  const matcher = patternMatcher(what.source, what);
  if (matcher === undefined) {
    return {
      code: 'pattern-invalid',
      message: 'the pattern is not a JavaScript regular expression',
      next: 'fix it; characters such as ( [ * + ? need a backslash to stand for themselves',
    };
  }
  if (!patternOf(what).test('')) return matcher;
  return {
    code: 'pattern-empty',
    message: 'the pattern also matches the empty string',
    next: 'make it match at least one character',
  };
};

const patternOf = ({ source, ignoreCase }: Pattern): RegExp => new RegExp(source, ignoreCase ? 'iu' : 'u');

/** Refuses a text that also occurs where a note can't do without it. */
export const standsInStructure = (where: readonly string[]): Refusal => ({
  code: 'pattern-wide',
  message: `that also occurs in ${where.slice(0, 3).join(', ')}${where.length > 3 ? ` and ${where.length - 3} more` : ''}, which can't be replaced`,
  next: 'make it narrower, or purge those notes by their ids',
});

/** Searches bytes for the check after a purge, in another way than the purge, so as not to repeat an error of it. */
export type Needle = {
  readonly isIn: (bytes: Buffer) => boolean;
  /** Length in bytes of the longest possible occurrence, for reading a file in pieces. */
  readonly length: number;
};

/** A note is known by its front matter, if it is in neither journal. `texts` are those found: of a literal, a truncated one is too short. */
export const needleOf = ({ what, journal }: PurgeRequest, texts: readonly string[]): Needle => {
  if (what.kind === 'note') return textNeedle(journal === undefined ? [`\nid: ${what.id}\n`] : []);
  if (what.kind === 'literal')
    return textNeedle([what.text, ...texts.filter((text) => text.length >= what.text.length)]);
  const pattern = patternOf(what);
  return {
    isIn: (bytes) => pattern.test(bytes.toString('latin1')) || pattern.test(bytes.toString('utf8')),
    length: patternOverlap,
  };
};

/** A match may have any length; a longer one is missed if it spans two pieces of a file of more than 4 MiB. */
const patternOverlap = 64 * 1024;

/** Finds any of the texts, also as escaped in JSON. */
const textNeedle = (texts: readonly string[]): Needle => {
  const forms = texts.flatMap(formsOf).flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
  const needles = [...new Set(forms)].filter((text) => text !== '').map((text) => Buffer.from(text));
  return {
    isIn: (bytes) => needles.some((needle) => bytes.includes(needle)),
    length: Math.max(0, ...needles.map(({ length }) => length)),
  };
};
