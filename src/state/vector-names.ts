/** Names of the files of vectors, which are numbered: one model's newest file counts. */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Names files by all that vectors depend on besides notes: the model with its version, and how passages are cut. */
export const prefixOf = (identity: string): string =>
  `vectors-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}-`;

export const isVectors = (name: string): boolean => /^vectors-[0-9a-f]{16}-\d{6}\.db/.test(name);

export const numberOf = (name: string, prefix: string): number =>
  name.startsWith(prefix) && name.endsWith('.db') ? Number(name.slice(prefix.length, -3)) : 0;

/** The file with the model's vectors; undefined if there is none. */
export const vectorFileOf = (folder: string, identity: string): string | undefined => {
  const prefix = prefixOf(identity);
  const last = Math.max(0, ...filesIn(folder).map((name) => numberOf(name, prefix)));
  return last === 0 ? undefined : join(folder, nameOf(prefix, last));
};

export const hasVectors = (folder: string): boolean => filesIn(folder).some(isVectors);

/** A process that has one of them open keeps what it has read. */
export const removeVectors = (folder: string): void => {
  for (const name of filesIn(folder).filter(isVectors)) rmSync(join(folder, name), { force: true });
};

export const nameOf = (prefix: string, number: number): string => `${prefix}${String(number).padStart(6, '0')}.db`;

export const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
