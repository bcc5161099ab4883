import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acceptedHead, acceptedRef, acceptHead } from '../../../src/events/git/branch.js';
import { append, newJournal, nthCommit } from '../../support/journals.js';
import { personsGit } from '../../support/store.js';

describe('the accepted head', () => {
  const newHistory = async () => {
    const { journal, folder } = await newJournal();
    const [first = '', second = ''] = await append(journal, nthCommit(1), nthCommit(2));
    return { folders: journal.folders, folder, first, second };
  };

  it('is a ref that git can read', async () => {
    const { folders, folder, first, second } = await newHistory();
    await acceptHead(folders, first);
    expect(personsGit(folder, 'rev-parse', acceptedRef).trim()).toBe(first);
    await acceptHead(folders, second);
    expect(personsGit(folder, 'rev-parse', acceptedRef).trim()).toBe(second);
    expect(personsGit(folder, 'fsck', '--strict')).toBe('');
  });

  it('overwrites one that git has packed', async () => {
    const { folders, folder, first, second } = await newHistory();
    await acceptHead(folders, first);
    personsGit(folder, 'pack-refs', '--all', '--prune');
    expect(existsSync(join(folders.gitDir, acceptedRef))).toBe(false);
    await acceptHead(folders, second);
    expect(acceptedHead(folders)).toBe(second);
    expect(personsGit(folder, 'rev-parse', acceptedRef).trim()).toBe(second);
  });

  it('stays unchanged and leaves no lock behind when it can’t be replaced', async () => {
    const { folders, first } = await newHistory();
    const taken = join(folders.gitDir, acceptedRef);
    mkdirSync(taken, { recursive: true });
    writeFileSync(join(taken, 'a ref below it'), `${first}\n`);
    await expect(acceptHead(folders, first)).rejects.toThrow();
    expect(readdirSync(join(taken, '..'))).toEqual(['head', 'remote']);
  });
});
