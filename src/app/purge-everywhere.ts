/** A purge here and on the remote: in step before it, and the rewritten history published after it. */

import type { PurgeReceipt } from '../purge/purge-answer.js';
import { notChecked } from '../purge/purge-receipt.js';
import { type PurgeAsked, purgeStore } from '../purge/purging.js';
import type { Memory } from '../store/memory.js';
import type { Found } from '../store/reading.js';
import { findRemote } from '../sync/remote.js';
import { type SyncOptions, syncStore } from '../sync/syncing.js';

/**
 * An unreachable remote keeps nothing from being purged here: the next sync that reaches it publishes what was done.
 * Throws as `purgeStore` does.
 */
export const purgeEverywhere = async (
  memory: Memory,
  asked: PurgeAsked,
  options: SyncOptions = {},
): Promise<Found<PurgeReceipt>> => {
  if (findRemote(memory, options.environment) === undefined) return purgeStore(memory, asked);
  // This purges what other machines published too, and no push of theirs comes in between.
  await syncStore(memory, options);
  const done = await purgeStore(memory, asked);
  if (!done.ok) return done;
  const { outcome, detail } = await syncStore(memory, options);
  const remote = { published: outcome === 'synced', detail };
  return { ok: true, answer: { ...done.answer, remote, not_checked: notChecked(remote) } };
};
