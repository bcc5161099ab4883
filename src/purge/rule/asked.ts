/** Turns what a person asks to purge into a rule, or refuses before anything is searched. Pure. */

import type { Refusal } from '../../commands/refusals.js';
import type { NoteId } from '../../events/note/note.js';
import { leastLiteral } from './cuts.js';
import { literalMatcher, patternMatcher, purgedMark } from './matcher.js';
import { anyNeedle, type Needle, patternNeedle, textNeedle } from './needle.js';
import type { PurgeRule } from './rule.js';

export type PurgeWhat =
  | { readonly kind: 'note'; readonly id: NoteId }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'pattern'; readonly source: string; readonly ignoreCase: boolean };

export const ruleOf = (what: PurgeWhat): PurgeRule | Refusal => {
  switch (what.kind) {
    case 'note':
      return { notes: new Set([what.id]), text: undefined };
    case 'literal': {
      if ([...what.text.trim()].length < leastLiteral) {
        return {
          code: 'text-short',
          message: `a text of fewer than ${leastLiteral} characters occurs in too many other texts`,
          next: 'give more of it, or a pattern with the text around it',
        };
      }
      const matcher = literalMatcher(what.text);
      return matcher.spans(purgedMark).length > 0 ? matchesMark : { notes: new Set(), text: matcher };
    }
    case 'pattern': {
      const matcher = patternMatcher(what.source, what);
      if (matcher === undefined) {
        return {
          code: 'pattern-invalid',
          message: 'the pattern is not a JavaScript regular expression',
          next: 'fix it; characters such as ( [ * + ? need a backslash to stand for themselves',
        };
      }
      if (patternOf(what).test('')) {
        return {
          code: 'pattern-empty',
          message: 'the pattern also matches the empty string',
          next: 'make it match at least one character',
        };
      }
      return matcher.spans(purgedMark).length > 0 ? matchesMark : { notes: new Set(), text: matcher };
    }
  }
};

const matchesMark: Refusal = {
  code: 'pattern-wide',
  message: `that also matches ${purgedMark}, the mark that replaces it`,
  next: 'make it narrower',
};

export const patternOf = ({ source, ignoreCase }: Extract<PurgeWhat, { kind: 'pattern' }>): RegExp =>
  new RegExp(source, ignoreCase ? 'iu' : 'u');

/** Refuses a text that also occurs where a note can't do without it. */
export const standsInStructure = (where: readonly string[]): Refusal => ({
  code: 'pattern-wide',
  message: `that also occurs in ${where.slice(0, 3).join(', ')}${where.length > 3 ? ` and ${where.length - 3} more` : ''}, which can't be replaced`,
  next: 'make it narrower, or purge those notes by their ids',
});

/** Also searches for forms that were found broken or escaped. A truncated one is too short to search for. */
export const needleOf = (what: PurgeWhat, texts: readonly string[]): Needle => {
  switch (what.kind) {
    case 'note':
      return textNeedle(texts);
    case 'literal':
      return textNeedle([what.text, ...texts.filter((text) => text.length >= what.text.length)]);
    case 'pattern':
      return anyNeedle([patternNeedle(patternOf(what))]);
  }
};

/** A shorter text would also be found where it means something else. */
const minRecordedBytes = 8;
const maxRecorded = 200;

/** Returns the texts that the record may name by their fingerprints. */
export const recordedTexts = (what: PurgeWhat, texts: readonly string[]): readonly string[] => {
  switch (what.kind) {
    case 'note':
      return [];
    case 'literal':
      return [...new Set([what.text, ...texts.filter((text) => text.length >= what.text.length)])].slice(
        0,
        maxRecorded,
      );
    case 'pattern':
      return [...new Set(texts)]
        .filter((text) => Buffer.byteLength(text) >= minRecordedBytes)
        .sort()
        .slice(0, maxRecorded);
  }
};
