/** Bundles: one file with a journal's history, used by backups. Handles only the journal's own refs. */
import { join } from 'node:path';
import { syncFolder } from './git-files.js';
import { branch, type GitFolders, runGit } from './git-process.js';

export type Ref = { readonly name: string; readonly id: string };

/** Heads set aside (rescued ones, for example) have their refs below this folder. */
const keptRefs = 'refs/anamnesis';

/** Returns the journal's own refs, sorted by name. Throws GitError. */
export const listRefs = async (folders: GitFolders): Promise<readonly Ref[]> => {
  const output = await runGit(folders, ['for-each-ref', '--format=%(objectname) %(refname)', branch, keptRefs]);
  return parseRefs(output);
};

/** A consistent snapshot of all refs; returns them, or [] without a file. Takes no lock. Throws GitError. */
export const createBundle = async (folders: GitFolders, file: string): Promise<readonly Ref[]> => {
  for (let attempt = 1; ; attempt += 1) {
    const refs = await listRefs(folders);
    if (refs.length === 0) return [];
    const main = refs.some(({ name }) => name === branch) ? [branch] : [];
    await runGit(folders, ['bundle', 'create', '--quiet', file, ...main, `--glob=${keptRefs}`]);
    const written = await readBundleRefs(folders, file);
    const names = new Set(written.map(({ name }) => name));
    if (attempt === maxAttempts || refs.every(({ name }) => names.has(name))) return written;
  }
};

/** git leaves out a ref that moves while it writes. Writing takes milliseconds, so even a busy store soon succeeds. */
const maxAttempts = 100;

/** Returns the refs in the file's header, sorted by name. Throws GitError when the file is not a bundle. */
const readBundleRefs = async (folders: GitFolders, file: string): Promise<readonly Ref[]> =>
  parseRefs(await runGit(folders, ['bundle', 'list-heads', file]));

/**
 * Durable when this returns. Every object is hashed and every link followed before the refs appear, together: a killed
 * process leaves only unreachable objects. Throws GitError when the bundle is incomplete.
 */
export const fetchBundle = async (folders: GitFolders, file: string): Promise<void> => {
  await runGit(folders, ['bundle', 'verify', '--quiet', file]);
  const names = (await readBundleRefs(folders, file)).map(({ name }) => name);
  const settings = ['-c', 'fetch.unpackLimit=1', '-c', 'core.fsync=committed,loose-object,reference'];
  const options = [
    '--quiet',
    '--atomic',
    '--no-recurse-submodules',
    '--no-tags',
    '--no-write-fetch-head',
    '--update-head-ok',
  ];
  const wanted = [
    ...(names.includes(branch) ? [`${branch}:${branch}`] : []),
    ...(names.some((name) => name !== branch) ? [`${keptRefs}/*:${keptRefs}/*`] : []),
  ];
  await runGit(folders, [...settings, 'fetch', ...options, file, ...wanted]);
  syncFolder(join(folders.gitDir, 'objects', 'pack'));
  if (names.includes(branch)) syncFolder(join(folders.gitDir, 'refs', 'heads'));
};

/** Parses lines of `id name`; sorted by name. */
const parseRefs = (output: Buffer): readonly Ref[] =>
  output
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ id: line.slice(0, line.indexOf(' ')), name: line.slice(line.indexOf(' ') + 1) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
