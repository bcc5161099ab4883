/**
 * The write path, under the write lock: reconcile, read the notes touched, decide, commit, check out, index,
 * checkpoint, answer. Commands that have nothing to do with each other share a plan and a commit call.
 */
import { dirname } from 'node:path';
import type { FileChange, KnownEvent, Stamp } from '../../events/event.js';
import { Fault } from '../../events/faults.js';
import { type JournalName, journalFolder, journalNames, type NoteId } from '../../events/note/note.js';
import { idOfPath } from '../../events/note/paths.js';
import type { MaskCount } from '../../events/note/redact.js';
import { formatTime } from '../../events/time.js';
import { derivedUlid } from '../../events/ulid-form.js';
import { describeError } from '../../state/environment-probe.js';
import { type Decision, type ImportCounts, type KnownNotes, refuse } from '../command.js';
import { type Command, decide, noteOf, touches } from '../handlers.js';
import { commandIdTaken, fileBlocked, type Refusal } from '../refusals.js';
import { appendEvents, type DecidedCommit } from '../worktree/append.js';
import { reconcile } from '../worktree/reconcile.js';
import { findHindrance } from '../worktree/replaceable.js';
import type { NoteLookup, NotePlaces, Store } from '../worktree/write-store.js';
import { readKnownNotes } from './known-notes.js';
import { type Earlier, findEarlier } from './same-command.js';
import { refuseOverwrites, refuseUnreadable } from './unreadable.js';

/** A command with its author and time. Plain data, because another process may carry it out. */
export type Job = { readonly command: Command; readonly stamp: Stamp };

export type Outcome =
  | {
      readonly status: 'recorded' | 'unchanged';
      readonly event: { readonly id: string; readonly kind: string; readonly at: string } | undefined;
      /** The note that the command was about, undefined when it is gone or there were many. */
      readonly noteId: NoteId | undefined;
      readonly masked: readonly MaskCount[];
      readonly warnings: readonly string[];
      readonly counts: ImportCounts | undefined;
    }
  | { readonly status: 'refused'; readonly refusal: Refusal };

/** Outcomes in the order of the jobs. The caller holds the write lock. */
export const performAll = async (store: Store, jobs: readonly Job[]): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = [];
  while (outcomes.length < jobs.length) outcomes.push(...(await performFirst(store, jobs.slice(outcomes.length))));
  return outcomes;
};

/** Carries out the first jobs, as many as are independent of each other. */
const performFirst = async (store: Store, jobs: readonly Job[]): Promise<readonly Outcome[]> => {
  const left = new Map<string, string>();
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    await reconcileTouched(store, jobs);
    const plan = await planBatch(store, independentOf(jobs, store.lookup), left);
    if ('edited' in plan) {
      const { journal, path } = plan.edited;
      const after = await reconcile(store, journal, { look: [path], deletions: 'put-back' });
      for (const file of after.left) if (file.path === path) left.set(`${journal}/${path}`, file.reason);
      continue;
    }
    const appended = await appendPlan(store, plan);
    if (appended !== 'moved') return plan.outcomes.map((one) => withWarning(one, appended.unfinished, store));
  }
  throw new Fault(
    'lock-timeout',
    'another git program kept writing to this journal',
    'wait until it is done, then repeat the command',
  );
};

const attempts = 20;

/** A person's edits of the notes touched are recorded as separate events, before ours. */
const reconcileTouched = async (store: Store, jobs: readonly Job[]): Promise<void> => {
  for (const name of journalNames) await reconcile(store, name, { look: [], deletions: 'hold' });
  const look: Record<JournalName, string[]> = { portable: [], local: [] };
  const ids = new Set(jobs.flatMap(({ command }) => touches(command, store.lookup)));
  for (const id of ids) for (const { journal, path } of store.lookup.filesOf(id)) look[journal].push(path);
  for (const name of journalNames) {
    // A file that was committed unreadable may have been repaired since.
    for (const { path } of store.lookup.unreadable(name)) if (ids.has(idOfPath(path))) look[name].push(path);
    const edited = look[name].filter((path) => isEdited(store, name, path));
    if (edited.length > 0) await reconcile(store, name, { look: edited, deletions: 'put-back' });
  }
};

const isEdited = (store: Store, name: JournalName, path: string): boolean => {
  const row = store.state.checkedOut(name, path);
  return row === undefined || !store.isAsCheckedOut(name, row);
};

