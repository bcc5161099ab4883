/** Use cases for the remote, beside the exchange itself. */
import type { RemoteJson } from '../answers/machines-schema.js';
import { readConfig } from '../config/settings.js';
import { isRefusal } from '../files/settings-file.js';
import { readLastSync, readTrouble } from '../state/sync-state.js';
import type { Memory } from '../store/memory.js';
import type { Lookup } from '../store/reading.js';
import { findRemote } from '../sync/remote.js';
import { type SyncAnswer, syncStore } from '../sync/syncing.js';

/** Syncs after something was recorded, or now and then; undefined if the settings turn that off or there is no remote. */
export const syncInBackground = async (memory: Memory, signal?: AbortSignal): Promise<SyncAnswer | undefined> =>
  readConfig(memory.settings.home, process.env).sync && findRemote(memory) !== undefined
    ? syncStore(memory, { background: true, signal })
    : undefined;

/** The remote and the last exchange with it; all null if notes stay on this machine. */
export const readRemote = async (memory: Memory): Promise<Lookup<RemoteJson>> => {
  const remote = findRemote(memory);
  if (remote !== undefined && isRefusal(remote)) return { ok: false, refusal: remote };
  const state = memory.exists() ? (await memory.store()).state : undefined;
  return {
    ok: true,
    answer: {
      remote: remote?.shown ?? null,
      kind: remote?.kind ?? null,
      source: remote?.source ?? null,
      last: (state && readLastSync(state)) ?? null,
      trouble: (state && readTrouble(state)) ?? null,
    },
  };
};
