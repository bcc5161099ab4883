/** Types of a search that uses a model. */
import type { AboutQuery } from '../../answers/note-schema.js';
import type { SearchMode } from '../../answers/search-mode.js';
import type { Settings } from '../../config/settings.js';
import type { JournalName, Scope } from '../../events/note/note.js';
import type { IndexedNote } from '../../projections/index/query.js';
import type { searchPreferring } from '../../projections/search/search.js';
import type { Vectors } from '../vectors.js';

export type Search = typeof searchPreferring;

export type NearestPart = (note: IndexedNote, body: string) => Promise<number | undefined>;

/** A search with a model; without `search`, words alone count, and `about` says why. */
export type OpenedMode = {
  readonly about: Pick<AboutQuery, 'mode' | 'degraded'>;
  readonly search?: Search;
  /** Returns the offset in the body of the passage nearest in meaning; undefined if unknown. */
  readonly nearestPart?: NearestPart;
  /** Identifies the model and its version. */
  readonly identity?: string;
};

export type ModeStore = {
  readonly settings: Settings;
  readonly folders: Readonly<Record<JournalName, string>>;
  readonly vectors: () => Promise<Vectors>;
};

export type ModeAsked = {
  readonly text: string;
  readonly mode: Extract<SearchMode, 'auto' | 'hybrid' | 'semantic'>;
  readonly scope: Scope | undefined;
  /** The query's words come from a note that must not leave this machine. */
  readonly staysHere?: boolean | undefined;
};

export const byWords = (degraded: string): OpenedMode => ({ about: { mode: 'keyword', degraded } });
