/** Use cases for notes: finding, reading and changing them. An id may be the beginning or the end of one, as typed. */
import type Database from 'better-sqlite3';
import { maxRecallBytes } from '../agents/hooks/output.js';
import type { ProjectJson, TagJson } from '../answers/note-schema.js';
import type { NoteEdit } from '../commands/edit.js';
import { noteUnknown, type Refusal } from '../commands/refusals.js';
import { Fault } from '../events/faults.js';
import type { NoteId, Scope } from '../events/note/note.js';
import { idsWithPrefix, type NoteFilter, projectKeys } from '../projections/index/query.js';
import type { TitleMatch } from '../projections/index/titles.js';
import type { Injection } from '../projections/inject/render.js';
import { type NoteName, noteNames } from '../projections/short-ids.js';
import type { Answer, Asker, Memory } from '../store/memory.js';
import type { NoteJson } from '../store/note-json.js';
import type { InjectionOptions, Lookup, NoteList, Reading, RecallAnswer, RecallOptions } from '../store/reading.js';
import { noAnswer, type SearchAnswer, type SearchOptions } from '../store/search-options.js';
import { offeredIn, type TraceEntry, trace } from '../store/trace-file.js';
import type { ProjectToWrite } from './named-project.js';
import type { NoteToWrite } from './writing.js';

export type { NoteEdit, NoteFilter, NoteJson, NoteName, NoteToWrite, RecallAnswer, SearchAnswer, TitleMatch };

export type Access = {
  /** The user that events record; undefined means the user in this machine's settings. Hides no notes. */
  readonly user: string | undefined;
  /** Only this workspace's notes are visible, and new ones belong to it; undefined means the whole store. */
  readonly workspace: string | undefined;
};

/** Thrown when an access to one workspace asks for something that covers the whole store, such as history or sync. */
export const restricted = (workspace: string): Fault =>
  new Fault(
    'access-restricted',
    `this needs the whole store, but the access is limited to the workspace ${workspace}`,
    'ask for notes, or for the whole store',
  );

export type SearchRequest = SearchOptions & {
  /** The notes as they were at this commit, event id or date. */
  readonly at?: string | undefined;
};

export type ForgottenNote = { readonly id: NoteId; readonly answer: Answer };

type NoteChange = (memory: Memory, id: NoteId, named: readonly NoteId[]) => Promise<Answer>;

const refuse = (refusal: Refusal): Answer => ({ status: 'refused', refusal });

/** An access to a workspace sees no other notes. What was asked and given leaves a trace, if there is a store. */
export class Notes {
  private readonly workspace: string | undefined;

  constructor(
    private readonly reading: Reading,
    private readonly toWrite: () => Promise<Memory>,
    private readonly access: Access,
  ) {
    this.workspace = access.workspace;
  }

  async search(text: string, request: SearchRequest): Promise<SearchAnswer> {
    const { at, ...asked } = request;
    const filter = this.within(asked);
    if (filter === undefined) return noAnswer;
    if (at !== undefined) {
      const { searchPast } = await import('./past.js');
      return searchPast(await this.toWrite(), at, text, filter);
    }
    const answer = await this.reading.search(text, filter);
    const { hits, total, about } = answer;
    const notes = hits.map(({ id, score }) => [id, score] as const);
    this.trace({ by: 'search', query: text, project: asked.project ?? asked.prefer, mode: about.mode, total, notes });
    return answer;
  }

  async similar(given: string, asked: SearchRequest): Promise<Lookup<SearchAnswer>> {
    const found = await this.read(given);
    if (!found.ok) return found;
    const filter = this.within(asked);
    if (filter === undefined) return { ok: true, answer: noAnswer };
    const { findSimilar } = await import('../store/finding.js');
    return { ok: true, answer: await findSimilar(this.reading, found.answer, filter) };
  }

  async list(asked: NoteFilter, limit: number, offset?: number): Promise<NoteList> {
    const filter = this.within(asked);
    return filter === undefined ? { notes: [], total: 0 } : this.reading.list(filter, limit, offset);
  }

  /** Returns the newest few notes whose title is these words or contains them; see `titledNotes`. */
  async titled(words: string): Promise<readonly TitleMatch[]> {
    const { reading } = this;
    // Titles would reveal other workspaces.
    if (this.workspace !== undefined || reading.isEmpty()) return [];
    const { titledNotes } = await import('../store/titled-notes.js');
    return titledNotes(reading, words, Math.floor(Date.now() / 1000));
  }

