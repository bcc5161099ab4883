/** Recalls the notes that fit a prompt. Loaded with the first prompt; `inject` doesn't need it. */

import type Database from 'better-sqlite3';
import type { RecallJson } from '../answers/note-schema.js';
import type { Settings } from '../config/settings.js';
import type { JournalName, NoteId } from '../events/note/note.js';
import { contestsOf, withoutCopies } from '../projections/index/contested.js';
import { foreignNotes } from '../projections/index/foreign-notes.js';
import { type Access, filesOfNote, type IndexedNote } from '../projections/index/query.js';
import { isOffered, type Owner } from '../projections/index/trust.js';
import { type RecallBlock, type RecallBlockOptions, renderRecall } from '../projections/inject/recall-block.js';
import {
  byWords,
  chooseNotes,
  isWorthReading,
  type JudgedBy,
  type Judgement,
  judgeNotes,
  type RecallHit as RecalledNote,
  type RecallQuery,
} from '../projections/recall/recall.js';
import { readThresholds } from '../projections/recall/thresholds.js';
import { shortNoteIds } from '../projections/short-ids.js';
import type { LiveIndex } from './live-index.js';
import type { NoteTexts } from './note-texts.js';

export type RecallOptions = RecallBlockOptions & {
  readonly project: string;
  readonly k: number;
  /** Ids of notes that the session already has. */
  readonly exclude: ReadonlySet<NoteId>;
  /** Ids of notes that were named in a line before: they may be shown, but not named again. */
  readonly told?: ReadonlySet<NoteId> | undefined;
  readonly access?: Access | undefined;
};

export type RecallAnswer = Omit<RecallBlock, 'maybe'> &
  Pick<RecallJson, 'notes' | 'maybe'> & { readonly explain?: RecallHow };

type RecallHow = NonNullable<RecallJson['explain']>;

export type RecallStore = {
  readonly settings: Settings;
  readonly folders: Readonly<Record<JournalName, string>>;
  readonly liveIndex: LiveIndex;
  readonly texts: NoteTexts;
};

/** By words if no static model is in use, or it isn't read in time. If no note fits by words, it isn't loaded. */
const judgeByMeaning = async (
  { settings, folders }: RecallStore,
  judgement: Judgement,
  { text }: RecallQuery,
): Promise<JudgedBy & Pick<RecallHow, 'model' | 'degraded'>> => {
  const model = settings.searchModel;
  const words = { ...byWords(judgement), model: null };
  if (model === undefined) return words;
  if (!isWorthReading(judgement)) return { ...words, degraded: 'no note fits by words, so the model was not used' };
  const { openPromptModel } = await import('./models/prompt-model.js');
  const promptModel = await openPromptModel(settings, folders);
  if ('whyNot' in promptModel) return { ...words, degraded: promptModel.whyNot };
  const judged = promptModel.meaning.judgeAgain(judgement, text);
  return judged === undefined ? { ...words, degraded: 'the model took too long' } : { ...judged, model };
};

