/** Reads a store without writing to it. Loads no zod, MCP SDK, simple-git or piscina; loads a search only on demand. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { noteUnknown } from '../commands/refusals.js';
import { sourceKeyOfSession } from '../commands/source-keys.js';
import type { Settings } from '../config/settings.js';
import { type GitJournal, openGitJournal } from '../events/git/git-journal.js';
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
import { type LiveIndex, openLiveIndex } from '../workers/live-index.js';
import type { Find } from './finding.js';
import { openLog } from './log.js';
import { indexedNoteJson, type NoteJson, noteJson } from './note-json.js';
import { openNoteTexts } from './note-texts.js';
import type { RecallAnswer, RecallOptions } from './recalling.js';
import { type Found, readTypedId, resolveTyped } from './resolve-id.js';
import { noAnswer, type SearchAnswer, type SearchOptions } from './search-options.js';
import type { Vectors } from './vectors.js';

export type { Found, RecallAnswer, RecallOptions };

export type InjectAsked = Partial<InjectOptions> & {
  readonly exclude?: ReadonlySet<NoteId> | undefined;
  readonly access?: Access | undefined;
};

export type NoteHead = Pick<IndexedNote, 'title' | 'updatedAt'> & {
  readonly body: string;
  /** True when it comes from a commit that this program did not make. */
  readonly claimed: boolean;
};

export type Reading = {
  readonly settings: Settings;
  readonly journals: Readonly<Record<JournalName, GitJournal>>;
  readonly liveIndex: LiveIndex;
  /** The notes' vectors, loaded on demand. */
  readonly vectors: () => Promise<Vectors>;
  readonly log: (line: string) => void;
  /** False until the first command that writes. */
  exists(): boolean;
  search(text: string, options: SearchOptions): Promise<SearchAnswer>;
  list(
    filter: NoteFilter,
    limit: number,
    offset?: number,
  ): Promise<{ readonly notes: readonly NoteJson[]; readonly total: number }>;
  /** Returns the note with its body; `given` is an id, or its beginning or end. */
  show(given: string, access?: Access): Promise<Found<NoteJson>>;
  /** Returns a note as shown to a session, with a long body cut; undefined if there is none. */
  head(id: NoteId): Promise<NoteHead | undefined>;
  /** Resolves the beginning or end of an id, also of a forgotten note, which a restricted access can't see. */
  resolveId(given: string, access?: Access): Promise<Found<NoteId>>;
  events(filter: EventFilter, limit: number): Promise<readonly ListedEvent[]>;
  inject(project: string, options?: InjectAsked): Promise<Injection>;
  /** Returns notes of the project that fit a prompt well enough to be added to it. */
  recall(prompt: string, options: RecallOptions): Promise<RecallAnswer>;
  /** Returns the id of the note captured from an agent's session. */
  sessionNoteId(session: string): Promise<NoteId | undefined>;
  /** Ids of all notes that an agent's session wrote. */
  sessionNoteIds(session: string): Promise<readonly NoteId[]>;
  close(): void;
};

const idsOf = (notes: readonly IndexedNote[]): readonly NoteId[] => notes.map(({ id }) => id);

/** Called when a note's file isn't as it was checked out. */
export type OnHandEdit = (journal: JournalName, path: string) => void;

