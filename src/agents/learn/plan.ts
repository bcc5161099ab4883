/** Decides what to record for lessons, given the existing notes. Pure. */

import { compareTexts, contentWordsOf, type Likeness, normaliseText, shareOf } from '../../events/note/likeness.js';
import type { Lesson, RelatedNote } from './learned.js';

export type LearnStep =
  | {
      readonly kind: 'write';
      readonly lesson: Lesson;
      /** Ids of the notes that it would supersede once a person accepts it. */
      readonly proposes: readonly string[];
    }
  | { readonly kind: 'confirm'; readonly id: string; readonly lesson: Lesson };

export type PlanOptions = {
  /** A note learned in this session is not confirmed by it: a deep pass reads the same exchanges again. */
  readonly session?: string | undefined;
};

/**
 * A lesson that a note contains confirms it; one that contradicts a note proposes to supersede it. Of equal lessons the
 * plainly typed or surest stays, of contrary ones the last. A typed one doesn't confirm a proposal: it becomes a note.
 */
export const planLessons = (
  lessons: readonly Lesson[],
  relatedTo: (lesson: Lesson) => readonly RelatedNote[],
  { session }: PlanOptions = {},
): readonly LearnStep[] => {
  const confirmed = new Set<string>();
  return mergeLessons(lessons).flatMap((lesson): readonly LearnStep[] => {
    const related = relatedTo(lesson).filter(({ untrusted }) => !(lesson.isPlain && untrusted === true));
    const notes = related.map((note) => ({ note, likeness: compareNote(lesson, note) }));
    const same = notes.filter(({ likeness }) => likeness === 'same').map(({ note }) => note);
    const known = findNearest(lesson, same);
    if (known !== undefined) {
      if (confirmed.has(known.id) || (session !== undefined && known.session === session)) return [];
      confirmed.add(known.id);
      return [{ kind: 'confirm', id: known.id, lesson }];
    }
    const against = notes.filter(({ likeness }) => isAgainst(likeness)).map(({ note }) => note.id);
    const replaced = lesson.replaces === undefined ? [] : [lesson.replaces];
    return [{ kind: 'write', lesson, proposes: [...new Set([...replaced, ...against])].toSorted(byCodeUnits) }];
  });
};

const mergeLessons = (lessons: readonly Lesson[]): readonly Lesson[] => {
  const kept: Lesson[] = [];
  for (const lesson of lessons) {
    const at = kept.findIndex((other) => compareTexts(lesson.text, other.text) !== 'apart');
    const other = kept[at];
    if (other === undefined) kept.push(lesson);
    else if (other.isPlain && !lesson.isPlain) continue;
    else if (isAgainst(compareTexts(lesson.text, other.text)) || isBetter(lesson, other)) kept[at] = lesson;
  }
  return kept;
};

const isAgainst = (likeness: Likeness): boolean => likeness === 'opposite' || likeness === 'changed';

const isBetter = (lesson: Lesson, other: Lesson): boolean =>
  lesson.isPlain === other.isPlain ? lesson.confidence > other.confidence : lesson.isPlain;

/** A judge that saw the note knows better than a comparison of words, unless the texts are equal. */
const compareNote = (lesson: Lesson, { id, title, body }: RelatedNote): Likeness => {
  const isEqual = [body, title, `${title}\n${body}`].some(
    (text) => normaliseText(text.slice(0, maxEqualChars)) === normaliseText(lesson.text),
  );
  if (isEqual) return 'same';
  if (lesson.replaces === id) return 'opposite';
  const ofBody = compareTexts(lesson.text, body);
  return ofBody === 'apart' ? compareTexts(lesson.text, title) : ofBody;
};

/** Longer than any lesson. */
const maxEqualChars = 4000;

const findNearest = (lesson: Lesson, notes: readonly RelatedNote[]): RelatedNote | undefined => {
  const said = contentWordsOf(lesson.text);
  const ranked = notes.map((note) => ({
    note,
    share: shareOf(said, contentWordsOf(note.body.slice(0, maxEqualChars))),
  }));
  return ranked.toSorted(
    (a, b) => b.share - a.share || b.note.confidence - a.note.confidence || byCodeUnits(a.note.id, b.note.id),
  )[0]?.note;
};

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
