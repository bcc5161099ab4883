/** From the index to the block of a project: candidates, then, once somebody has read their bodies, the rendering. */
import type Database from 'better-sqlite3';
import type { Access, IndexedNote } from '../index/query.js';
import { type InjectedNote, type InjectOptions, renderInjection } from './render.js';
import { type InjectCandidates, injectCandidates } from './select.js';

export type InjectQuery = InjectOptions & {
  readonly project: string;
  readonly access: Access;
  /** Expired notes are left out as of this time. */
  readonly nowSeconds: number;
};

/** Global notes looked at for one block; with its frame a note takes at least 100 units of the budget. */
const mostGlobal = 64;

/** Only as many candidates as a block can hold: their bodies have to be read. */
export const selectInjection = (database: Database.Database, query: InjectQuery): InjectCandidates =>
  injectCandidates(database, query.project, query.access, query.nowSeconds, { global: mostGlobal, project: query.k });

export const notesToRead = ({ global, lasting, episodic }: InjectCandidates): readonly IndexedNote[] => [
  ...global,
  ...lasting,
  ...episodic,
];

/** `read` are the notes of `notesToRead`, by row; one that is missing is left out. */
export const renderSelection = (
  { global, lasting, episodic, total }: InjectCandidates,
  read: ReadonlyMap<number, InjectedNote>,
  options: InjectOptions,
): string => {
  const notes = (from: readonly IndexedNote[]): readonly InjectedNote[] =>
    from.flatMap(({ rowid }) => read.get(rowid) ?? []);
  return renderInjection({ global: notes(global), lasting: notes(lasting), episodic: notes(episodic), total }, options);
};
