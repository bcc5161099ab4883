/** Refusals of syncing: steps that need a person's decision. */

import type { Store } from '../commands/worktree/write-store.js';
import { keepRescue } from '../events/git/branch.js';

/** Something must not be taken over, or must not leave this machine, without a person's word. */
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
    `${shown} has no main branch any more, though this machine synced with it`,
    "if it was emptied on purpose, publish this machine's notes there again: anamnesis sync --seed",
  );
};

/** Under a name of its own below the prefix; undefined where there is nothing to keep. */
export const keepHead = async (store: Store, prefix?: string): Promise<string | undefined> => {
  const { portable } = store.journals;
  const head = portable.head();
  return head === undefined ? undefined : await keepRescue(portable.folders, head, store.newId(store.nowMs()), prefix);
};

export const refuseRewritten = async (store: Store, shown: string, isRolledBack: boolean): Promise<never> => {
  const kept = await keepHead(store);
  const what = isRolledBack
    ? 'was set back to an older state'
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
    `what ${shown} holds was not accepted: ${why}`,
    'inspect that repository with git; the next sync checks again',
  );
};

/** The commits could not be made anew without a machine-local file. */
export const refuseWithheld = (
  { hash, path }: { readonly hash: string; readonly path: string },
  folder: string,
): SyncRefused =>
  new SyncRefused(
    'note-private',
    `nothing was published: commit ${hash.slice(0, 12)} brings memory/${path}, which is machine-local, and could not be made anew without it`,
    `take that commit out of the history with git in ${folder}; the next sync looks again`,
  );

/** Its main is an object of another type than a commit, as `type` says. */
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
