/**
 * The write path. Runs under the write lock: reconcile, read the notes touched, decide, commit, check out, index,
 * checkpoint, answer. Works on a list of commands; a single one is a list of one.
 */
import { dirname } from 'node:path';
import type { FileChange, Stamp } from '../../events/event.js';
import { Fault } from '../../events/faults.js';
import { type BlobId, type JournalName, journalFolder, journalNames, type NoteId } from '../../events/note/note.js';
import { idOfPath } from '../../events/note/paths.js';
import type { Masked } from '../../events/note/redact.js';
import { formatTime } from '../../events/time.js';
import { describeError } from '../../state/environment-probe.js';
import { forgetMovedEdits, keepMovedEdits } from '../../state/moved-edits.js';
import { type Decision, type ImportCounts, refuse } from '../command.js';
import { type Command, decide, noteOf, touches } from '../handlers.js';
import { commandIdTaken, fileBlocked, type Refusal } from '../refusals.js';
import { appendEvents, type DecidedCommit } from '../worktree/append.js';
import { reconcile } from '../worktree/reconcile.js';
import { findHindrance } from '../worktree/replaceable.js';
import type { Store } from '../worktree/write-store.js';
import { commitOf } from './commit-of.js';
import { readWorkspace } from './known-notes.js';
import { findLeaving, keepSaidLocal, moveEdit, removeAdoptedFiles } from './moved-edits.js';
import { refuseOverwrites } from './occupied-paths.js';
import { portableWords } from './portable-words.js';
import { withoutPrivateProposals } from './private-ids.js';
import { type Earlier, findEarlier, isSameAsked } from './same-command.js';
import { finishSecond, noteSecond, secondIsDone } from './second-commit.js';
import { refuseUnreadable } from './unreadable.js';

/** A command with its author and time. Plain data, because another process may carry it out. */
export type Job = { readonly command: Command; readonly stamp: Stamp };

export type Outcome =
  | {
      readonly status: 'recorded' | 'unchanged';
      readonly event: { readonly id: string; readonly kind: string; readonly at: string } | undefined;
      /** The note that the command was about, undefined when it is gone or there were many. */
      readonly noteId: NoteId | undefined;
      readonly masked: readonly Masked[];
      readonly warnings: readonly string[];
      readonly counts: ImportCounts | undefined;
    }
  | { readonly status: 'refused'; readonly refusal: Refusal };

/** Outcomes in the order of the jobs. The caller holds the write lock. */
export const performAll = async (store: Store, jobs: readonly Job[]): Promise<readonly Outcome[]> => {
  const left = new Map<string, string>();
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    await reconcileBoth(store, jobs);
    const finished = await finishSecond(store);
    if (finished === 'moved') continue;
    if (finished !== undefined)
      await reconcile(store, finished.journal, { look: finished.contested, deletions: 'hold' });
    const outcomes = await decideAndAppend(store, jobs, left);
    if (outcomes === 'moved') continue;
    if (!('edited' in outcomes)) return outcomes;
    const { journal, path } = outcomes.edited;
    const after = await reconcile(store, journal, { look: [path], deletions: 'put-back' });
    for (const file of after.left) if (file.path === path) left.set(`${journal}/${path}`, file.reason);
  }
  throw new Fault(
    'lock-timeout',
    'another git program kept writing to this journal',
    'wait until it is done, then repeat the command',
  );
};

const attempts = 20;

const reconcileBoth = async (store: Store, jobs: readonly Job[]): Promise<void> => {
  const leaving = await findLeaving(store, jobs);
  for (const name of journalNames) await reconcile(store, name, { look: [], deletions: 'hold' });
  // A person's edits of these notes are recorded as separate events, before ours.
  const look: Record<JournalName, string[]> = { portable: [], local: [] };
  const ids = new Set(jobs.flatMap(({ command }) => touches(command, store.lookup)));
  for (const id of ids) for (const { journal, path } of store.lookup.filesOf(id)) look[journal].push(path);
  // A file that was committed unreadable may have been repaired since.
  for (const name of journalNames)
    for (const { path } of store.lookup.unreadable(name)) if (ids.has(idOfPath(path))) look[name].push(path);
  for (const name of journalNames) {
    const edited = look[name].filter((path) => !leaving[name].includes(path) && isEdited(store, name, path));
    if (edited.length > 0) await reconcile(store, name, { look: edited, deletions: 'put-back' });
  }
};

const isEdited = (store: Store, name: JournalName, path: string): boolean => {
  const row = store.state.checkedOut(name, path);
  return row === undefined || !store.isAsCheckedOut(name, row);
};

type Batch = {
  readonly commits: Record<JournalName, DecidedCommit[]>;
  readonly outcomes: Map<number, Outcome>;
};

/** A hand edit at a path that the command would write: it must be adopted, and the command decided again. */
type Edited = { readonly edited: FileChange; readonly publishes: boolean };

/** True if the command asks to publish a note; undoing what made it machine-local does not. */
const publishes = (command: Command): boolean => command.kind === 'move' && command.scope === 'portable';

