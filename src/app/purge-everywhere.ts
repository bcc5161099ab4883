/** Purges here and on the remote: merges first, so that nothing which came in between is lost or left. */

import type { PurgeReceipt } from '../answers/store-schema.js';
import type { Refusal } from '../commands/refusals.js';
import { isRefusal } from '../files/settings-file.js';
import { notChecked } from '../purge/check-places.js';
import { findReplaceable, headToReplace, replaceHistory } from '../purge/publishing-purge.js';
import { type PurgedRemote, purgeStore, remoteMoved } from '../purge/purging.js';
import type { PurgeRequest } from '../purge/rule/request.js';
import type { Memory } from '../store/memory.js';
import type { Lookup } from '../store/reading.js';
import { findRemote, type Remote } from '../sync/remote.js';
import { type SyncAnswer, type SyncOptions, syncStore } from '../sync/syncing.js';

export type PurgeOptions = SyncOptions & {
  /** Purge although the remote can't be reached; the next sync publishes it before anything else. */
  readonly hereOnly?: boolean | undefined;
};

/** With machines that publish all the time, one of the first attempts gets through. */
const attempts = 5;

/** If the remote can't be reached or refuses, nothing is changed. Throws like `purgeStore`. */
export const purgeEverywhere = async (
  memory: Memory,
  request: PurgeRequest,
  { hereOnly = false, ...options }: PurgeOptions = {},
): Promise<Lookup<PurgeReceipt>> => {
  const remote = findRemote(memory, options.environment);
  if (remote === undefined) return purgeStore(memory, request);
  if (hereOnly) return purgeHere(memory, request);
  if (isRefusal(remote)) return { ok: false, refusal: remote };
  for (let attempt = 1; ; attempt += 1) {
    const met = await meetRemote(memory, remote, options);
    if ('code' in met) return { ok: false, refusal: met };
    const done = await purgeStore(memory, request, met);
    if (done.ok) return { ok: true, answer: await withRemote(memory, remote, done.answer, met, options) };
    if (done.refusal.code !== remoteMoved || attempt === attempts) return done;
  }
};

const purgeHere = async (memory: Memory, request: PurgeRequest): Promise<Lookup<PurgeReceipt>> => {
  const done = await purgeStore(memory, request, await headToReplace(memory));
  if (!done.ok) return done;
  const told = { published: false, detail: 'the next sync publishes it before anything else' };
  return { ok: true, answer: { ...done.answer, remote: told, not_checked: notChecked(told) } };
};

/** Fetches, merges and publishes. What the remote does not take of ours, as for a secret in it, does not stop a purge. */
const meetRemote = async (memory: Memory, remote: Remote, options: SyncOptions): Promise<PurgedRemote | Refusal> => {
  const network = { interactive: options.interactive, signal: options.signal };
  const synced = await syncStore(memory, options);
  if (synced.outcome !== 'synced' || synced.head === null)
    return (await findReplaceable(memory, remote, network)) ?? describeTrouble(synced);
  const { head } = synced;
  return { head, replace: (to) => replaceHistory(memory, remote, { from: head, to }, network) };
};

const describeTrouble = ({ trouble, detail }: SyncAnswer): Refusal => ({
  code: trouble?.code ?? 'refused',
  message: `nothing was purged, because this machine could not sync first: ${trouble?.message ?? detail}`,
  next: `${trouble?.next ?? 'repeat the purge'}; or purge this machine only, until the next sync: --here-only`,
});

const withRemote = async (
  memory: Memory,
  { shown }: Remote,
  receipt: PurgeReceipt,
  { replace }: PurgedRemote,
  options: SyncOptions,
): Promise<PurgeReceipt> => {
  const synced = replace === undefined ? await syncStore(memory, options) : undefined;
  const told =
    synced === undefined
      ? {
          published: true,
          detail: receipt.purge === null ? `${shown} did not have it` : `its history is replaced on ${shown}`,
        }
      : { published: synced.outcome === 'synced', detail: synced.detail };
  return { ...receipt, remote: told, not_checked: notChecked(told) };
};
