/** Finds the notes that recalled notes name as their solution. Loaded only if one names any. */

import { contestsOf } from '../../projections/index/contested.js';
import { foreignNotes } from '../../projections/index/foreign-notes.js';
import type { Access, IndexedNote } from '../../projections/index/query.js';
import type { Owner } from '../../projections/index/trust.js';
import type { InjectedNote } from '../../projections/inject/render.js';
import type { LiveIndex } from '../../workers/live-index.js';
import type { NoteTexts, ReadNote } from '../note-texts.js';
import { findResolvers, type Hit, type Resolver } from './resolving.js';

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
