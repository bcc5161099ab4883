/** Judges the notes that fit a prompt by their words once more, with their meaning. A static model compares them. */

import type { Closeness, ComparedQuery, NoteText } from '../../embedding/closeness.js';
import { type IndexedNote, toIndexedNote } from '../index/query.js';
import { idfOf } from '../search/word-scores.js';
import type { Signs } from './prompt-fit.js';
import { stretch } from './prompt-words.js';
import { type ByMeaning, type JudgedBy, type JudgedNote, type Judgement, leastByWords } from './recall.js';
import type { Rule } from './thresholds.js';

export type MeaningParts = {
  readonly rule: Rule;
  readonly openCloseness: (query: ComparedQuery) => (note: NoteText) => Closeness;
  readonly bodyOf: (note: IndexedNote) => string;
  /** If it returns true, words alone decide. */
  readonly isLate?: () => boolean;
};

export const openByMeaning = (parts: MeaningParts): ByMeaning => ({
  rule: parts.rule,
  judgeAgain: (judgement, text) => judgeAgain(judgement, text, parts),
});

const judgeAgain = (
  { notes, words, total }: Judgement,
  text: string,
  { rule, openCloseness, bodyOf, isLate }: MeaningParts,
): JudgedBy | undefined => {
  const read = notes.filter(({ relevance }) => relevance >= leastByWords).slice(0, mostRead);
  const closeTo = new Map<number, (note: NoteText) => Closeness>();
  const openAt = (first: number): ((note: NoteText) => Closeness) => {
    const known = closeTo.get(first);
    if (known !== undefined) return known;
    const own = words.slice(first, first + stretch);
    const opened = openCloseness({
      // Of a long prompt, only the part that the note fits is compared.
      text: words.length <= stretch ? text : own.map(({ word }) => word).join(' '),
      words: own.map(({ word, notes: holding }) => ({ word, weight: Math.sqrt(idfOf(holding, total)) })),
    });
    closeTo.set(first, opened);
    return opened;
  };
  const close: Closeness[] = [];
  for (const { row, signs } of read) {
    if (isLate?.() === true) return undefined;
    const note = toIndexedNote(row);
    close.push(openAt(signs.first)({ title: note.title, body: bodyOf(note) }));
  }
  const again = read.map((judged, at): JudgedNote => {
    const relevance = relevanceOf(judged.signs, close[at] ?? { cover: 0, nearness: 0 });
    return { ...judged, relevance };
  });
  return { words, total, rule, notes: again.toSorted((a, b) => b.relevance - a.relevance) };
};

/** Each costs reading a file. */
const mostRead = 8;

/** Fitted like those for words alone (docs/dev/experiments.md). */
const weights = { match: 3.72, tight: 0.45, title: 0.56, enough: 0.1, cover: 1.77, nearness: 1.37, bias: -4.05 };

const relevanceOf = ({ match, tight, title, enough }: Signs, { cover, nearness }: Closeness): number => {
  const sum =
    weights.match * match +
    weights.tight * tight +
    weights.title * title +
    weights.enough * enough +
    weights.cover * cover +
    weights.nearness * nearness +
    weights.bias;
  return 1 / (1 + Math.exp(-sum));
};
