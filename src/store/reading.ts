/** Reads a store without writing to it. Loads no zod, MCP SDK, simple-git or piscina; loads a search only on demand. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { noteUnknown } from '../commands/refusals.js';
import { sourceKeyOfSession } from '../commands/source-keys.js';
import type { Settings } from '../config/settings.js';
import { openGitJournal } from '../events/git/git-journal.js';
import { type JournalName, journalFolder, journalNames, type NoteId } from '../events/note/note.js';
import { type EventFilter, type ListedEvent, listEvents } from '../projections/history/query.js';
import { contestsOf } from '../projections/index/contested.js';
import { foreignNotes } from '../projections/index/foreign-notes.js';
import {
  type Access,
  filesOfNote,
  type IndexedNote,
  idOfSourceKey,
  idsOfSession,
  listNotes,
  type NoteFilter,
} from '../projections/index/query.js';
import { notesToRead, renderSelection, selectInjection } from '../projections/inject/inject.js';
import { defaultInject, type Injection, type InjectOptions, noInjection } from '../projections/inject/render.js';
import { shortNoteIds } from '../projections/short-ids.js';
import { LiveIndex } from '../workers/live-index.js';
import { openLog } from './log.js';
import { indexedNoteJson, type NoteJson, noteJson } from './note-json.js';
import { NoteTexts } from './note-texts.js';
import type { RecallAnswer, RecallOptions } from './recalling.js';
import { type Lookup, readTypedId, resolveTyped } from './resolve-id.js';
import { noAnswer, type SearchAnswer, type SearchOptions } from './search-options.js';
import type { Vectors } from './vectors.js';

export type { Lookup, RecallAnswer, RecallOptions };

export type InjectionOptions = Partial<InjectOptions> & {
  readonly exclude?: ReadonlySet<NoteId> | undefined;
  readonly access?: Access | undefined;
};

export type NoteList = { readonly notes: readonly NoteJson[]; readonly total: number };

/** Called when a note's file isn't as it was checked out. */
export type OnHandEdit = (journal: JournalName, path: string) => void;

type Parts = ReturnType<typeof openParts>;

const openParts = (settings: Settings, onHandEdit: OnHandEdit) => {
  const { home } = settings;
  const log = openLog(join(home, 'logs'));
  const journals = {
    portable: openGitJournal('portable', join(home, journalFolder.portable), log),
    local: openGitJournal('local', join(home, journalFolder.local), log),
  };
  const folders = { portable: journals.portable.folder, local: journals.local.folder };
  const indexFolder = join(home, 'index');
  const liveIndex = new LiveIndex(indexFolder, [journals.portable, journals.local], log);
  let opened: Promise<Vectors> | undefined;
  return {
    settings,
    journals,
    folders,
    liveIndex,
    log,
    texts: new NoteTexts(journals, onHandEdit),
    /** The notes' vectors, loaded on demand. */
    vectors: (): Promise<Vectors> => {
      opened ??= import('./vectors.js').then(({ openVectors }) =>
        openVectors({ folder: indexFolder, liveIndex, journals }),
      );
      return opened;
    },
    /**
     * True for a missing store, and for folders of notes that aren't repositories yet: they have nothing to show, and
     * asking the index would create one.
     */
    isEmpty: (): boolean => !journalNames.some((name) => journals[name].exists()),
    close: (): void => {
      void opened?.then((open) => open.close());
      liveIndex.close();
    },
  };
};

export type Reading = ReturnType<typeof openReading>;

export const openReading = (settings: Settings, onHandEdit: OnHandEdit) => {
  const parts = openParts(settings, onHandEdit);
  const { journals, liveIndex, vectors, log, isEmpty, close } = parts;
  return {
    settings,
    journals,
    liveIndex,
    vectors,
    log,
    isEmpty,
    close,
    /** False until the first command that writes. */
    exists: (): boolean => journalNames.some((name) => existsSync(journals[name].folder)),
    /** Asks the index; undefined if there is no store. */
    ask: async <Answer>(question: (database: Database.Database) => Answer): Promise<Answer | undefined> =>
      isEmpty() ? undefined : liveIndex.ask(question),
    search: (text: string, options: SearchOptions): Promise<SearchAnswer> => search(parts, text, options),
    list: (filter: NoteFilter, limit: number, offset?: number): Promise<NoteList> => list(parts, filter, limit, offset),
    /** Returns the note with its body; `given` is an id, or its beginning or end. */
    show: (given: string, access?: Access): Promise<Lookup<NoteJson>> => show(parts, given, access),
    /** Returns a note as shown to a session, with a long body cut; undefined if there is none. */
    head: (id: NoteId) => readHead(parts, id),
    /** Resolves the beginning or end of an id, also of a forgotten note, which a restricted access can't see. */
    resolveId: (given: string, access?: Access): Promise<Lookup<NoteId>> => resolveId(parts, given, access),
    events: async (filter: EventFilter, limit: number): Promise<readonly ListedEvent[]> =>
      isEmpty() ? [] : liveIndex.ask((database) => listEvents(database, filter, limit)),
    inject: (project: string, options?: InjectionOptions): Promise<Injection> => inject(parts, project, options),
    /** Returns notes of the project that fit a prompt well enough to be added to it. */
    recall: async (prompt: string, options: RecallOptions): Promise<RecallAnswer> => {
      if (isEmpty()) return { ...noInjection, notes: [], maybe: [] };
      const { recallFor } = await import('./recalling.js');
      return recallFor(parts, prompt, options);
    },
    /** Returns the id of the note captured from an agent's session. */
    sessionNoteId: async (session: string): Promise<NoteId | undefined> =>
      isEmpty() || session === ''
        ? undefined
        : liveIndex.ask((database) => idOfSourceKey(database, sourceKeyOfSession(session))),
    /** Ids of all notes that an agent's session wrote. */
    sessionNoteIds: async (session: string): Promise<readonly NoteId[]> =>
      isEmpty() || session === '' ? [] : liveIndex.ask((database) => idsOfSession(database, session)),
  };
};