/** Recalls notes; the store must have some. */
export const recallFor = async (
  store: RecallStore,
  prompt: string,
  { project, k, exclude, told = new Set(), access = {}, ...options }: RecallOptions,
): Promise<RecallAnswer> => {
  const { liveIndex, texts, settings } = store;
  const nowSeconds = Math.floor(Date.now() / 1000);
  const query = { text: prompt, project, k, exclude, access, owner: settings, nowSeconds };
  const judged = await judgeByMeaning(store, await liveIndex.ask((database) => judgeNotes(database, query)), query);
  const chosen = await liveIndex.ask((database) => chooseFor(database, judged, query, told));
  const { recalled, maybe, foreign, contested, shortIdOf } = chosen;
  const read = await texts.readHeads(recalled.map(({ note }) => note));
  const mayCome = (note: IndexedNote): boolean =>
    isOffered(note, settings) && !exclude.has(note.id) && (note.project === project || note.project === 'global');
  const solutions = read.some(({ resolvers = [] }) => resolvers.length > 0)
    ? await (await import('./resolving.js')).findSolutions(store, recalled, {
        read,
        access,
        owner: settings,
        nowSeconds,
        mayCome,
      })
    : [];
  const solving = new Set(solutions.map(({ read: { note } }) => note.id));
  const injection = renderRecall(
    read.map(({ note, body }) => ({
      ...note,
      body,
      foreign: foreign.has(note.id),
      contested: contested.get(note.id),
      shortId: shortIdOf(note.id),
    })),
    maybe.filter(({ note }) => !solving.has(note.id)).map(({ note }) => ({ ...note, shortId: shortIdOf(note.id) })),
    options,
    {
      most: k,
      solutions: solutions.map(({ read: { note, body }, hit, ...about }) => ({
        ...note,
        ...about,
        body,
        contested: [`resolves: ${shortIdOf(hit.note.id)}`, ...(about.contested ?? [])],
      })),
    },
  );
  const brought = solutions.map(({ read: { note }, hit, shortId }) => ({
    ...toJson({ ...hit, note }, shortIdOf),
    short_id: shortId,
    resolves: shortIdOf(hit.note.id),
  }));
  const shownIn = (ids: readonly NoteId[], found: readonly RecalledNote[]): RecallJson['notes'] => [
    ...found.filter(({ note }) => !solving.has(note.id) && ids.includes(note.id)).map((one) => toJson(one, shortIdOf)),
    ...brought.filter(({ id }) => ids.includes(id)),
  ];
  const notes = { notes: shownIn(injection.ids, recalled), maybe: shownIn(injection.maybe, maybe) };
  return { ...injection, ...notes, explain: explain(judged, chosen) };
};

type Choice = ReturnType<typeof chooseFor>;

/** Chooses the notes to show and to name, with what the index knows of them. */
const chooseFor = (
  database: Database.Database,
  judged: JudgedBy,
  { k, exclude, owner, nowSeconds }: RecallQuery & { readonly owner: Owner },
  told: ReadonlySet<NoteId>,
) => {
  const found = chooseNotes(database, judged, k);
  const original = (id: NoteId): IndexedNote | undefined => filesOfNote(database, id)[0];
  const recalled = withoutCopies(database, found.notes, nowSeconds, exclude, original);
  const known = new Set([...exclude, ...recalled.map(({ note }) => note.id)]);
  const maybe = withoutCopies(database, found.maybe, nowSeconds, exclude, original).filter(
    ({ note }) => !known.has(note.id) && !told.has(note.id),
  );
  const ids = [...recalled, ...maybe].map(({ note }) => note.id);
  const below = judged.notes.filter(({ row }) => !ids.includes(row.id)).slice(0, maxBelow);
  const shortIds = shortNoteIds(database, [...ids, ...below.map(({ row }) => row.id)]);
  return {
    recalled,
    maybe,
    below,
    thresholds: readThresholds(database, judged.rule),
    foreign: foreignNotes(database, ids),
    contested: contestsOf(database, ids, nowSeconds, owner),
    shortIdOf: (id: NoteId): string => shortIds.get(id) ?? id,
  };
};

const explain = (
  { model, degraded }: Pick<RecallHow, 'model' | 'degraded'>,
  { thresholds, below, shortIdOf }: Choice,
): RecallHow => ({
  model,
  ...(degraded === undefined ? {} : { degraded }),
  shown_from: toFour(thresholds.sure),
  named_from: toFour(thresholds.maybe),
  below: below.map(({ row, relevance }) => toJson({ note: row, relevance }, shortIdOf)),
});

const toJson = (
  { note: { id, title }, relevance }: { readonly note: Pick<IndexedNote, 'id' | 'title'>; readonly relevance: number },
  shortIdOf: (id: NoteId) => string,
): RecallJson['notes'][number] => ({ id, short_id: shortIdOf(id), title, relevance: toFour(relevance) });

/** Judged notes that were neither shown nor named: for anyone who asks why one is missing. */
const maxBelow = 3;

const toFour = (share: number): number => Math.round(share * 1e4) / 1e4;
