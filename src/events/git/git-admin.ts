/** The one door to simple-git: what is asked of git now and then, by commands that need not start fast. */
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SimpleGit, simpleGit } from 'simple-git';
import { denialInText } from '../environment-faults.js';
import type { JournalName } from '../note/note.js';
import { excludeTemporaries } from '../worktree/working-tree.js';
import { withoutLeftovers } from './git-files.js';
import { folderMissing, GitError, type GitFolders, gitArguments, gitEnvironment, gitMissing } from './git-process.js';

export type FsckReport = { readonly ok: boolean; readonly lines: readonly string[] };

/**
 * Makes an empty repository on branch main: no template, no hooks of others, bytes kept as they are. It appears whole or
 * not at all: one that a full disk cut short would be a damaged journal for ever.
 */
export const initRepository = async (folders: GitFolders, name: JournalName): Promise<void> => {
  mkdirSync(folders.workTree, { recursive: true, mode: 0o700 });
  // A folder that is there already is a person's: git makes of it what is missing.
  if (existsSync(folders.gitDir)) return makeRepository(folders, folders.workTree, name);
  const beside = join(folders.workTree, '.anamnesis-init');
  rmSync(beside, { recursive: true, force: true });
  try {
    await makeRepository(folders, beside, name);
    renameSync(join(beside, '.git'), folders.gitDir);
  } finally {
    rmSync(beside, { recursive: true, force: true });
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

/**
 * `git fsck`: every object is there and, unless only the connectivity is looked at, whole. Throws GitError where an object
 * may not be read.
 */
export const checkObjects = async (
  folders: GitFolders,
  how: '--full' | '--connectivity-only' = '--full',
): Promise<FsckReport> => {
  try {
    const output = await raw(folders, arguments_(folders, ['fsck', how, '--no-dangling', '--no-progress']));
    const lines = output.split('\n').filter((line) => line !== '');
    // git reports missing objects on standard output only, which counts as success here.
    return { ok: !lines.some((line) => /^(?:missing|broken|error)/.test(line)), lines };
  } catch (error) {
    if (!(error instanceof GitError) || denialInText(error.stderr) !== undefined) throw error;
    return { ok: false, lines: error.stderr.trim().split('\n') };
  }
};

/** Unified difference of two commits, or of a commit and the empty tree. */
export const diffText = (folders: GitFolders, from: string, to: string): Promise<string> =>
  raw(
    folders,
    arguments_(folders, ['diff', '--ignore-submodules=none', '--no-ext-diff', '--no-textconv', '--no-color', from, to]),
  );

/** Packs many small packs into few, geometrically, so that the cost stays in proportion to what is new. */
export const repack = async (folders: GitFolders): Promise<void> => {
  await withoutLeftovers(folders.gitDir, () =>
    raw(folders, arguments_(folders, ['repack', '-d', '--geometric=2', '--quiet'])),
  );
};

/** Standard output. Throws GitError, and Faults 'git-missing' and 'journal-missing'. */
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

const arguments_ = (folders: GitFolders, args: readonly string[]): string[] => gitArguments(folders, args);

// These commands work on one repository and reach no other program, so they need little of the environment; simple-git
// refuses the rest of it (EDITOR, PAGER and such) anyway.
const passedOn = new Set(['PATH', 'Path', 'HOME', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'LC_ALL']);

// simple-git waits 50 ms for late output after each command unless `completion` says not to, and refuses every GIT_*
// variable that is not named. The settings it calls unsafe are the very ones that switch other programs off.
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
