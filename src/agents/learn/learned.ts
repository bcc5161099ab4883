/** Lessons of a session, and the notes they become. Plain data. */
import type { NoteType } from '../../events/note/note.js';

export const learnedKinds = [
  'correction',
  'preference',
  'decision',
  'fact',
  'debugging',
  'workaround',
  'operation',
] as const;
export type LearnedKind = (typeof learnedKinds)[number];

/** Kinds that one exchange can show; the others take several, and only a deep pass asks for them. */
export const shallowKinds: readonly LearnedKind[] = ['correction', 'preference', 'decision', 'fact'];

/** Unicode characters. A longer text is dropped whole: half a sentence can say the opposite. */
export const maxLessonChars = 1400;
export const maxLessonTitleChars = 100;
/** Lessons of one judgement: more than this from a few exchanges is a transcript, not what was learned from it. */
export const maxLessons = 5;
/** Highest confidence of a lesson from a model, and from forms. Full certainty is left to people. */
export const maxModelConfidence = 0.9;
export const maxFormConfidence = 0.6;

export type Lesson = {
  readonly kind: LearnedKind;
  /** One line. */
  readonly title: string;
  /** Makes sense without the session it is from. */
  readonly text: string;
  readonly keywords: readonly string[];
  /** Above 0, below 1. */
  readonly confidence: number;
  /** Id of a related note that it contradicts; always one that the judge was shown. */
  readonly replaces: string | undefined;
  /** uuid of the exchange it is from, if the judge could say which. */
  readonly turn?: string | undefined;
  /** `<provider>:<model>`, or `heuristic`. */
  readonly judge: string;
  /** True if the person plainly typed it, and it holds no command: it becomes a note. All others are proposed. */
  readonly isPlain: boolean;
};

export type Exchange = {
  readonly uuid: string | undefined;
  readonly atMs: number | undefined;
  readonly prompt: string;
  readonly reply: string;
};

/** A note that lessons are compared with. Never episodic: a session's note would be confirmed by the session. */
export type RelatedNote = {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly confidence: number;
  /** Session that the note was learned in. */
  readonly session?: string | undefined;
  /** A proposal that awaits a review. */
  readonly untrusted?: boolean | undefined;
};

/** Lessons on how to work are procedural; lessons on what is the case are semantic. */
export const noteTypeOfLesson = ({ kind }: Pick<Lesson, 'kind'>): NoteType => {
  switch (kind) {
    case 'correction':
    case 'preference':
    case 'workaround':
    case 'operation':
      return 'procedural';
    case 'decision':
    case 'fact':
    case 'debugging':
      return 'semantic';
  }
};

export const tagsOfLesson = ({ kind }: Pick<Lesson, 'kind'>): readonly string[] => ['learned', kind];
