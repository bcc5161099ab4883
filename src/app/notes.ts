/** Use cases for notes: finding, reading and changing them. An id may be the beginning or the end of one, as typed. */
import type Database from 'better-sqlite3';
import { maxRecallBytes } from '../agents/hooks/output.js';
import type { ProjectJson, TagJson } from '../answers/note-schema.js';
import type { NoteEdit } from '../commands/edit.js';
import { noteUnknown } from '../commands/refusals.js';
import { journalNames, type NoteId, type Scope } from '../events/note/note.js';
import { idsWithPrefix, type NoteFilter, projectKeys } from '../projections/index/query.js';
import type { Titled } from '../projections/index/titles.js';
import type { Injection } from '../projections/inject/render.js';
import { type NoteName, noteNames } from '../projections/short-ids.js';
import type { Answer, Asker, Memory } from '../store/memory.js';
import type { Resolve } from '../store/named-ids.js';
import type { NoteJson } from '../store/note-json.js';
import type { Found, InjectAsked, Reading, RecallAnswer, RecallOptions } from '../store/reading.js';
import type { SearchHit } from '../store/search-hit.js';
import { defaultK, noAnswer, type SearchAnswer, type SearchOptions } from '../store/search-options.js';
import { restricted } from './access.js';
import type { ProjectToWrite } from './projects/named-project.js';
import type { NewNote } from './similar-notes.js';
import type { Stores } from './stores.js';
import type { NoteToWrite } from './writing.js';

export type {
  NewNote,
  NoteEdit,
  NoteFilter,
  NoteJson,
  NoteName,
  NoteToWrite,
  RecallAnswer,
  SearchAnswer,
  SearchHit,
  Titled,
};

export type SearchAsked = SearchOptions & {
  /** The notes as they were at this commit, event id or date. */
  readonly at?: string | undefined;
};

export type NoteList = { readonly notes: readonly NoteJson[]; readonly total: number };

export type EditAsked = { readonly set: NoteEdit; readonly expectedVersion?: string | undefined };

export type RestoreAsked = {
  /** A point in history: restores the text that the note had then, even if the note isn't forgotten. */
  readonly at?: string | undefined;
};

export type Forgotten = { readonly id: NoteId; readonly answer: Answer };

export type Notes = {
  search(text: string, asked: SearchAsked): Promise<SearchAnswer>;
  /** Returns notes like the given one, without it; the answer's words are those that distinguish it most. */
  similar(given: string, asked: SearchAsked): Promise<Found<SearchAnswer>>;
  list(filter: NoteFilter, limit: number, offset?: number): Promise<NoteList>;
  /** Returns the newest few notes whose title is these words or contains them; see `titledNotes`. */
  titled(words: string): Promise<readonly Titled[]>;
  /** Returns the note with its body; `at` is a commit, event id or date. */
  show(given: string, at?: string): Promise<Found<NoteJson>>;
  /** Returns the notes that a session of the project starts with. */
  inject(project: string, asked?: Omit<InjectAsked, 'access'>): Promise<Injection>;
  /** The project's notes that fit the prompt well enough, as a hook would add them. `budget` is in UTF-16 units. */
  recall(prompt: string, asked: Pick<RecallOptions, 'project' | 'k' | 'budget'>): Promise<RecallAnswer>;
  /** Returns the whole id, also of a forgotten note. */
  resolveId(given: string): Promise<Found<NoteId>>;
  /** Short ids and titles of those ids that are notes, forgotten or not. */
  names(ids: readonly string[]): Promise<ReadonlyMap<string, NoteName>>;
  idsBeginningWith(beginning: string, limit: number): Promise<readonly NoteId[]>;
  /** Every project with the number of its notes, by key in code unit order. */
  projects(): Promise<readonly (readonly [string, number])[]>;
  /** Projects that have notes, the one with the newest event first; `last_event` is its day in UTC. */
  listProjects(): Promise<readonly ProjectJson[]>;
  /** Tags of all notes or one project's, with how many notes have each: most common first, then in code unit order. */
  listTags(project: string | undefined): Promise<readonly TagJson[]>;
  /**
   * Resolves a project to search, given its key or a part of it; see `matchProject`. An access to one workspace gets
   * back what it gave, since keys would reveal other workspaces.
   */
  resolveProject(given: string): Promise<Found<string>>;
  /** Resolves a project to write to, from a folder of project `here`; see `nameProject`. */
  nameProject(given: string, here: string): Promise<Found<ProjectToWrite>>;
  /**
   * If a note has the text already, answers with that note, `unchanged` or with the fields that it lacked; if a note
   * says nearly the same, writes with a warning; if one says the opposite, proposes to supersede it.
   */
  write(note: NoteToWrite, asker?: Asker): Promise<Answer>;
  edit(given: string, asked: EditAsked, asker?: Asker): Promise<Answer>;
  tag(
    given: string,
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
    asker?: Asker,
  ): Promise<Answer>;
  move(
    given: string,
    to: { readonly project?: string | undefined; readonly scope?: Scope | undefined },
    asker?: Asker,
  ): Promise<Answer>;
  supersede(given: readonly string[], by: string, asker?: Asker): Promise<Answer>;
  forget(given: string, reason: string | undefined, asker?: Asker): Promise<Forgotten>;
  /** Records one event per note, in order, up to the first refusal; records nothing if any id is unknown. */
  forgetAll(given: readonly string[], reason: string | undefined, asker?: Asker): Promise<Found<readonly Forgotten[]>>;
  /** Brings a forgotten note back. */
  restore(given: string, asked?: RestoreAsked, asker?: Asker): Promise<Answer>;
};