const search = async (parts: Parts, text: string, asked: SearchOptions): Promise<SearchAnswer> => {
  const { mode, ...options } = asked;
  // Without notes, nothing is created and no server is asked.
  if (parts.isEmpty()) return mode === 'exact' ? { ...noAnswer, about: { mode } } : noAnswer;
  if (mode === 'exact') return (await import('./exact-search.js')).answerExact(parts, text, options);
  return (await import('./finding.js')).findNotes(parts, text, asked);
};

const idsOf = (notes: readonly IndexedNote[]): readonly NoteId[] => notes.map(({ id }) => id);

const list = async ({ isEmpty, liveIndex }: Parts, filter: NoteFilter, limit: number, offset?: number) => {
  if (isEmpty()) return { notes: [], total: 0 };
  return liveIndex.ask((database) => {
    const { notes, total } = listNotes(database, filter, limit, offset);
    const shortIds = shortNoteIds(database, idsOf(notes));
    return { notes: notes.map((note) => indexedNoteJson(note, shortIds)), total };
  });
};

const resolveId = async (
  { isEmpty, liveIndex }: Parts,
  given: string,
  access: Access = {},
): Promise<Lookup<NoteId>> => {
  const typed = readTypedId(given);
  if (!typed.ok) return typed;
  if (typed.answer.isWhole) return { ok: true, answer: typed.answer.text };
  if (isEmpty()) return { ok: false, refusal: noteUnknown(typed.answer.text) };
  return liveIndex.ask((database) => resolveTyped(database, typed.answer.text, access));
};

const show = async (parts: Parts, given: string, access: Access | undefined): Promise<Lookup<NoteJson>> => {
  const { liveIndex, settings, texts, folders } = parts;
  const id = await resolveId(parts, given, access);
  if (!id.ok) return id;
  if (parts.isEmpty()) return { ok: false, refusal: noteUnknown(id.answer) };
  const nowSeconds = Math.floor(Date.now() / 1000);
  const { indexed, shortId, claimed, contested } = await liveIndex.ask((database) => ({
    indexed: filesOfNote(database, id.answer)[0],
    shortId: shortNoteIds(database, [id.answer]).get(id.answer) ?? id.answer,
    claimed: foreignNotes(database, [id.answer]).has(id.answer),
    contested: contestsOf(database, [id.answer], nowSeconds, settings).get(id.answer),
  }));
  if (indexed === undefined) {
    const { whyNotHere } = await import('./not-here.js');
    return { ok: false, refusal: await whyNotHere(liveIndex, id.answer) };
  }
  const { note, version, links, fileProblem } = await texts.readWhole(indexed);
  const path = join(folders[indexed.journal], indexed.path);
  return {
    ok: true,
    answer: {
      ...noteJson(note, { version, path, shortId, supersededBy: indexed.supersededBy }),
      ...(links.length === 0 ? {} : { links }),
      ...(fileProblem === undefined ? {} : { file_problem: fileProblem }),
      ...(claimed ? { claimed } : {}),
      ...(contested === undefined ? {} : { contested }),
    },
  };
};

const readHead = async ({ isEmpty, liveIndex, texts }: Parts, id: NoteId) => {
  if (isEmpty()) return undefined;
  const { indexed, claimed } = await liveIndex.ask((database) => ({
    indexed: filesOfNote(database, id).slice(0, 1),
    /** True when it comes from a commit that this program did not make. */
    claimed: foreignNotes(database, [id]).has(id),
  }));
  const [read] = await texts.readHeads(indexed);
  if (read === undefined) return undefined;
  return { title: read.note.title, updatedAt: read.note.updatedAt, body: read.body, claimed };
};

const inject = async (
  { isEmpty, liveIndex, texts, settings }: Parts,
  project: string,
  { access = {}, ...options }: InjectionOptions = {},
): Promise<Injection> => {
  if (isEmpty()) return noInjection;
  const nowSeconds = Math.floor(Date.now() / 1000);
  const query = { ...defaultInject, ...options, project, access, owner: settings, nowSeconds };
  const { selection, foreign, contested } = await liveIndex.ask((database) => {
    const selected = selectInjection(database, query);
    const ids = idsOf(notesToRead(selected));
    return {
      selection: selected,
      foreign: foreignNotes(database, ids),
      contested: contestsOf(database, ids, nowSeconds, settings),
    };
  });
  const read = await texts.readHeads(notesToRead(selection));
  const notes = read.map(
    ({ note, body }) =>
      [note.rowid, { ...note, body, foreign: foreign.has(note.id), contested: contested.get(note.id) }] as const,
  );
  return renderSelection(selection, new Map(notes), query);
};