  async show(given: string, at?: string): Promise<Lookup<NoteJson>> {
    if (at !== undefined) {
      const { showPast } = await import('./past.js');
      return this.visible(await showPast(await this.toWrite(), given, at, { workspace: this.workspace }), given);
    }
    const shown = await this.read(given);
    if (shown.ok) this.trace({ by: 'open', notes: [[shown.answer.id, null]] });
    return shown;
  }

  async inject(project: string, options?: Omit<InjectionOptions, 'access'>): Promise<Injection> {
    const access = { workspace: this.workspace };
    const injection = await this.reading.inject(project, { ...options, access });
    this.trace({ by: 'inject', project, notes: injection.ids.map((id) => [id, null]) });
    return injection;
  }

  /** The project's notes that fit the prompt well enough, as a hook would add them. `budget` is in UTF-16 units. */
  async recall(prompt: string, asked: Pick<RecallOptions, 'project' | 'k' | 'budget'>): Promise<RecallAnswer> {
    const answer = await this.reading.recall(prompt, {
      ...asked,
      exclude: new Set(),
      maxBytes: maxRecallBytes,
      measure: (part) => part.length,
      access: { workspace: this.workspace },
    });
    const offered = offeredIn(answer.notes, answer.explain, answer.maybe);
    this.trace({ by: 'recall', query: prompt, project: asked.project, ...offered });
    return answer;
  }

  /** Returns the whole id, also of a forgotten note. */
  readonly resolveId = async (given: string): Promise<Lookup<NoteId>> => {
    if (this.workspace === undefined) return this.reading.resolveId(given);
    const shown = await this.read(given);
    return shown.ok ? { ok: true, answer: shown.answer.id } : shown;
  };

  /** Short ids and titles of those ids that are notes, forgotten or not. */
  async names(ids: readonly string[]): Promise<ReadonlyMap<string, NoteName>> {
    if (ids.length === 0) return new Map();
    const { reading, workspace } = this;
    return (await reading.ask((database) => noteNames(database, ids, { workspace }))) ?? new Map();
  }

  async idsBeginningWith(beginning: string, limit: number): Promise<readonly NoteId[]> {
    return (await this.askWhole((database) => idsWithPrefix(database, beginning, limit))) ?? [];
  }

  /** Projects that have notes, the one with the newest event first; `last_event` is its day in UTC. */
  async listProjects(): Promise<readonly ProjectJson[]> {
    const { listProjects } = await import('../projections/history/activity.js');
    return (await this.askWhole(listProjects)) ?? [];
  }

  /** Tags of all notes or one project's, with how many notes have each: most common first, then in code unit order. */
  async listTags(project: string | undefined): Promise<readonly TagJson[]> {
    const { countTags } = await import('../projections/index/rows.js');
    return (await this.askWhole((database) => countTags(database, { project }))) ?? [];
  }

  /** See `matchProject`. An access to one workspace gets back what it gave: keys would reveal other workspaces. */
  async resolveProject(given: string): Promise<Lookup<string>> {
    const keys = await this.askWhole(projectKeys);
    const text = given.trim();
    // Most callers give a whole key, which needs none of the code that guesses.
    if (keys === undefined || keys.includes(text)) return { ok: true, answer: text };
    const { matchProject } = await import('./named-project.js');
    return matchProject(keys, given);
  }

  /** Resolves a project to write to, from a folder of project `here`; see `nameProject`. */
  async nameProject(given: string, here: string): Promise<Lookup<ProjectToWrite>> {
    const { nameProject } = await import('./named-project.js');
    return nameProject((await this.askWhole(projectKeys)) ?? [], given, here);
  }

  /** Answers with a note that has the text; warns of a near one; proposes to supersede one that says the opposite. */
  async write({ supersedes, ...note }: NoteToWrite, asker?: Asker): Promise<Answer> {
    const { workspace } = this;
    // A source key and proposed supersessions are looked up in the whole store.
    if (workspace !== undefined && (note.sourceKey !== undefined || (note.proposes ?? []).length > 0))
      throw restricted(workspace);
    const memory = await this.toWrite();
    const { resolveNamed } = await import('../store/named-ids.js');
    const older = await resolveNamed('supersedes', supersedes, this.resolveId);
    if (!older.ok) return refuse(older.refusal);
    const { withExpiry } = await import('../events/expiry.js');
    const { writeNote } = await import('./writing.js');
    return writeNote(memory, withExpiry({ ...note, supersedes: older.answer }), workspace, asker);
  }

