/** From the index to a project's inject block: candidates, then, once their bodies are read, the rendering. */
import type Database from 'better-sqlite3';
import type { NoteId } from '../../events/note/note.js';
import { copiesAmong } from '../index/contested.js';
import type { Access, IndexedNote } from '../index/query.js';
import type { Owner } from '../index/trust.js';
import { shortNoteIds } from '../short-ids.js';
import { type InjectedNote, type Injection, type InjectOptions, renderInjection } from './render.js';
import { type InjectCandidates, injectCandidates, type NamedNote } from './select.js';

export type InjectQuery = InjectOptions & {
  readonly project: string;
  readonly access: Access;
  readonly owner?: Owner | undefined;
  /** Notes that the reader already knows. */
  readonly exclude?: ReadonlySet<NoteId> | undefined;
  /** Notes that have expired by this time are left out. */
  readonly nowSeconds: number;
};

/** Global notes considered for one block; with its frame, a note takes at least 100 units of the budget. */
const maxGlobal = 64;
/** Lines considered for one block; even with a short title, each takes at least 60 units. */
const maxListed = 160;

export type Selection = Omit<InjectCandidates, 'newest'> & {
  /** Notes that may get a line, with or without a body: the project's, newest first, then the global ones. */
  readonly listed: readonly NamedNote[];
  readonly shortIds: ReadonlyMap<NoteId, string>;
};

/** Selects only as many candidates as a block can hold, because their bodies have to be read. */
export const selectInjection = (database: Database.Database, query: InjectQuery): Selection => {
  const { project, access, owner, nowSeconds, k, exclude = new Set<NoteId>() } = query;
  // The global project itself has no other notes to list.
  const global = project === 'global' ? maxListed : maxGlobal;
  const limits = { global: global + exclude.size, project: k + exclude.size, newest: maxListed + exclude.size };
  const { newest, ...all } = injectCandidates(database, project, access, nowSeconds, limits, owner);
  const every = [...all.global, ...newest, ...all.lasting, ...all.episodic];
  // Both sides of a clash count as one note, whose mark says that there is a copy.
  const copies = copiesAmong(
    database,
    every.map(({ id }) => id),
    nowSeconds,
  );
  const isLeftOut = ({ id }: NamedNote): boolean => exclude.has(id) || copies.has(id);
  const without = <Named extends NamedNote>(notes: readonly Named[]): readonly Named[] =>
    notes.filter((note) => !isLeftOut(note));
  const excluded = every.filter(isLeftOut);
  const chosen = {
    global: without(all.global).slice(0, maxGlobal),
    lasting: without(all.lasting).slice(0, k),
    episodic: without(all.episodic).slice(0, k),
  };
  const listed = [...without(newest), ...without(all.global)].slice(0, maxListed);
  const ids = [...listed, ...chosen.global, ...chosen.lasting, ...chosen.episodic].map(({ id }) => id);
  return {
    ...chosen,
    listed,
    total: all.total - new Set(excluded.map(({ id }) => id)).size,
    shortIds: shortNoteIds(database, ids),
  };
};

export const notesToRead = ({
  global,
  lasting,
  episodic,
}: Pick<Selection, 'global' | 'lasting' | 'episodic'>): readonly IndexedNote[] => [...global, ...lasting, ...episodic];

/** `read` has the notes of `notesToRead` by rowid; a missing one is left out. */
export const renderSelection = (
  { global, lasting, episodic, listed, shortIds, total }: Selection,
  read: ReadonlyMap<number, Omit<InjectedNote, 'shortId'>>,
  options: InjectOptions,
): Injection => {
  const named = <Named extends Pick<InjectedNote, 'id'>>(note: Named): Named & { readonly shortId: string } => ({
    ...note,
    shortId: shortIds.get(note.id) ?? note.id,
  });
  const notes = (from: readonly IndexedNote[]): readonly InjectedNote[] =>
    from.flatMap(({ rowid }) => {
      const note = read.get(rowid);
      return note === undefined ? [] : [named(note)];
    });
  // A file that was changed by hand may have another title.
  const lines = listed.map((note) => named({ ...note, title: read.get(note.rowid)?.title ?? note.title }));
  const candidates = { global: notes(global), lasting: notes(lasting), episodic: notes(episodic) };
  return renderInjection({ ...candidates, listed: lines, total }, options);
};
