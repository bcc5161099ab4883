/** Refuses to edit out entries of another store that still has the file's original. */
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Refusal } from '../commands/refusals.js';
import { readBackup, readRecord, recordOf } from './record.js';
import { findRegistered, namedStoreOf, type RegisteredPart } from './registered-parts.js';
import { quoteForShell } from './shell-word.js';
import type { Surroundings } from './surroundings.js';
import type { PlannedRemoval } from './unregister.js';

/**
 * Returns undefined if no original would be lost. Once its entries are gone from a file, the other store sees the file
 * as edited by hand and never restores the original.
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
      message: `${part.file} names another store: ${other}, which has the file's original; nothing was changed`,
      next: `to restore the original, run: anamnesis uninstall --home ${quoteForShell(other)}; --any-store only removes the entries`,
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