/** `workspace` is the only one whose notes the asker can see. */
export const openNotes = (stores: Stores, workspace: string | undefined): Notes => {
  /** Undefined if the filter asks for another workspace. */
  const within = <Filter extends NoteFilter>(filter: Filter): Filter | undefined => {
    if (workspace === undefined) return filter;
    return filter.workspace === undefined || filter.workspace === workspace ? { ...filter, workspace } : undefined;
  };
  const visible = (found: Found<NoteJson>, given: string): Found<NoteJson> =>
    workspace === undefined || (found.ok && found.answer.workspace_id === workspace)
      ? found
      : { ok: false, refusal: noteUnknown(given) };
  const resolve = async (reading: Reading, given: string): Promise<Found<NoteId>> => {
    if (workspace === undefined) return reading.resolveId(given);
    const shown = visible(await reading.show(given, { workspace }), given);
    return shown.ok ? { ok: true, answer: shown.answer.id } : shown;
  };
  const resolveFrom =
    (reading: Reading): Resolve =>
    (given) =>
      resolve(reading, given);
  /** Undefined if the answer would reveal other workspaces, or if there is no store. */
  const askWhole = async <Value>(question: (database: Database.Database) => Value): Promise<Value | undefined> => {
    const reading = await stores.toRead();
    return workspace !== undefined || isEmpty(reading) ? undefined : reading.liveIndex.ask(question);
  };
  /** `others` are further notes that the change names. */
  const change = async (
    given: string,
    run: (memory: Memory, id: NoteId, named: readonly NoteId[]) => Promise<Answer>,
    field = '',
    others: readonly string[] = [],
  ): Promise<Answer> => {
    const memory = await stores.toWrite();
    const { resolveNamed } = await import('../store/named-ids.js');
    const named = await resolveNamed(field, others, resolveFrom(memory));
    if (!named.ok) return { status: 'refused', refusal: named.refusal };
    const id = await resolve(memory, given);
    return id.ok ? run(memory, id.answer, named.answer) : { status: 'refused', refusal: id.refusal };
  };

  return {
    async search(text, { at, ...asked }) {
      const filter = within(asked);
      if (filter === undefined) return noAnswer;
      if (at === undefined) return (await stores.toRead()).search(text, filter);
      const { searchPast } = await import('./past.js');
      const { mode, ...rest } = filter;
      const found = await searchPast(await stores.toWrite(), at, text, rest);
      if (mode === undefined || mode === 'auto' || mode === 'keyword') return found;
      return { ...found, about: { ...found.about, mode: 'keyword', degraded: 'searching the past uses words alone' } };
    },
    async similar(given, { k = defaultK, ...asked }) {
      const reading = await stores.toRead();
      const found = visible(await reading.show(given, { workspace }), given);
      if (!found.ok) return found;
      const { id, title, body = '', scope, sensitive } = found.answer;
      const { keyTerms } = await import('../projections/search/key-terms.js');
      const words = await reading.liveIndex.ask((database) => keyTerms(database, { title, body }));
      const filter = within({
        ...asked,
        k: k + 1,
        fuzzy: false,
        staysHere: scope === 'machine-local' || sensitive === true,
      });
      if (filter === undefined) return { ok: true, answer: noAnswer };
      const { hits, total, about } = await reading.search(words.join(' '), filter);
      const others = hits.filter((hit) => hit.id !== id).slice(0, k);
      const ranked = others.map((hit, at) => ({ ...hit, rank: at + 1 }));
      return { ok: true, answer: { hits: ranked, total: total - (hits.some((hit) => hit.id === id) ? 1 : 0), about } };
    },
    async list(asked, limit, offset) {
      const filter = within(asked);
      return filter === undefined ? { notes: [], total: 0 } : (await stores.toRead()).list(filter, limit, offset);
    },
    async titled(words) {
      const reading = await stores.toRead();
      // Titles would reveal other workspaces.
      if (workspace !== undefined || isEmpty(reading)) return [];
      const { titledNotes } = await import('../workers/titled-notes.js');
      return (await titledNotes(reading, words, Math.floor(Date.now() / 1000))).slice(0, maxTitled);
    },
    async show(given, at) {
      if (at === undefined) return visible(await (await stores.toRead()).show(given, { workspace }), given);
      const { showPast } = await import('./past.js');
      return visible(await showPast(await stores.toWrite(), given, at, { workspace }), given);
    },
    inject: async (project, asked) => (await stores.toRead()).inject(project, { ...asked, access: { workspace } }),
    recall: async (prompt, asked) =>
      (await stores.toRead()).recall(prompt, {
        ...asked,
        exclude: new Set(),
        maxBytes: maxRecallBytes,
        measure: (part) => part.length,
        access: { workspace },
      }),
    resolveId: async (given) => resolve(await stores.toRead(), given),
    async names(ids) {
      const reading = await stores.toRead();
      if (ids.length === 0 || isEmpty(reading)) return new Map();
      return reading.liveIndex.ask((database) => noteNames(database, ids, { workspace }));
    },
    async idsBeginningWith(beginning, limit) {
      return (await askWhole((database) => idsWithPrefix(database, beginning, limit))) ?? [];
    },
    async projects() {
      const { countNotes } = await import('../projections/index/counts.js');
      return Object.entries((await askWhole(countNotes))?.byProject ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
    },

    async listProjects() {
      const { listProjects } = await import('./projects/list-projects.js');
      return (await askWhole(listProjects)) ?? [];
    },

    async listTags(project) {
      const { countTags } = await import('../projections/index/counts.js');
      return (await askWhole((database) => countTags(database, { project }))) ?? [];
    },

    async resolveProject(given) {
      const keys = await askWhole(projectKeys);
      const text = given.trim();
      // Most callers give a whole key, which needs none of the code that guesses.
      if (keys === undefined || keys.includes(text)) return { ok: true, answer: text };
      const { matchProject } = await import('./projects/named-project.js');
      return matchProject(keys, given);
    },
    async nameProject(given, here) {
      const { nameProject } = await import('./projects/named-project.js');
      return nameProject((await askWhole(projectKeys)) ?? [], given, here);
    },

    async write({ supersedes, ...note }, asker) {
      // A source key and proposed supersessions are looked up in the whole store.
      if (workspace !== undefined && (note.sourceKey !== undefined || (note.proposes ?? []).length > 0))
        throw restricted(workspace);
      const memory = await stores.toWrite();
      const { resolveNamed } = await import('../store/named-ids.js');
      const older = await resolveNamed('supersedes', supersedes, resolveFrom(memory));
      if (!older.ok) return { status: 'refused', refusal: older.refusal };
      const { withExpiry } = await import('../events/expiry.js');
      const { writeNote } = await import('./writing.js');
      return writeNote(memory, withExpiry({ ...note, supersedes: older.answer }), workspace, asker);
    },
    async edit(given, { set, ...asked }, asker) {
      const { withExpiry } = await import('../events/expiry.js');
      const edit = (memory: Memory, id: NoteId, named: readonly NoteId[]): Promise<Answer> => {
        const whole = withExpiry({ ...set, ...(set.resolvedBy === undefined ? {} : { resolvedBy: named }) });
        return memory.perform({ kind: 'edit', id, set: whole, ...asked }, asker);
      };
      return change(given, edit, 'resolved_by', set.resolvedBy);
    },
    tag: (given, tags, asker) => change(given, (memory, id) => memory.perform({ kind: 'tag', id, ...tags }, asker)),
    move: (given, to, asker) =>
      change(given, async (memory, id) => (await import('./moving.js')).moveNote(memory, id, to, asker)),
    supersede: (given, by, asker) =>
      change(by, (memory, by, ids) => memory.perform({ kind: 'supersede', ids, by }, asker), 'supersedes', given),
    async forget(given, reason, asker) {
      const memory = await stores.toWrite();
      const id = await resolve(memory, given);
      if (!id.ok) return { id: given, answer: { status: 'refused', refusal: id.refusal } };
      const { forgetNote } = await import('./moving.js');
      return { id: id.answer, answer: await forgetNote(memory, id.answer, reason, asker) };
    },
    async forgetAll(given, reason, asker) {
      const memory = await stores.toWrite();
      const { resolveAll } = await import('../store/named-ids.js');
      const ids = await resolveAll(given, resolveFrom(memory));
      if (!ids.ok) return ids;
      const { forgetNotes } = await import('./moving.js');
      const answers = await forgetNotes(memory, ids.answer, reason, asker);
      return { ok: true, answer: answers.flatMap((answer, at) => ({ id: ids.answer[at] ?? '', answer })) };
    },
    async restore(given, { at } = {}, asker) {
      // At that point the note may have belonged to another workspace.
      if (workspace !== undefined && at !== undefined) throw restricted(workspace);
      return change(given, async (memory, id) => {
        if (at === undefined) return memory.perform({ kind: 'restore', id }, asker);
        const { restoreAt } = await import('./undoing.js');
        return restoreAt(memory, id, at, asker);
      });
    },
  };
};

/** Querying the index of a missing store would create one. */
const isEmpty = ({ journals }: Reading): boolean => !journalNames.some((name) => journals[name].exists());

/** Per title; a refusal names them all. */
const maxTitled = 20;
