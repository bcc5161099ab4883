/** The notes that fit a prompt, as a session is shown them. Loaded with the first prompt, as `inject` does without. */
import type { RecallJson } from '../answers/note-schema.js';
import type { NoteId } from '../events/note/note.js';
import { contestsOf, withoutCopies } from '../projections/index/contested.js';
import { foreignNotes } from '../projections/index/foreign-notes.js';
import { type Access, filesOfNote, type IndexedNote } from '../projections/index/query.js';
import { type RecallBlock, type RecallBlockOptions, renderRecall } from '../projections/inject/recall-block.js';
import { type Recalled, recallNotes } from '../projections/recall/recall.js';
import { shortNoteIds } from '../projections/short-ids.js';
import type { LiveIndex } from '../workers/live-index.js';
import type { NoteTexts } from './note-texts.js';

export type RecallOptions = RecallBlockOptions & {
  readonly project: string;
  readonly k: number;
  /** Ids of notes that are known already. */
  readonly exclude: ReadonlySet<NoteId>;
  /** Ids of notes that were given a line before: they may be shown, and get no other line. */
  readonly told?: ReadonlySet<NoteId> | undefined;
  readonly access?: Access | undefined;
};

/** The recalled notes, and how well each of them fits. */
export type RecallAnswer = Omit<RecallBlock, 'maybe'> & Pick<RecallJson, 'notes' | 'maybe'>;

/** In a store that has notes. */
export const recallFor = async (
  { liveIndex, texts }: { readonly liveIndex: LiveIndex; readonly texts: NoteTexts },
  prompt: string,
  { project, k, exclude, told = new Set(), access = {}, ...options }: RecallOptions,
): Promise<RecallAnswer> => {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const query = { text: prompt, project, k, exclude, access, nowSeconds };
  const { recalled, maybe, foreign, contested, shortIds } = await liveIndex.ask((database) => {
    const found = recallNotes(database, query);
    const original = (id: NoteId): IndexedNote | undefined => filesOfNote(database, id)[0];
    const recalled = withoutCopies(database, found.notes, nowSeconds, exclude, original);
    const known = new Set([...exclude, ...recalled.map(({ note }) => note.id)]);
    const maybe = withoutCopies(database, found.maybe, nowSeconds, exclude, original).filter(
      ({ note }) => !known.has(note.id) && !told.has(note.id),
    );
    const ids = [...recalled, ...maybe].map(({ note }) => note.id);
    return {
      recalled,
      maybe,
      foreign: foreignNotes(database, ids),
      contested: contestsOf(database, ids, nowSeconds),
      shortIds: shortNoteIds(database, ids),
    };
  });
  const read = await texts.readHeads(recalled.map(({ note }) => note));
  const shortIdOf = (id: NoteId): string => shortIds.get(id) ?? id;
  const injection = renderRecall(
    read.map(({ note, body }) => ({
      ...note,
      body,
      foreign: foreign.has(note.id),
      contested: contested.get(note.id),
      shortId: shortIdOf(note.id),
    })),
    maybe.map(({ note }) => ({ ...note, shortId: shortIdOf(note.id) })),
    options,
  );
  const toJson = ({ note: { id, title }, relevance }: Recalled): RecallJson['notes'][number] => ({
    id,
    short_id: shortIdOf(id),
    title,
    relevance: Math.round(relevance * 1e4) / 1e4,
  });
  return {
    ...injection,
    notes: recalled.filter(({ note }) => injection.ids.includes(note.id)).map(toJson),
    maybe: maybe.filter(({ note }) => injection.maybe.includes(note.id)).map(toJson),
  };
};
