/** Refusals of syncing: steps that need a person's decision. */

import type { Store } from '../commands/worktree/write-store.js';
import { keepRescue } from '../events/git/branch.js';

/** Something must not be accepted, or must not leave this machine, without a person's decision. */
export class SyncRefused extends Error {
  constructor(
    readonly code: 'remote-rewritten' | 'remote-lost' | 'remote-hostile' | 'secret-unmasked' | 'note-private',
    message: string,
    readonly next: string,
  ) {
    super(message);
  }
}

export const refuseLost = (shown: string): never => {
  throw new SyncRefused(
    'remote-lost',
    `${shown} no longer has a main branch, though this machine synced with it`,
    "if it was emptied on purpose, publish this machine's notes there again: anamnesis sync --seed",
  );
};

/** Keeps the head under a unique ref below `prefix`, and returns that ref; undefined if there is no head. */
export const keepHead = async (store: Store, prefix?: string): Promise<string | undefined> => {
  const { portable } = store.journals;
  const head = portable.head();
  return head === undefined ? undefined : await keepRescue(portable.folders, head, store.newId(store.nowMs()), prefix);
};

export const refuseRewritten = async (store: Store, shown: string, isRolledBack: boolean): Promise<never> => {
  const kept = await keepHead(store);
  const what = isRolledBack
    ? 'was reset to an older state'
    : 'was rewritten: it does not contain what this machine synced';
  throw new SyncRefused(
    'remote-rewritten',
    `the history of ${shown} ${what}. Nothing was changed here${kept === undefined ? '' : `, and our head is kept as ${kept}`}`,
    'if that was intended, accept its history and append ours to it: anamnesis sync --rejoin',
  );
};

export const refuseHostile = (shown: string, why: string): never => {
  throw new SyncRefused(
    'remote-hostile',
    `the contents of ${shown} were not accepted: ${why}`,
    'inspect that repository with git; the next sync checks again',
  );
};

/** The commits could not be appended again without a machine-local file. */
export const refuseWithheld = (
  { hash, path }: { readonly hash: string; readonly path: string },
  folder: string,
): SyncRefused =>
  new SyncRefused(
    'note-private',
    `nothing was published: commit ${hash.slice(0, 12)} contains memory/${path}, which is machine-local, and could not be rewritten without it`,
    `remove that commit from the history with git in ${folder}; the next sync checks again`,
  );

/** The remote's main is not a commit but an object of type `type`. */
export const refuseNoHistory = (shown: string, type: string): never => {
  throw new SyncRefused(
    'remote-hostile',
    `main of ${shown} holds no history: it is ${nounOfType[type] ?? type}, not a commit. Nothing was changed here`,
    'remove the branch main there, then run: anamnesis sync --seed; or give another address: anamnesis remote set ADDRESS',
  );
};

const nounOfType: Readonly<Record<string, string>> = {
  blob: 'a single file (a blob)',
  tree: 'a folder (a tree)',
  tag: 'a tag',
};
