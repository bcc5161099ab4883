/** The reason reported when git could not be started. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkObjects, repack } from '../../../src/events/git/git-admin.js';
import { type GitFolders, runGit, runGitSync } from '../../../src/events/git/git-process.js';

describe('a missing folder', () => {
  const gone = (): GitFolders => {
    const folder = mkdtempSync(join(tmpdir(), 'anamnesis-gone-'));
    rmSync(folder, { recursive: true });
    return { gitDir: join(folder, '.git'), workTree: folder };
  };

  it.each([
    ['a call', (folders: GitFolders) => runGit(folders, ['version'])],
    ['a synchronous call', async (folders: GitFolders) => runGitSync(folders, ['version'])],
    ['a check', checkObjects],
    ['a repack', repack],
  ])('is named in the error of %s of git, which does not claim that git is missing', async (_, call) => {
    const folders = gone();
    await expect(call(folders)).rejects.toMatchObject({
      code: 'journal-missing',
      message: `${folders.workTree} is gone`,
      next: expect.stringContaining('mount its disk'),
    });
  });

  it('is not reported when git itself is missing', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = tmpdir();
    onTestFinished(() => {
      process.env['PATH'] = path;
    });
    await expect(runGit({ ...gone(), workTree: tmpdir() }, ['version'])).rejects.toMatchObject({ code: 'git-missing' });
  });
});
