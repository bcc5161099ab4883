/** The state of a store relative to its remote, in brief and without contacting it. */

import type { SyncStatus } from '../answers/machines-schema.js';
import { acceptedHead, countCommits } from '../events/git/branch.js';
import { readOtherHead } from '../events/git/git-files.js';
import { formatTime } from '../events/time.js';
import { isRefusal } from '../files/settings-file.js';
import { describePurgedAndBack, purgedAndBack } from '../projections/history/gone-notes.js';
import { readUnfinished, readUnpublished } from '../purge/purge-state.js';
import { readLastSync, readTrouble, type SyncTrouble } from '../state/sync-state.js';
import type { Memory } from '../store/memory.js';
import { findRemote } from './remote.js';

export type { SyncStatus };

/** Changes made by hand: those that adopting records, and the many gone notes that a person must decide about. */
export type HandEdits = { readonly recorded: number; readonly held: number };

/** Makes one git call if there is a remote. */
export const readSyncStatus = async (memory: Memory, handEdits: HandEdits): Promise<SyncStatus> => {
  const journal = memory.journals.portable;
  const initialized = journal.exists();
  const head = initialized ? journal.head() : undefined;
  const remote = findRemote(memory);
  const bad = remote !== undefined && isRefusal(remote) ? remote : undefined;
  const state = initialized ? (await memory.store()).state : undefined;
  const last = state === undefined ? undefined : readLastSync(state);
  const trouble = bad === undefined ? (state === undefined ? undefined : readTrouble(state)) : undefined;
  const shared = remote !== undefined && !isRefusal(remote) ? remote : undefined;
  const isShared = shared !== undefined;
  const unpublished = isShared && head !== undefined ? await countUnpublished(memory, head) : 0;
  const elsewhere = initialized ? readOtherHead(journal.folders.gitDir) : undefined;
  const back = initialized ? describePurgedAndBack(await memory.liveIndex.ask(purgedAndBack)) : undefined;
  const areEdited = handEdits.recorded + handEdits.held > 0;
  const detail = (): string => {
    if (!initialized)
      return isShared ? 'nothing here yet: anamnesis replay fetches it' : 'no store yet: the first write creates it';
    if (elsewhere !== undefined)
      return `HEAD is at ${elsewhere.replace(/^ref: /, '')}, not on main: nothing can be written`;
    if (bad !== undefined) return bad.message;
    if (state !== undefined && readUnfinished(state) !== undefined)
      return 'a purge has not finished: see anamnesis doctor';
    if (state !== undefined && readUnpublished(state) !== undefined)
      return 'the remote still has what was purged here: anamnesis sync';
    if (back !== undefined) return back;
    if (areEdited) return describeEdits(handEdits);
    if (!isShared) return 'local only: this store has no remote';
    if (trouble !== undefined) return describeTrouble(trouble, unpublished);
    if (last === undefined) return 'not synced yet: anamnesis sync';
    return unpublished > 0
      ? `${unpublished} ${unpublished === 1 ? 'event' : 'events'} to publish`
      : `synced ${last.at}`;
  };
  return {
    initialized,
    remote: shared?.shown ?? null,
    head: head ?? null,
    dirty: areEdited,
    last_sync: last?.at ?? null,
    unpublished,
    trouble: trouble === undefined ? null : pick(trouble),
    detail: detail(),
  };
};

const describeEdits = ({ recorded, held }: HandEdits): string =>
  [
    ...(recorded === 0 ? [] : [`${recorded} changed by hand: anamnesis adopt records them`]),
    ...(held === 0 ? [] : [`${held} removed await your decision: see anamnesis adopt`]),
  ].join('; ');

const countUnpublished = async ({ journals }: Memory, head: string): Promise<number> => {
  const { folders } = journals.portable;
  const accepted = acceptedHead(folders);
  return accepted === head ? 0 : countCommits(folders, head, accepted);
};

const describeTrouble = ({ code, message, since, nextAtMs }: SyncTrouble, unpublished: number): string => {
  const waiting = unpublished === 0 ? '' : `; ${unpublished} to publish`;
  if (code === 'auth') return `access denied since ${since}: ${message}${waiting}`;
  if (code === 'offline') return `offline since ${since}, next try at ${formatTime(nextAtMs)}: ${message}${waiting}`;
  return `not synced since ${since}: ${message}${waiting}`;
};

const pick = ({ code, message, next, since, failures }: SyncTrouble): SyncStatus['trouble'] => ({
  code,
  message,
  next,
  since,
  failures,
});
