/** Whether entries that are about to be edited away belong to another store, which knows what the file was before. */
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Refusal } from '../commands/refusals.js';
import { readBackup, readRecord, recordOf } from './record.js';
import { findRegistered, namedStoreOf, type RegisteredPart } from './registered-parts.js';
import { quoteForShell } from './shell-word.js';
import type { Surroundings } from './surroundings.js';
import type { PlannedRemoval } from './unregister.js';

/**
 * Undefined where no original would be lost. Once the entries are out of a file, the store that they name takes it for
 * one that somebody edited, and never gives it back.
 */
export const refuseOtherStore = (
  planned: readonly PlannedRemoval[],
  storeHome: string,
  surroundings: Surroundings,
): Refusal | undefined => {
  const edited = planned.flatMap(({ removal }) => (removal.change === 'edit' ? [removal] : []));
  if (edited.length === 0) return undefined;
  for (const part of findRegistered(storeHome, surroundings)) {
    const isEdited = edited.some((one) => one.client === part.client && one.part === part.part);
    const other = isEdited ? otherStoreOf(part, storeHome, surroundings) : undefined;
    if (other === undefined) continue;
    return {
      code: 'store-other',
      message: `${part.file} names another store: ${other}, which has the file as it was before; nothing was changed`,
      next: `to give that back, run: anamnesis uninstall --home ${quoteForShell(other)}; --any-store only takes the entries out`,
    };
  }
  return undefined;
};

const otherStoreOf = (
  { client, part, file, entries }: RegisteredPart,
  storeHome: string,
  { home }: Surroundings,
): string | undefined =>
  entries
    .map(({ line }) => resolve(namedStoreOf(line) ?? join(home, '.anamnesis')))
    .find((store) => {
      if (realOf(store) === realOf(storeHome)) return false;
      const known = recordOf(readRecord(store), client, part);
      return known?.file === file && (known.created || readBackup(store, known) !== undefined);
    });

const realOf = (folder: string): string => {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
};