  async edit(
    given: string,
    { set, ...asked }: { readonly set: NoteEdit; readonly expectedVersion?: string | undefined },
    asker?: Asker,
  ): Promise<Answer> {
    const { withExpiry } = await import('../events/expiry.js');
    const edit: NoteChange = (memory, id, named) => {
      const whole = withExpiry({ ...set, ...(set.resolvedBy === undefined ? {} : { resolvedBy: named }) });
      return memory.perform({ kind: 'edit', id, set: whole, ...asked }, asker);
    };
    return this.change(given, edit, 'resolved_by', set.resolvedBy);
  }

  tag(
    given: string,
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
    asker?: Asker,
  ): Promise<Answer> {
    return this.change(given, (memory, id) => memory.perform({ kind: 'tag', id, ...change }, asker));
  }

  move(
    given: string,
    to: { readonly project?: string | undefined; readonly scope?: Scope | undefined },
    asker?: Asker,
  ): Promise<Answer> {
    return this.change(given, async (memory, id) => (await import('./moving.js')).moveNote(memory, id, to, asker));
  }

  supersede(given: readonly string[], by: string, asker?: Asker): Promise<Answer> {
    const supersede: NoteChange = (memory, id, ids) => memory.perform({ kind: 'supersede', ids, by: id }, asker);
    return this.change(by, supersede, 'supersedes', given);
  }

  /** Records one event per note, in order, up to the first refusal; records nothing if any id is unknown. */
  async forget(
    given: readonly string[],
    reason: string | undefined,
    asker?: Asker,
  ): Promise<Lookup<readonly ForgottenNote[]>> {
    const memory = await this.toWrite();
    const { resolveAll } = await import('../store/named-ids.js');
    const ids = await resolveAll(given, this.resolveId);
    if (!ids.ok) return ids;
    const { forgetNotes } = await import('./moving.js');
    const answers = await forgetNotes(memory, ids.answer, reason, asker);
    return { ok: true, answer: answers.flatMap((answer, at) => ({ id: ids.answer[at] ?? '', answer })) };
  }

  /** Brings a forgotten note back; with `at`, a point in history, the text that it had then, forgotten or not. */
  async restore(given: string, { at }: { readonly at?: string | undefined } = {}, asker?: Asker): Promise<Answer> {
    // At that point the note may have belonged to another workspace.
    if (this.workspace !== undefined && at !== undefined) throw restricted(this.workspace);
    return this.change(given, async (memory, id) => {
      if (at === undefined) return memory.perform({ kind: 'restore', id }, asker);
      const { restoreAt } = await import('./undoing.js');
      return restoreAt(memory, id, at, asker);
    });
  }

  private trace(traced: TraceEntry): void {
    const { access, reading } = this;
    const { settings } = reading;
    if (reading.exists())
      trace(settings, { ...traced, user: access.user ?? settings.user, workspace: access.workspace });
  }

  /** Undefined if the filter asks for another workspace. */
  private within<Filter extends NoteFilter>(filter: Filter): Filter | undefined {
    const { workspace } = this;
    if (workspace === undefined) return filter;
    return filter.workspace === undefined || filter.workspace === workspace ? { ...filter, workspace } : undefined;
  }

  private visible(found: Lookup<NoteJson>, given: string): Lookup<NoteJson> {
    const isSeen = this.workspace === undefined || (found.ok && found.answer.workspace_id === this.workspace);
    return isSeen ? found : { ok: false, refusal: noteUnknown(given) };
  }

  private async read(given: string): Promise<Lookup<NoteJson>> {
    return this.visible(await this.reading.show(given, { workspace: this.workspace }), given);
  }

  /** Undefined if the answer would reveal other workspaces, or if there is no store. */
  private async askWhole<Value>(question: (database: Database.Database) => Value): Promise<Value | undefined> {
    return this.workspace === undefined ? this.reading.ask(question) : undefined;
  }

  /** `others` are further notes that the change names, in the given field. */
  private async change(given: string, run: NoteChange, field = '', others: readonly string[] = []): Promise<Answer> {
    const memory = await this.toWrite();
    const { resolveNamed } = await import('../store/named-ids.js');
    const named = await resolveNamed(field, others, this.resolveId);
    if (!named.ok) return refuse(named.refusal);
    const id = await this.resolveId(given);
    return id.ok ? run(memory, id.answer, named.answer) : refuse(id.refusal);
  }
}
