/** From the index to the block of a project: candidates, then, once somebody has read their bodies, the rendering. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import type { Access, IndexedNote } from '../index/query.js';
import { type InjectedNote, type Injection, type InjectOptions, renderInjection } from './render.js';
import { type InjectCandidates, injectCandidates } from './select.js';

export type InjectQuery = InjectOptions & {
  readonly project: string;
  readonly access: Access;
  /** Notes that the reader knows already. */
  readonly exclude?: ReadonlySet<NoteId> | undefined;
  /** Expired notes are left out as of this time. */
  readonly nowSeconds: number;
};

/** Global notes looked at for one block; with its frame a note takes at least 100 units of the budget. */
const maxGlobal = 64;

/** Only as many candidates as a block can hold: their bodies have to be read. */
export const selectInjection = (database: Database.Database, query: InjectQuery): InjectCandidates => {
  const { project, access, nowSeconds, k, exclude = new Set<NoteId>() } = query;
  const limits = { global: maxGlobal, project: k + exclude.size };
  const all = injectCandidates(database, project, access, nowSeconds, limits);
  const without = (notes: readonly IndexedNote[]): readonly IndexedNote[] => notes.filter(({ id }) => !exclude.has(id));
  const found = notesToRead(all).filter(({ id }) => exclude.has(id)).length;
  return {
    global: without(all.global),
    lasting: without(all.lasting).slice(0, k),
    episodic: without(all.episodic).slice(0, k),
    total: all.total - found,
  };
};

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
): Injection => {
  const notes = (from: readonly IndexedNote[]): readonly InjectedNote[] =>
    from.flatMap(({ rowid }) => read.get(rowid) ?? []);
  return renderInjection({ global: notes(global), lasting: notes(lasting), episodic: notes(episodic), total }, options);
};
