/** Reads a store without writing to it. Loads no zod, MCP SDK, simple-git or piscina; loads a search only on demand. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
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
import { LiveIndex } from './live-index.js';
import { openLog } from './log.js';
import type { Vectors } from './models/vectors.js';
import { indexedNoteJson, type NoteJson, noteJson } from './note-json.js';
import { NoteTexts } from './note-texts.js';
import type { RecallAnswer, RecallOptions } from './recalling.js';
import { type Lookup, readTypedId, resolveTyped } from './resolve-id.js';
import { noAnswer, type SearchAnswer, type SearchOptions } from './search-options.js';

export type { Lookup, RecallAnswer, RecallOptions };

export type InjectionOptions = Partial<InjectOptions> & {
  readonly exclude?: ReadonlySet<NoteId> | undefined;
  readonly access?: Access | undefined;
};

export type NoteList = { readonly notes: readonly NoteJson[]; readonly total: number };

type Parts = ReturnType<typeof openParts>;

const openParts = ({ home }: Settings) => {
  const log = openLog(join(home, 'logs'));
  const journals: Readonly<Record<JournalName, GitJournal>> = {
    portable: openGitJournal('portable', join(home, journalFolder.portable), log),
    local: openGitJournal('local', join(home, journalFolder.local), log),
  };
  const indexFolder = join(home, 'index');
  const liveIndex = new LiveIndex(indexFolder, [journals.portable, journals.local], log);
  let opened: Promise<Vectors> | undefined;
  return {
    log,
    journals,
    liveIndex,
    texts: new NoteTexts(journals),
    vectors: (): Promise<Vectors> => {
      opened ??= import('./models/vectors.js').then(
        ({ Vectors }) => new Vectors({ folder: indexFolder, liveIndex, journals }),
      );
      return opened;
    },
    close: (): void => {
      void opened?.then((open) => open.close());
      liveIndex.close();
    },
  };
};

export class Reading {
  readonly journals: Parts['journals'];
  readonly folders: Readonly<Record<JournalName, string>>;
  readonly liveIndex: LiveIndex;
  readonly log: (line: string) => void;
  readonly texts: NoteTexts;
  readonly vectors: () => Promise<Vectors>;

  constructor(
    readonly settings: Settings,
    readonly parts = openParts(settings),
  ) {
    const { journals, liveIndex, log, texts, vectors } = parts;
    this.journals = journals;
    this.folders = { portable: journals.portable.folder, local: journals.local.folder };
    this.liveIndex = liveIndex;
    this.log = log;
    this.texts = texts;
    this.vectors = vectors;
  }

  /** False until the first command that writes. */
  readonly exists = (): boolean => journalNames.some((name) => existsSync(this.folders[name]));

  /** True for a missing store and for folders that aren't repositories yet: asking the index would create one. */
  isEmpty(): boolean {
    return !journalNames.some((name) => this.journals[name].exists());
  }

  /** Asks the index; undefined if there is no store. */
  async ask<Answer>(question: (database: Database.Database) => Answer): Promise<Answer | undefined> {
    return this.isEmpty() ? undefined : this.liveIndex.ask(question);
  }

  async search(text: string, asked: SearchOptions): Promise<SearchAnswer> {
    const { mode, ...options } = asked;
    // Without notes, nothing is created and no server is asked.
    if (this.isEmpty()) return mode === 'exact' ? { ...noAnswer, about: { mode } } : noAnswer;
    if (mode === 'exact') return (await import('./exact-search.js')).answerExact(this, text, options);
    return (await import('./finding.js')).findNotes(this, text, asked);
  }

  async list(filter: NoteFilter, limit: number, offset?: number): Promise<NoteList> {
    const listed = await this.ask((database) => {
      const { notes, total } = listNotes(database, filter, limit, offset);
      const shortIds = shortNoteIds(database, idsOf(notes));
      return { notes: notes.map((note) => indexedNoteJson(note, shortIds)), total };
    });
    return listed ?? { notes: [], total: 0 };
  }

  async show(given: string, access?: Access): Promise<Lookup<NoteJson>> {
    const { liveIndex, settings } = this;
    const id = await this.resolveId(given, access);
    if (!id.ok) return id;
    if (this.isEmpty()) return { ok: false, refusal: noteUnknown(id.answer) };
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
    const { note, version, links, fileProblem } = await this.texts.readWhole(indexed);
    const path = join(this.folders[indexed.journal], indexed.path);
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
  }

  /** Returns a note as shown to a session, with a long body cut; undefined if there is none. */
  async head(id: NoteId) {
    const found = await this.ask((database) => ({
      indexed: filesOfNote(database, id).slice(0, 1),
      /** True when it comes from a commit that this program did not make. */
      claimed: foreignNotes(database, [id]).has(id),
    }));
    const [read] = await this.texts.readHeads(found?.indexed ?? []);
    if (read === undefined) return undefined;
    return {
      title: read.note.title,
      updatedAt: read.note.updatedAt,
      body: read.body,
      claimed: found?.claimed === true,
    };
  }

  /** Resolves the beginning or end of an id, also of a forgotten note, which a restricted access can't see. */
  async resolveId(given: string, access: Access = {}): Promise<Lookup<NoteId>> {
    const typed = readTypedId(given);
    if (!typed.ok) return typed;
    const { text, isWhole } = typed.answer;
    if (isWhole) return { ok: true, answer: text };
    return (
      (await this.ask((database) => resolveTyped(database, text, access))) ?? { ok: false, refusal: noteUnknown(text) }
    );
  }

  async events(filter: EventFilter, limit: number): Promise<readonly ListedEvent[]> {
    return (await this.ask((database) => listEvents(database, filter, limit))) ?? [];
  }

  async inject(project: string, { access = {}, ...options }: InjectionOptions = {}): Promise<Injection> {
    const { settings } = this;
    const nowSeconds = Math.floor(Date.now() / 1000);
    const query = { ...defaultInject, ...options, project, access, owner: settings, nowSeconds };
    const chosen = await this.ask((database) => {
      const selection = selectInjection(database, query);
      const ids = idsOf(notesToRead(selection));
      return {
        selection,
        foreign: foreignNotes(database, ids),
        contested: contestsOf(database, ids, nowSeconds, settings),
      };
    });
    if (chosen === undefined) return noInjection;
    const { selection, foreign, contested } = chosen;
    const read = await this.texts.readHeads(notesToRead(selection));
    const notes = read.map(
      ({ note, body }) =>
        [note.rowid, { ...note, body, foreign: foreign.has(note.id), contested: contested.get(note.id) }] as const,
    );
    return renderSelection(selection, new Map(notes), query);
  }

  /** Returns notes of the project that fit a prompt well enough to be added to it. */
  async recall(prompt: string, options: RecallOptions): Promise<RecallAnswer> {
    if (this.isEmpty()) return { ...noInjection, notes: [], maybe: [] };
    const { recallFor } = await import('./recalling.js');
    return recallFor(this, prompt, options);
  }

  async sessionNoteId(session: string): Promise<NoteId | undefined> {
    return session === '' ? undefined : this.ask((database) => idOfSourceKey(database, sourceKeyOfSession(session)));
  }

  /** Ids of all notes that an agent's session wrote. */
  async sessionNoteIds(session: string): Promise<readonly NoteId[]> {
    return (session === '' ? undefined : await this.ask((database) => idsOfSession(database, session))) ?? [];
  }

  close(): void {
    this.parts.close();
  }
}

const idsOf = (notes: readonly IndexedNote[]): readonly NoteId[] => notes.map(({ id }) => id);
