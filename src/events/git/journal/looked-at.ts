/** Up to which commit the commits of a journal were compared with what they say, and which of them leave notes out. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObjectId } from '../../claims.js';

export type LookedAt = {
  /** It and all commits before it were looked at. */
  readonly head: string;
  /** Those of them that change notes which their trailers don't name. */
  readonly unnamed: ReadonlySet<string>;
};

/** Beside the objects, since it is true of these alone. Lost, it is made again by the next replay. */
const fileName = 'anamnesis-looked-at';
/** Another one means that commits are compared in another way. */
const version = '1';

/** Undefined where nothing is known. */
export const readLookedAt = (gitDir: string): LookedAt | undefined => {
  let text: string;
  try {
    text = readFileSync(join(gitDir, fileName), 'latin1');
  } catch {
    return undefined;
  }
  const [first, head, ...unnamed] = text.trimEnd().split('\n');
  if (first !== version || head === undefined || ![head, ...unnamed].every(isObjectId)) return undefined;
  return { head, unnamed: new Set(unnamed) };
};

/** Does without where the disk doesn't take it. */
export const writeLookedAt = (gitDir: string, { head, unnamed }: LookedAt): void => {
  const path = join(gitDir, fileName);
  const beside = `${path}.${process.pid}`;
  try {
    writeFileSync(beside, `${[version, head, ...unnamed].join('\n')}\n`);
    renameSync(beside, path);
  } catch {
    rmSync(beside, { force: true });
  }
};
