/** Ways to damage a journal's repository. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { personsGit } from '../../support/store.js';

export type Harm = (gitDir: string) => void;

const pathsIn = (folder: string, end: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(end))
    .map((name) => join(folder, name));

export const packs = (gitDir: string, end = '.pack'): readonly string[] =>
  pathsIn(join(gitDir, 'objects', 'pack'), end);

/** Unpacks every object into its own file, as git stores objects that arrive a few at a time. */
export const makeLoose = (gitDir: string): void => {
  const contents = packs(gitDir).map((path) => readFileSync(path));
  for (const path of packs(gitDir, '')) rmSync(path, { force: true });
  for (const input of contents) execFileSync('git', [`--git-dir=${gitDir}`, 'unpack-objects', '-q'], { input });
};

export const objectFile = (gitDir: string, revision: string): string => {
  const id = personsGit(join(gitDir, '..'), 'rev-parse', revision).trim();
  return join(gitDir, 'objects', id.slice(0, 2), id.slice(2));
};

export const cutShort = (path: string, bytes: number): void => {
  chmodSync(path, 0o600);
  truncateSync(path, bytes);
};

/** Flips bits in the last object of each pack. */
export const flipBits: Harm = (gitDir) => {
  for (const path of packs(gitDir)) {
    chmodSync(path, 0o600);
    const bytes = readFileSync(path);
    for (let at = bytes.length - 40; at < bytes.length - 24; at += 1) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    writeFileSync(path, bytes);
  }
};
