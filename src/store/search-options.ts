/** Types of a search's options and answers, separate from the searching code, which is loaded on demand. */
import type { AboutQuery } from '../answers/note-schema.js';
import type { SearchMode, SearchSort } from '../answers/search-mode.js';
import type { NoteFilter } from '../projections/index/query.js';
import type { SearchHit } from './search-hit.js';

export const defaultK = 8;

export type SearchAnswer = {
  readonly hits: readonly SearchHit[];
  readonly total: number;
  readonly about: AboutQuery;
};

export const noAnswer: SearchAnswer = { hits: [], total: 0, about: {} };

export type SearchOptions = NoteFilter & {
  /** If false, every word is searched as typed. */
  readonly fuzzy?: boolean | undefined;
  readonly k?: number | undefined;
  readonly offset?: number | undefined;
  /** Notes of this project rank higher, and global ones somewhat higher; all are searched. */
  readonly prefer?: string | undefined;
  readonly mode?: SearchMode | undefined;
  /** With the mode `exact`: ignores case. */
  readonly ignoreCase?: boolean | undefined;
  readonly sort?: SearchSort | undefined;
  /** The query's words come from a note that must not leave this machine, so no server is asked. */
  readonly staysHere?: boolean | undefined;
  /** If false, hits have no marks. */
  readonly marks?: boolean | undefined;
  /** Adds to the answer how the index was queried. */
  readonly explain?: boolean | undefined;
  /** Other wordings of the question, which count half. */
  readonly also?: readonly string[] | undefined;
};
