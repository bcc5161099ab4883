/** From the index to the block of a project: candidates, their bodies, the rendering. */
import type Database from 'better-sqlite3';
import type { Note } from '../../events/note.js';
import type { Access, IndexedNote } from '../index/query.js';
import { type InjectOptions, renderInjection } from './render.js';
import { injectCandidates } from './select.js';

export type InjectQuery = InjectOptions & {
  readonly project: string;
  readonly access: Access;
  /** Expired notes are left out as of this time. */
  readonly nowSeconds: number;
};

/** Global notes looked at for one block; with its frame a note takes at least 100 units of the budget. */
const mostGlobal = 64;

/** Bodies are read only as far as a block can hold them; `readNote` answers undefined for a file that is not there. */
export const buildInjection = (
  database: Database.Database,
  query: InjectQuery,
  readNote: (note: IndexedNote) => Note | undefined,
): string => {
  const candidates = injectCandidates(database, query.project, query.access, query.nowSeconds);
  const read = (notes: readonly IndexedNote[], most: number): readonly Note[] =>
    notes.slice(0, most).flatMap((note) => readNote(note) ?? []);
  return renderInjection(
    {
      global: read(candidates.global, mostGlobal),
      lasting: read(candidates.lasting, query.k),
      episodic: read(candidates.episodic, query.k),
      total: candidates.total,
    },
    query,
  );
};
