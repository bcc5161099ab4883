/** The one door to simple-git: what is asked of git now and then, by commands that need not start fast. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SimpleGit, simpleGit } from 'simple-git';
import { type GitFolders, gitArguments, gitEnvironment } from './git-process.js';
import type { JournalName } from './note.js';

export type FsckReport = { readonly ok: boolean; readonly lines: readonly string[] };

/** Makes an empty repository on branch main: no template, no hooks of others, bytes kept as they are. */
export const initRepository = async (folders: GitFolders, name: JournalName): Promise<void> => {
  mkdirSync(folders.workTree, { recursive: true, mode: 0o700 });
  await git(folders).raw('init', '--quiet', '--template=', '--initial-branch=main', folders.workTree);
  mkdirSync(join(folders.gitDir, 'info'), { recursive: true });
  writeFileSync(join(folders.gitDir, 'info', 'attributes'), '* -text -filter -ident -working-tree-encoding\n');
  if (name === 'local') {
    const hook = join(folders.gitDir, 'hooks', 'pre-push');
    mkdirSync(join(folders.gitDir, 'hooks'), { recursive: true });
    writeFileSync(
      hook,
      '#!/bin/sh\necho "anamnesis: these notes stay on this machine and are never pushed" >&2\nexit 1\n',
    );
    chmodSync(hook, 0o700);
  }
};

/** `git fsck --full`: every object is there and whole. */
export const checkObjects = async (folders: GitFolders): Promise<FsckReport> => {
  try {
    const output = await git(folders).raw(...arguments_(folders, ['fsck', '--full', '--no-dangling', '--no-progress']));
    return { ok: true, lines: output.split('\n').filter((line) => line !== '') };
  } catch (error) {
    return {
      ok: false,
      lines: String(error instanceof Error ? error.message : error)
        .trim()
        .split('\n'),
    };
  }
};

/** Unified difference of two commits, or of a commit and the empty tree. */
export const diffText = (folders: GitFolders, from: string, to: string): Promise<string> =>
  git(folders).raw(...arguments_(folders, ['diff', '--no-ext-diff', '--no-textconv', '--no-color', from, to]));

/** Packs many small packs into few, geometrically, so that the cost stays in proportion to what is new. */
export const repack = async (folders: GitFolders): Promise<void> => {
  await git(folders).raw(...arguments_(folders, ['repack', '-d', '--geometric=2', '--quiet']));
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
