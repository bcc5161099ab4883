/** Undoes what init registered: restores the original if nobody edited since, else removes only our entries. */
import type { Refusal } from '../commands/refusals.js';
import { type EditResult, refuseEdit } from '../files/edited.js';
import { ensureWritable, type FileState, isRefusal, removeFile, replaceFile, sha256 } from '../files/settings-file.js';
import { removeTrace } from '../store/trace-file.js';
import { withSetupLock } from './lock.js';
import { makeBackup, type Part, readBackup, readRecord, withoutFile, writeRecord } from './record.js';
import { fileOf, type KnownTarget, knownTargets, readFile, writePlanned } from './registered-parts.js';
import { type ClientName, clientNames, type Surroundings } from './surroundings.js';

export type UninstallRequest = { readonly storeHome: string; readonly clients: readonly ClientName[] };

/** `restore`: the bytes from before init. `remove`: a file that init created and nobody changed. `none`: not ours. */
export type Removal = {
  readonly client: ClientName;
  readonly part: Part;
  readonly file: string;
  readonly change: 'restore' | 'remove' | 'edit' | 'none';
  readonly removed: readonly string[];
};

type PlannedRemoval = {
  readonly removal: Removal;
  readonly target: KnownTarget;
  readonly state: FileState;
  /** The file's new bytes; undefined if it is removed. */
  readonly bytes: Buffer | undefined;
};

export const planUninstall = (request: UninstallRequest, surroundings: Surroundings): readonly Removal[] | Refusal => {
  const planned = planRemovals(request, surroundings);
  return isRefusal(planned) ? planned : planned.map(({ removal }) => removal).filter(({ change }) => change !== 'none');
};

/** Returns what was done. If all clients are named, also deletes the trace file. Throws Fault 'not-writable'. */
export const runUninstall = async (
  request: UninstallRequest,
  surroundings: Surroundings,
  nowMs: () => number = Date.now,
): Promise<readonly Removal[] | Refusal> => {
  const early = planRemovals(request, surroundings);
  if (isRefusal(early)) return early;
  const done =
    early.length === 0
      ? []
      : await withSetupLock(request.storeHome, async () => {
          const planned = planRemovals(request, surroundings);
          return isRefusal(planned) ? planned : applyRemovals(planned, request.storeHome, nowMs);
        });
  const isEveryClient = clientNames.every((name) => request.clients.includes(name));
  if (isEveryClient && !isRefusal(done)) removeTrace(request.storeHome);
  return done;
};

/** A file that can't be read causes a refusal only if the record names it. */
const planRemovals = (request: UninstallRequest, surroundings: Surroundings): readonly PlannedRemoval[] | Refusal => {
  const planned: PlannedRemoval[] = [];
  for (const target of request.clients.flatMap((client) => knownTargets(client, request, surroundings))) {
    const one = planOne(request.storeHome, target);
    const isKnown = target.known !== undefined;
    if (isRefusal(one)) {
      if (isKnown) return one;
    } else if (isKnown || one.removal.change !== 'none') planned.push(one);
  }
  return planned;
};

const applyRemovals = (
  planned: readonly PlannedRemoval[],
  storeHome: string,
  nowMs: () => number,
): readonly Removal[] | Refusal => {
  const done: Removal[] = [];
  for (const one of planned) {
    const applied = writePlanned(
      one,
      () => planOne(storeHome, one.target),
      (current) => write(current, storeHome, nowMs),
    );
    if (isRefusal(applied)) return applied;
    const { removal } = applied;
    writeRecord(storeHome, withoutFile(readRecord(storeHome), removal.client, removal.part));
    if (removal.change !== 'none') done.push(removal);
  }
  return done;
};

const planOne = (storeHome: string, target: KnownTarget): PlannedRemoval | Refusal => {
  const { client, part, known } = target;
  const file = known?.file ?? fileOf(target);
  const read = readFile(file);
  if (isRefusal(read)) return read;
  const { state, text } = read;
  const plan = (change: Removal['change'], bytes: Buffer | undefined, removed: readonly string[]): PlannedRemoval => {
    if (change !== 'none') ensureWritable(state);
    return { removal: { client, part, file, change, removed }, target, state, bytes };
  };
  if (state.bytes === undefined || text === undefined) return plan('none', undefined, []);
  const edited = target.remove(text);
  if (known?.after === sha256(state.bytes)) {
    const original = readBackup(storeHome, known);
    const removed = edited.ok ? edited.edit.removed : [];
    // The client's own program may have created the file for us and added settings of its own.
    if (known.created && leavesNothing(edited)) return plan('remove', undefined, removed);
    if (original !== undefined) return plan('restore', original, removed);
  }
  if (!edited.ok) return refuseEdit(file, edited.problem);
  if (edited.edit.text === text) return plan('none', state.bytes, []);
  return plan('edit', Buffer.from(edited.edit.text), edited.edit.removed);
};

const leavesNothing = (edited: EditResult): boolean => edited.ok && /^(?:\{\s*\})?$/.test(edited.edit.text.trim());

/** Returns false and changes nothing if the file differs from what was read. */
const write = ({ removal, state, bytes }: PlannedRemoval, storeHome: string, nowMs: () => number): boolean => {
  if (removal.change === 'none' || state.bytes === undefined) return true;
  if (bytes === undefined) return removeFile(state);
  if (removal.change === 'edit') makeBackup(storeHome, state.path, state.bytes, nowMs());
  return replaceFile(state, bytes);
};