export const openReading = (settings: Settings, onHandEdit: OnHandEdit): Reading => {
  const { home } = settings;
  const log = openLog(join(home, 'logs'));
  const journals = {
    portable: openGitJournal('portable', join(home, journalFolder.portable), log),
    local: openGitJournal('local', join(home, 'local'), log),
  };
  const indexFolder = join(home, 'index');
  const liveIndex = openLiveIndex(indexFolder, [journals.portable, journals.local], log);
  const exists = (): boolean => journalNames.some((name) => existsSync(journals[name].folder));
  // A missing store, or a folder of notes that isn't a repository yet, has nothing to show and isn't created by
  // reading.
  const isEmpty = (): boolean => !journalNames.some((name) => journals[name].exists());

  const folders = { portable: journals.portable.folder, local: journals.local.folder };
  const texts = openNoteTexts(journals, onHandEdit);
  let finding: Promise<Find> | undefined;
  let opened: Promise<Vectors> | undefined;
  const vectors = (): Promise<Vectors> => {
    opened ??= import('./vectors.js').then(({ openVectors }) =>
      openVectors({ folder: indexFolder, liveIndex, journals }),
    );
    return opened;
  };

  const readWhole = async (indexed: IndexedNote, shortId: string): Promise<NoteJson> => {
    const { note, version, links, fileProblem } = await texts.readWhole(indexed);
    const path = join(journals[indexed.journal].folder, indexed.path);
    return {
      ...noteJson(note, { version, path, shortId, supersededBy: indexed.supersededBy }),
      ...(links.length === 0 ? {} : { links }),
      ...(fileProblem === undefined ? {} : { file_problem: fileProblem }),
    };
  };

  const resolveId = async (given: string, access: Access = {}): Promise<Found<NoteId>> => {
    const typed = readTypedId(given);
    if (!typed.ok) return typed;
    if (typed.answer.isWhole) return { ok: true, answer: typed.answer.text };
    if (isEmpty()) return { ok: false, refusal: noteUnknown(typed.answer.text) };
    return liveIndex.ask((database) => resolveTyped(database, typed.answer.text, access));
  };

  return {
    settings,
    journals,
    liveIndex,
    vectors,
    log,
    exists,
    resolveId,

    async search(text, asked) {
      const { mode, ...options } = asked;
      if (mode === 'exact') {
        if (isEmpty()) return { ...noAnswer, about: { mode } };
        const { answerExact } = await import('./exact-search.js');
        return answerExact({ settings, journals, liveIndex, texts }, text, options);
      }
      // Without notes, nothing is created and no server is asked.
      if (isEmpty()) return noAnswer;
      finding ??= import('./finding.js').then(({ openFinding }) =>
        openFinding({ settings, folders, vectors, liveIndex, texts }),
      );
      return (await finding)(text, asked);
    },

    async list(filter, limit, offset) {
      if (isEmpty()) return { notes: [], total: 0 };
      return liveIndex.ask((database) => {
        const { notes, total } = listNotes(database, filter, limit, offset);
        const shortIds = shortNoteIds(database, idsOf(notes));
        return { notes: notes.map((note) => indexedNoteJson(note, shortIds)), total };
      });
    },

    async show(given, access) {
      const id = await resolveId(given, access);
      if (!id.ok) return id;
      if (isEmpty()) return { ok: false, refusal: noteUnknown(id.answer) };
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
      const note = await readWhole(indexed, shortId);
      return {
        ok: true,
        answer: { ...note, ...(claimed ? { claimed } : {}), ...(contested === undefined ? {} : { contested }) },
      };
    },

    async head(id) {
      if (isEmpty()) return undefined;
      const { indexed, claimed } = await liveIndex.ask((database) => ({
        indexed: filesOfNote(database, id).slice(0, 1),
        claimed: foreignNotes(database, [id]).has(id),
      }));
      const [read] = await texts.readHeads(indexed);
      if (read === undefined) return undefined;
      return { title: read.note.title, updatedAt: read.note.updatedAt, body: read.body, claimed };
    },

    events: async (filter, limit) =>
      isEmpty() ? [] : liveIndex.ask((database) => listEvents(database, filter, limit)),

    async inject(project, { access = {}, ...options } = {}) {
      if (isEmpty()) return noInjection;
      const nowSeconds = Math.floor(Date.now() / 1000);
      const query = { ...defaultInject, ...options, project, access, owner: settings, nowSeconds };
      const { selection, foreign, contested } = await liveIndex.ask((database) => {
        const selected = selectInjection(database, query);
        const ids = idsOf(notesToRead(selected));
        const contested = contestsOf(database, ids, nowSeconds, settings);
        return { selection: selected, foreign: foreignNotes(database, ids), contested };
      });
      const read = await texts.readHeads(notesToRead(selection));
      const notes = read.map(
        ({ note, body }) =>
          [note.rowid, { ...note, body, foreign: foreign.has(note.id), contested: contested.get(note.id) }] as const,
      );
      return renderSelection(selection, new Map(notes), query);
    },

    async recall(prompt, asked) {
      if (isEmpty()) return { ...noInjection, notes: [], maybe: [] };
      const { recallFor } = await import('./recalling.js');
      return recallFor({ settings, folders, liveIndex, texts }, prompt, asked);
    },

    sessionNoteId: async (session) =>
      isEmpty() || session === ''
        ? undefined
        : liveIndex.ask((database) => idOfSourceKey(database, sourceKeyOfSession(session))),

    sessionNoteIds: async (session) =>
      isEmpty() || session === '' ? [] : liveIndex.ask((database) => idsOfSession(database, session)),

    close() {
      void opened?.then((open) => open.close());
      liveIndex.close();
    },
  };
};
