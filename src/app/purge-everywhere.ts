/** Purges here and on the remote: syncs first, and publishes the rewritten history afterwards. */

import type { PurgeReceipt } from '../purge/purge-answer.js';
import { notChecked } from '../purge/purge-receipt.js';
import { type PurgeAsked, purgeStore } from '../purge/purging.js';
import type { Memory } from '../store/memory.js';
import type { Found } from '../store/reading.js';
import { findRemote } from '../sync/remote.js';
import { type SyncOptions, syncStore } from '../sync/syncing.js';

/**
 * An unreachable remote doesn't stop the purge here: the next sync that reaches it publishes the result. Throws like
 * `purgeStore`.
 */
export const purgeEverywhere = async (
  memory: Memory,
  asked: PurgeAsked,
  options: SyncOptions = {},
): Promise<Found<PurgeReceipt>> => {
  if (findRemote(memory, options.environment) === undefined) return purgeStore(memory, asked);
  // Synced first, so that this purge covers what other machines published, and no push of theirs comes in between.
  await syncStore(memory, options);
  const done = await purgeStore(memory, asked);
  if (!done.ok) return done;
  const { outcome, detail } = await syncStore(memory, options);
  const remote = { published: outcome === 'synced', detail };
  return { ok: true, answer: { ...done.answer, remote, not_checked: notChecked(remote) } };
};
