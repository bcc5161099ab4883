/** The questions and answers of a search, apart from the code that searches, which is then loaded only for searching. */
import type { AboutQuery } from '../answers/note-schema.js';
import type { SearchFusion, SearchMode, SearchSort } from '../answers/search-mode.js';
import type { NoteFilter } from '../projections/index/query.js';
import type { SearchHit } from './search-hit.js';

export const defaultK = 8;

export type SearchAnswer = {
  readonly hits: readonly SearchHit[];
  readonly total: number;
  readonly about: AboutQuery;
};

export const noAnswer: SearchAnswer = { hits: [], total: 0, about: {} };

/** How far a mistyped word may be from one of the notes. */
export type FuzzyAsked = {
  /** False looks for every word as it was typed. */
  readonly fuzzy?: boolean | undefined;
  /** Least likeness in trigrams, 0 to 1. */
  readonly fuzzyThreshold?: number | undefined;
  /** Slips in one word, 1 or 2 at most. */
  readonly fuzzyDistance?: number | undefined;
};

export type SearchOptions = NoteFilter &
  FuzzyAsked & {
    readonly k?: number | undefined;
    readonly offset?: number | undefined;
    /** Notes of this project count for more, and global ones for somewhat more; all are looked at. */
    readonly prefer?: string | undefined;
    readonly mode?: SearchMode | undefined;
    /** Where words and meaning both count. */
    readonly fusion?: SearchFusion | undefined;
    /** With the mode `exact`: letters in either case. */
    readonly ignoreCase?: boolean | undefined;
    readonly sort?: SearchSort | undefined;
    /** The words are those of a note that never leaves this machine, so no server is asked about them. */
    readonly staysHere?: boolean | undefined;
    /** False leaves out the marks of the hits. */
    readonly marks?: boolean | undefined;
    /** The answer says what was asked of the index. */
    readonly explain?: boolean | undefined;
    /** Other wordings of the question, which count half. */
    readonly also?: readonly string[] | undefined;
  };