const decideAndAppend = async (
  store: Store,
  jobs: readonly Job[],
  left: ReadonlyMap<string, string>,
): Promise<readonly Outcome[] | 'moved' | Edited> => {
  const workspace = await readWorkspace(
    store,
    jobs.map(({ command }) => command),
  );
  const outcomes = new Map<number, Outcome>();
  let commits: Batch['commits'] = { portable: [], local: [] };
  const seen = new Map<string, { readonly at: number; readonly command: Command }>();
  let unfinished: unknown;

  /** `takenIn` are versions by portable path. */
  const flush = async (
    order: readonly JournalName[],
    takenIn: ReadonlyMap<string, BlobId> = new Map(),
  ): Promise<'done' | 'moved'> => {
    for (const name of order) {
      if (commits[name].length === 0) continue;
      if (unfinished !== undefined) throw unfinished;
      const alongside = { head: store.state.checkout(name), put: [], removed: [] };
      const taken: typeof takenIn = name === 'portable' ? takenIn : new Map();
      const appended = await appendEvents(store, name, commits[name], { ...alongside, takenIn: taken });
      if (appended === 'moved') return 'moved';
      unfinished = appended.unfinished;
      if (appended.contested.length > 0) await reconcile(store, name, { look: appended.contested, deletions: 'hold' });
    }
    commits = { portable: [], local: [] };
    return 'done';
  };

  for (const [at, { command, stamp }] of jobs.entries()) {
    const name = `${stamp.machine} ${stamp.commandId}`;
    const twin = seen.get(name);
    const ofTwin = twin === undefined ? undefined : outcomes.get(twin.at);
    if (twin !== undefined && ofTwin !== undefined && isSameAsked(twin.command, command)) {
      outcomes.set(at, ofTwin);
      continue;
    }
    seen.set(name, { at, command });
    const earlier = ofTwin?.status === 'recorded' ? takenNow(stamp) : await findEarlier(store, command, stamp);
    if (earlier.kind === 'done') {
      outcomes.set(at, alreadyDone(earlier, command));
      continue;
    }
    const wanted = withoutPrivateProposals(decide(command, workspace, stamp), workspace);
    const isTaken = earlier.kind === 'taken' && wanted.kind === 'record';
    const decided = isTaken ? refuse(commandIdTaken(stamp.commandId, earlier.since)) : wanted;
    const takesIn = (decided.kind === 'record' && decided.takesIn) || new Map<string, BlobId>();
    const takenIn = new Map(takesIn);
    const free = refuseOverwrites(store.lookup, command, refuseUnreadable(store, command, decided), workspace);
    const decision = await refuseBlocked(store, free, left, takenIn, stamp);
    if ('edited' in decision) return { ...decision, publishes: publishes(command) };
    outcomes.set(at, outcomeOf(decision, stamp));
    if (decision.kind !== 'record') continue;
    const told = decision.told === undefined ? [] : [decision.told];
    const journals = [...new Set([...decision.changes.map(({ journal }) => journal), ...told])];
    const first = decision.changes[0]?.journal ?? 'portable';
    const isAlone = journals.length > 1 || takesIn.size > 0;
    if (isAlone && (await flush(journalNames)) === 'moved') return 'moved';
    for (const name of journals) {
      const words =
        name === 'portable' ? portableWords(command, decision, workspace, store.lookup.idAt) : decision.event;
      commits[name].push(commitOf({ ...decision, event: words }, stamp, name, name === first, store.lookup.idAt));
    }
    workspace.apply(decision.event, decision.changes);
    if (!isAlone) continue;
    // The destination of a move is written first: after a kill in between, the note is in both journals, not in
    // neither.
    const order = first === 'portable' ? journalNames : journalNames.toReversed();
    const [one, other] = order.map((name) => commits[name][0]);
    if (one !== undefined && other !== undefined) noteSecond(store, one, order[1] ?? 'local', other);
    keepMovedEdits(store.state, stamp.eventId, takenIn);
    if ((await flush(order, takenIn)) === 'moved') return 'moved';
    secondIsDone(store);
    unfinished ??= removeAdoptedFiles(store, takesIn);
    if (unfinished === undefined) forgetMovedEdits(store.state);
  }
  if ((await flush(journalNames)) === 'moved') return 'moved';
  return jobs.map((_, at) => withWarning(outcomes.get(at) ?? { status: 'unchanged', ...nothing }, unfinished, store));
};

const withWarning = (outcome: Outcome, unfinished: unknown, { journals, log }: Store): Outcome => {
  if (unfinished === undefined || outcome.status !== 'recorded') return outcome;
  const reason = describeError(unfinished, dirname(journals.portable.folder));
  log(`recorded, but not checked out: ${reason}`);
  const warning = `it is recorded, but the note files do not show it yet: ${reason}; the next command that writes will finish that`;
  return { ...outcome, warnings: [...outcome.warnings, warning] };
};

/**
 * Refuses a change that could be committed but not checked out, which would leave the note half written. `left` maps
 * files that reconciling does not adopt to the reasons.
 */
const refuseBlocked = async (
  store: Store,
  decision: Decision,
  left: ReadonlyMap<string, string>,
  takenIn: Map<string, BlobId>,
  stamp: Stamp,
): Promise<Decision | Pick<Edited, 'edited'>> => {
  if (decision.kind !== 'record' || decision.changes.length > maxCheckedChanges) return decision;
  let free = decision;
  for (const change of decision.changes) {
    const hindrance = findHindrance(store, change);
    if (hindrance === undefined) continue;
    const isLeaving = hindrance.kind !== 'block' && change.journal === 'portable' && change.bytes === undefined;
    const along = isLeaving
      ? ((await moveEdit(store, free, change.path)) ?? keepSaidLocal(store, free, change.path, stamp))
      : undefined;
    if (along?.decision !== undefined) {
      free = along.decision;
      takenIn.set(change.path, along.takenIn);
      continue;
    }
    const ofFile = along?.reason ?? left.get(`${change.journal}/${change.path}`);
    const why = hindrance.kind === 'block' ? hindrance.reason : ofFile;
    if (why === undefined) return { edited: change };
    return refuse(fileBlocked(`${journalFolder[change.journal]}/${change.path}`, why));
  }
  return free;
};

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

const takenNow = ({ atMs }: Stamp): Earlier => ({ kind: 'taken', since: formatTime(atMs) });
