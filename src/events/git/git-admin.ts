/** The only use of simple-git: rare git calls, by commands that need not start fast. */
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SimpleGit, simpleGit } from 'simple-git';
import { denialInText } from '../environment-faults.js';
import type { JournalName } from '../note/note.js';
import { excludeTemporaries } from '../worktree/working-tree.js';
import { folderMissing, GitError, type GitFolders, gitArguments, gitEnvironment, gitMissing } from './git-process.js';

export type FsckReport = { readonly ok: boolean; readonly lines: readonly string[] };

/** On branch main: no template, no foreign hooks, bytes unchanged. Whole or not at all: a part would stay damaged. */
export const initRepository = async (folders: GitFolders, name: JournalName): Promise<void> => {
  mkdirSync(folders.workTree, { recursive: true, mode: 0o700 });
  // An existing `.git` is a person's: git only adds what is missing.
  if (existsSync(folders.gitDir)) return makeRepository(folders, folders.workTree, name);
  const scratch = join(folders.workTree, '.anamnesis-init');
  rmSync(scratch, { recursive: true, force: true });
  try {
    await makeRepository(folders, scratch, name);
    renameSync(join(scratch, '.git'), folders.gitDir);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

const makeRepository = async (folders: GitFolders, folder: string, name: JournalName): Promise<void> => {
  await raw(folders, ['init', '--quiet', '--template=', '--initial-branch=main', folder]);
  const gitDir = join(folder, '.git');
  mkdirSync(join(gitDir, 'info'), { recursive: true });
  writeFileSync(join(gitDir, 'info', 'attributes'), '* -text -filter -ident -working-tree-encoding\n');
  excludeTemporaries(gitDir);
  if (name === 'local') {
    const hook = join(gitDir, 'hooks', 'pre-push');
    mkdirSync(join(gitDir, 'hooks'), { recursive: true });
    writeFileSync(
      hook,
      '#!/bin/sh\necho "anamnesis: these notes stay on this machine and are never pushed" >&2\nexit 1\n',
    );
    chmodSync(hook, 0o700);
  }
};

/** `git fsck`: every object exists and, with `--full`, is intact. Throws GitError when one may not be read. */
export const checkObjects = async (
  folders: GitFolders,
  how: '--full' | '--connectivity-only' = '--full',
): Promise<FsckReport> => {
  try {
    const output = await raw(folders, argumentsFor(folders, ['fsck', how, '--no-dangling', '--no-progress']));
    const lines = output.split('\n').filter((line) => line !== '');
    // git reports missing objects only on standard output, and simple-git takes that for success.
    return { ok: !lines.some((line) => /^(?:missing|broken|error)/.test(line)), lines };
  } catch (error) {
    if (!(error instanceof GitError) || denialInText(error.stderr) !== undefined) throw error;
    return { ok: false, lines: error.stderr.trim().split('\n') };
  }
};

/** Returns the unified diff of two commits, or of a commit and the empty tree. */
export const diffText = (folders: GitFolders, from: string, to: string): Promise<string> =>
  raw(
    folders,
    argumentsFor(folders, [
      'diff',
      '--ignore-submodules=none',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      from,
      to,
    ]),
  );

/** Repacks many small packs into few, geometrically, so that the cost is proportional to what is new. */
export const repack = async (folders: GitFolders): Promise<void> => {
  await raw(folders, argumentsFor(folders, ['repack', '-d', '--geometric=2', '--quiet']));
};

/** Returns standard output. Throws GitError and Faults 'git-missing' and 'journal-missing'. */
const raw = async (folders: GitFolders, args: readonly string[]): Promise<string> => {
  try {
    return await git(folders).raw(...args);
  } catch (error) {
    const gone = folderMissing(folders, error);
    if (gone !== undefined) throw gone;
    const said = error instanceof Error ? error.message : String(error);
    if (/\bspawn git (?:ENOENT|EACCES)/.test(said)) throw gitMissing(error);
    throw new GitError(args, null, said, { cause: error });
  }
};

const argumentsFor = (folders: GitFolders, args: readonly string[]): string[] => gitArguments(folders, args);

// One repository, no other program: few variables are needed, and simple-git rejects the rest (EDITOR, PAGER).
const passedOn = new Set(['PATH', 'Path', 'HOME', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'LC_ALL']);

// simple-git waits 50 ms for late output after each command unless `completion` is set, and rejects every GIT_*
// variable that isn't allowed by name. The settings it calls unsafe are the ones that switch off other programs.
const git = (folders: GitFolders): SimpleGit => {
  const environment: Record<string, string> = {};
  for (const [key, value] of Object.entries(gitEnvironment())) {
    if (value !== undefined && (passedOn.has(key) || key.startsWith('GIT_'))) environment[key] = value;
  }
  return simpleGit({
    baseDir: folders.workTree,
    completion: { onClose: true, onExit: false },
    allowEnvironment: Object.keys(environment).filter((key) => key.startsWith('GIT_')),
    unsafe: {
      allowUnsafeHooksPath: true,
      allowUnsafeFsMonitor: true,
      allowUnsafeConfigPaths: true,
      allowUnsafeTemplateDir: true,
    },
  }).env(environment);
};