/** The jobs up to the first that depends on what one before it does. */
const independentOf = (jobs: readonly Job[], lookup: NoteLookup): readonly Job[] => {
  const claimed = new Set<string>();
  const end = jobs.findIndex((job, at) => {
    const claims = claimsOf(job, lookup);
    if (at > 0 && (alone.has(job.command.kind) || claims.some((claim) => claimed.has(claim)))) return true;
    for (const claim of claims) claimed.add(claim);
    return at > 0 && alone.has(jobs[at - 1]?.command.kind ?? 'write');
  });
  return end === -1 ? jobs : jobs.slice(0, end);
};

/** What two jobs must not share: notes, a Command-Id, a session, a title, a source key, the order of notes. */
const claimsOf = ({ command, stamp }: Job, lookup: NoteLookup): readonly string[] => {
  const claims = [...touches(command, lookup), `command ${stamp.machine} ${stamp.commandId}`];
  if (command.kind === 'capture') return [...claims, `session ${command.session}`];
  if (command.kind === 'supersede') return [...claims, 'order'];
  if (command.kind !== 'write') return claims;
  const { title, sourceKey = stamp.eventId, supersedes } = command;
  return [...claims, `title ${title.trim()}`, `key ${sourceKey}`, ...(supersedes.length > 0 ? ['order'] : [])];
};

/** What these change is known only once they are decided. */
const alone: ReadonlySet<Command['kind']> = new Set(['import', 'undo', 'restore', 'restore-at', 'settle-proposal']);

type Plan = {
  readonly commits: Readonly<Record<JournalName, readonly DecidedCommit[]>>;
  readonly outcomes: readonly Outcome[];
};

/** A hand edit at a path that a command would write: it must be adopted, and the batch decided again. */
type EditedPath = { readonly edited: FileChange };

const planBatch = async (
  store: Store,
  jobs: readonly Job[],
  left: ReadonlyMap<string, string>,
): Promise<Plan | EditedPath> => {
  const commands = jobs.map(({ command }) => command);
  const notes = await readKnownNotes(store, commands);
  const outcomes: Outcome[] = [];
  const commits: Record<JournalName, DecidedCommit[]> = { portable: [], local: [] };
  for (const { command, stamp } of jobs) {
    const earlier = await findEarlier(store, command, stamp);
    const decision = decideOnce(store, { command, stamp }, earlier, notes, left);
    if ('edited' in decision) return decision;
    outcomes.push('status' in decision ? decision : outcomeOf(decision, stamp));
    if ('status' in decision || decision.kind !== 'record') continue;
    for (const { journal, ...commit } of commitsOf(decision, stamp, store.lookup)) commits[journal].push(commit);
  }
  return { commits, outcomes };
};

/** The outcome of a command that was recorded before, else its decision. */
const decideOnce = (
  store: Store,
  { command, stamp }: Job,
  earlier: Earlier,
  notes: KnownNotes,
  left: ReadonlyMap<string, string>,
): Outcome | Decision | EditedPath => {
  if (earlier.kind === 'done') return alreadyDone(earlier, command);
  const decision = decide(command, notes, stamp);
  if (earlier.kind === 'taken' && decision.kind === 'record')
    return refuse(commandIdTaken(stamp.commandId, earlier.since));
  const readable = refuseUnreadable(store, command, decision);
  return refuseBlocked(store, command, refuseOverwrites(store.lookup, command, readable, notes), left);
};

/** After 'moved', the events that were recorded are found again by their ids. */
const appendPlan = async (store: Store, { commits }: Plan): Promise<'moved' | { readonly unfinished: unknown }> => {
  let unfinished: unknown;
  for (const name of journalNames) {
    if (commits[name].length === 0) continue;
    if (unfinished !== undefined) throw unfinished;
    const appended = await appendEvents(store, name, commits[name]);
    if (appended === 'moved') return 'moved';
    unfinished = appended.unfinished;
    if (appended.contested.length > 0) await reconcile(store, name, { look: appended.contested, deletions: 'hold' });
  }
  return { unfinished };
};

const withWarning = (outcome: Outcome, unfinished: unknown, { journals, log }: Store): Outcome => {
  if (unfinished === undefined || outcome.status !== 'recorded') return outcome;
  const reason = describeError(unfinished, dirname(journals.portable.folder));
  log(`recorded, but not checked out: ${reason}`);
  const warning = `it is recorded, but the note files do not show it yet: ${reason}; the next command that writes will finish that`;
  return { ...outcome, warnings: [...outcome.warnings, warning] };
};

