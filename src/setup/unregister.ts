/** Undoes what init registered: restores the original if nobody edited since, else removes only our entries. */
import { existsSync } from 'node:fs';
import type { Refusal } from '../commands/refusals.js';
import { type EditResult, refuseEdit } from '../files/edited.js';
import {
  ensureWritable,
  type FileState,
  isRefusal,
  readFileState,
  removeFile,
  replaceFile,
  sha256,
  textOf,
} from '../files/settings-file.js';
import { type Target, targetsOf } from './clients.js';
import {
  type FileRecord,
  makeBackup,
  readBackup,
  readRecord,
  recordOf,
  scriptsOf,
  withoutFile,
  writeRecord,
} from './record.js';
import { type ClientName, defaultServerName, type Surroundings } from './surroundings.js';

export type UnregisterRequest = {
  readonly storeHome: string;
  readonly homeArgs: readonly string[];
  readonly clients: readonly ClientName[];
};

/**
 * `restore` writes back the bytes from before init. `remove` deletes a file that init created and nobody changed since.
 * `edit` removes only our entries. `none`: the file has nothing of ours.
 */
export type Removal = {
  readonly client: ClientName;
  readonly part: Target['part'];
  readonly file: string;
  readonly change: 'restore' | 'remove' | 'edit' | 'none';
  readonly removed: readonly string[];
};

export type PlannedRemoval = {
  readonly removal: Removal;
  readonly target: Target;
  readonly state: FileState;
  readonly known: FileRecord | undefined;
  /** The file's new bytes; undefined if it is removed. */
  readonly bytes: Buffer | undefined;
};

/** Plans without changing anything. A file that can't be read causes a refusal only if the record names it. */
export const planRemovals = (
  { storeHome, homeArgs, clients }: UnregisterRequest,
  surroundings: Surroundings,
): readonly PlannedRemoval[] | Refusal => {
  const record = readRecord(storeHome);
  const planned: PlannedRemoval[] = [];
  for (const client of clients) {
    const server = recordOf(record, client, 'server');
    const name = server?.name ?? defaultServerName;
    const scripts = [surroundings.scriptPath, ...scriptsOf(record, client)];
    for (const target of targetsOf(client, surroundings, { name, homeArgs, scripts })) {
      const known = recordOf(record, client, target.part);
      const one = planOne(storeHome, target, known);
      if (!isRefusal(one)) planned.push(one);
      else if (known !== undefined) return one;
    }
  }
  return planned.filter(({ removal, known }) => removal.change !== 'none' || known !== undefined);
};

export type UnregisterContext = {
  readonly request: UnregisterRequest;
  readonly nowMs: () => number;
};

/** Carries out a plan; the caller holds the setup lock. Refuses if a file keeps changing meanwhile. */
export const applyRemovals = (
  planned: readonly PlannedRemoval[],
  context: UnregisterContext,
): readonly Removal[] | Refusal => {
  const { storeHome } = context.request;
  const done: Removal[] = [];
  for (const one of planned) {
    const removal = applyOne(one, context);
    if (isRefusal(removal)) return removal;
    const { client, part } = removal;
    writeRecord(storeHome, withoutFile(readRecord(storeHome), client, part));
    if (removal.change !== 'none') done.push(removal);
  }
  return done;
};

const planOne = (storeHome: string, target: Target, known: FileRecord | undefined): PlannedRemoval | Refusal => {
  const { client, part } = target;
  const file = known?.file ?? target.files.find((one) => existsSync(one)) ?? target.files[0] ?? '';
  const state = readFileState(file);
  if (isRefusal(state)) return state;
  const plan = (change: Removal['change'], bytes: Buffer | undefined, removed: readonly string[]): PlannedRemoval => {
    if (change !== 'none') ensureWritable(state);
    return { removal: { client, part, file, change, removed }, target, state, known, bytes };
  };
  if (state.bytes === undefined) return plan('none', undefined, []);
  const read = textOf(state);
  if (isRefusal(read)) return read;
  const original = known === undefined ? undefined : readBackup(storeHome, known);
  const edited = target.remove(read.text ?? '', original?.toString('utf8'));
  if (known?.after === sha256(state.bytes)) {
    // The client's own program may have created the file for us and added settings of its own.
    if (known.created && leavesNothing(edited)) return plan('remove', undefined, removedBy(edited));
    if (original !== undefined) return plan('restore', original, removedBy(edited));
  }
  if (!edited.ok) return refuseEdit(file, edited.problem);
  const { text, removed } = edited.edit;
  if (text === read.text) return plan('none', state.bytes, []);
  return plan('edit', Buffer.from(text), removed);
};

const leavesNothing = (edited: EditResult): boolean => edited.ok && /^(?:\{\s*\})?$/.test(edited.edit.text.trim());

const removedBy = (edited: EditResult): readonly string[] => (edited.ok ? edited.edit.removed : []);

const applyOne = (planned: PlannedRemoval, context: UnregisterContext): Removal | Refusal => {
  const { storeHome } = context.request;
  const { target, known } = planned;
  let current = planned;
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    if (applyChange(current, context)) return current.removal;
    const again = planOne(storeHome, target, known);
    if (isRefusal(again)) return again;
    current = again;
  }
  return {
    code: 'file-changed',
    message: `${planned.state.path} kept changing while we tried to write it; it was left alone`,
    next: 'close the program that writes it, then repeat the command',
  };
};

/** Returns false and changes nothing if the file differs from what was read. */
const applyChange = ({ removal, state, bytes }: PlannedRemoval, context: UnregisterContext): boolean => {
  if (removal.change === 'none' || state.bytes === undefined) return true;
  if (bytes === undefined) {
    return removeFile(state);
  }
  if (removal.change === 'edit') makeBackup(context.request.storeHome, state.path, state.bytes, context.nowMs());
  return replaceFile(state, bytes);
};
