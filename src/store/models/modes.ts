/** How a search goes where a model takes part. */
import type { AboutQuery } from '../../answers/note-schema.js';
import type { SearchFusion, SearchMode } from '../../answers/search-mode.js';
import type { Settings } from '../../config/settings.js';
import type { JournalName, Scope } from '../../events/note/note.js';
import type { IndexedNote } from '../../projections/index/query.js';
import type { searchPreferring } from '../../projections/search/prefer.js';
import type { Vectors } from '../vectors.js';

export type Search = typeof searchPreferring;

export type NearestPart = (note: IndexedNote, body: string) => Promise<number | undefined>;

/** A search with a model; without `search` words alone count, and `about` says why. */
export type OpenedMode = {
  readonly about: Pick<AboutQuery, 'mode' | 'degraded' | 'fusion'>;
  readonly search?: Search;
  /** Where in a note's body its part begins that is nearest in meaning; undefined where that isn't known. */
  readonly nearestPart?: NearestPart;
  /** Of the model in its version. */
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
  readonly fusion: SearchFusion;
  readonly scope: Scope | undefined;
  /** The words come from a note that never leaves this machine. */
  readonly staysHere?: boolean | undefined;
};

export const byWords = (degraded: string): OpenedMode => ({ about: { mode: 'keyword', degraded } });
