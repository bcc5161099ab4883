/** Adds the notes that a hit names as its solution, whether or not they match the query. */
import type { NoteId } from '../events/note/note.js';
import { contestsOf } from '../projections/index/contested.js';
import { foreignNotes } from '../projections/index/foreign-notes.js';
import { type Access, type IndexedNote, toIndexedNote } from '../projections/index/query.js';
import { noteAtRow } from '../projections/index/rows.js';
import type { Owner } from '../projections/index/trust.js';
import type { InjectedNote } from '../projections/inject/render.js';
import type { FusedNote } from '../projections/search/hybrid.js';
import { liveRowsOf } from '../projections/search/rank-hits.js';
import { shortNoteIds } from '../projections/short-ids.js';
import type { LiveIndex } from './live-index.js';
import type { NoteTexts, ReadNote } from './note-texts.js';
import type { SearchOptions } from './search-options.js';

export type Hit = { readonly note: IndexedNote };

export type Resolver<Found extends Hit = FusedNote> = {
  readonly read: ReadNote;
  /** The first hit that names it. */
  readonly hit: Found;
};

export type Resolving<Found extends Hit = FusedNote> = {
  readonly resolvers: readonly Resolver<Found>[];
  readonly shortIds: ReadonlyMap<NoteId, string>;
};

export const noResolving: Resolving<never> = { resolvers: [], shortIds: new Map() };

/** At most three, in hit order: live notes that pass the filter, or their successors. `read`: the hits' files. */
export const findResolvers = async <Found extends Hit>(
  { liveIndex, texts }: { readonly liveIndex: LiveIndex; readonly texts: NoteTexts },
  hits: readonly Found[],
  read: readonly ReadNote[],
  filter: SearchOptions,
  nowSeconds: number,
  mayCome: (note: IndexedNote) => boolean = () => true,
): Promise<Resolving<Found>> => {
  const named = hits.flatMap((hit, at) => (read[at]?.resolvers ?? []).slice(0, maxNamed).map((id) => ({ id, hit })));
  if (named.length === 0) return noResolving;
  const { found, shortIds } = await liveIndex.ask((database) => {
    const ids = [...new Set(named.map(({ id }) => id))];
    const rows = liveRowsOf(database, ids, { filter, nowSeconds });
    const found = new Map<NoteId, { readonly note: IndexedNote; readonly hit: Found }>();
    const shown = new Set(hits.map(({ note }) => note.id));
    for (const { id, hit } of named) {
      const rowid = rows.get(id);
      const row = rowid === undefined ? undefined : noteAtRow(database, rowid);
      if (row === undefined || shown.has(row.id) || found.has(row.id) || found.size === maxResolvers) continue;
      const note = toIndexedNote(row);
      if (mayCome(note)) found.set(row.id, { note, hit });
    }
    return { found: [...found.values()], shortIds: shortNoteIds(database, [...found.keys()]) };
  });
  const heads = await texts.readHeads(found.map(({ note }) => note));
  return {
    resolvers: found.flatMap(({ hit }, at) => (heads[at] === undefined ? [] : [{ read: heads[at], hit }])),
    shortIds,
  };
};

/** As many as LLMemory adds. */
const maxResolvers = 3;
/** A synced note may name thousands. */
const maxNamed = 16;

type Solution<Found extends Hit> = Resolver<Found> & Pick<InjectedNote, 'shortId' | 'foreign' | 'contested'>;

type SolutionsAsked = {
  readonly read: readonly ReadNote[];
  readonly access: Access;
  readonly owner: Owner;
  readonly nowSeconds: number;
  readonly mayCome: (note: IndexedNote) => boolean;
};

/** Finds them as a search does, and adds the fields shown for each. */
export const findSolutions = async <Found extends Hit>(
  store: { readonly liveIndex: LiveIndex; readonly texts: NoteTexts },
  recalled: readonly Found[],
  { read, access, owner, nowSeconds, mayCome }: SolutionsAsked,
): Promise<readonly Solution<Found>[]> => {
  const { resolvers, shortIds } = await findResolvers(store, recalled, read, access, nowSeconds, mayCome);
  const ids = resolvers.map(({ read: { note } }) => note.id);
  const { foreign, contested } = await store.liveIndex.ask((database) => ({
    foreign: foreignNotes(database, ids),
    contested: contestsOf(database, ids, nowSeconds, owner),
  }));
  return resolvers.map((resolver) => {
    const { id } = resolver.read.note;
    const about = { foreign: foreign.has(id), contested: contested.get(id) };
    return { ...resolver, ...about, shortId: shortIds.get(id) ?? id };
  });
};