/** Refuses a change that could be committed but not checked out. `left`: files not adopted, with the reasons. */
const refuseBlocked = (
  store: Store,
  command: Command,
  decision: Decision,
  left: ReadonlyMap<string, string>,
): Decision | EditedPath => {
  if (decision.kind !== 'record' || decision.changes.length > maxCheckedChanges) return decision;
  for (const change of [...decision.changes, ...laterRemovals(store, command)]) {
    const hindrance = findHindrance(store, change);
    if (hindrance === undefined) continue;
    const where = `${journalFolder[change.journal]}/${change.path}`;
    const why = hindrance.kind === 'block' ? hindrance.reason : left.get(`${change.journal}/${change.path}`);
    return why === undefined ? { edited: change } : refuse(fileBlocked(where, why));
  }
  return decision;
};

/** The old files of a note that was written anew in the other journal are removed by the next command. */
const laterRemovals = ({ lookup }: Store, command: Command): readonly FileChange[] =>
  command.kind === 'move' && command.scope !== undefined && command.typed === undefined
    ? lookup.filesOf(command.id).map(({ journal, path }) => ({ journal, path, bytes: undefined }))
    : [];

/** A larger import is checked out as far as possible; `status` names what is in the way. */
const maxCheckedChanges = 100;

const nothing = { event: undefined, noteId: undefined, masked: [], warnings: [], counts: undefined } as const;

const outcomeOf = (decision: Decision, stamp: Stamp): Outcome => {
  switch (decision.kind) {
    case 'refuse':
      return { status: 'refused', refusal: decision.refusal };
    case 'quiet':
      return { status: 'unchanged', ...nothing, ...pick(decision) };
    case 'record':
      return {
        status: 'recorded',
        ...pick(decision),
        event: { id: stamp.eventId, kind: decision.event.kind, at: formatTime(stamp.atMs) },
        masked: decision.masked,
      };
  }
};

const pick = (
  decision: Exclude<Decision, { kind: 'refuse' }>,
): Pick<Extract<Outcome, { status: 'recorded' | 'unchanged' }>, 'noteId' | 'warnings' | 'counts'> => ({
  noteId: decision.noteId,
  warnings: decision.warnings,
  counts: decision.counts,
});

/** The Command-Id was recorded before: answers with that event, and does nothing. */
const alreadyDone = ({ event, isResumed }: Extract<Earlier, { kind: 'done' }>, command: Command): Outcome => ({
  status: 'recorded',
  ...nothing,
  warnings: isResumed ? [] : [`this command id was recorded at ${event.at} already; nothing was added`],
  event: { id: event.id, kind: event.kind, at: event.at },
  noteId: noteOf(command, event),
});

/** Turns a decided event into commits: one, except for an import into both journals, which is an event in each. */
type Places = Pick<NotePlaces, 'filesOf'>;

/** The first journal's event has the event's own id. An event of memory/ doesn't name notes of local/. */
const commitsOf = (
  { event, changes }: Extract<Decision, { kind: 'record' }>,
  stamp: Stamp,
  places: Places,
): readonly (DecidedCommit & { readonly journal: JournalName })[] => {
  const first = changes[0]?.journal;
  return journalNames.flatMap((journal) => {
    const own = changes.filter((change) => change.journal === journal);
    if (own.length === 0) return [];
    const here = new Set(own.map(({ path }) => idOfPath(path)));
    const known: KnownEvent = {
      ...event,
      notes: event.notes.filter((id) => here.has(id) || isOf(journal, id, own.length === changes.length, places)),
      id: journal === first ? stamp.eventId : derivedUlid(stamp.atMs, 'other-journal', stamp.eventId),
      at: formatTime(stamp.atMs),
      machine: stamp.machine,
      user: stamp.user,
      session: stamp.session,
      agent: stamp.agent,
      commandId: stamp.commandId,
    };
    return [{ journal, event: known, epochMs: stamp.atMs, changes: own }];
  });
};

/** Whether the journal's event may name a note that it doesn't change. */
const isOf = (journal: JournalName, id: NoteId, isOnly: boolean, { filesOf }: Places): boolean => {
  const there = filesOf(id)[0]?.journal;
  return there === undefined ? isOnly : there === journal || journal === 'local';
};
