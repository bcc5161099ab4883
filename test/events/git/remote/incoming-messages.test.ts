import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { GitJournal } from '../../../../src/events/git/git-journal.js';
import { runGit } from '../../../../src/events/git/git-process.js';
import { inspectMessages, readFetchedRefs } from '../../../../src/events/git/remote/incoming-messages.js';
import { writeBlob, writeTree } from '../../../support/hostile-trees.js';
import { newJournal } from '../../../support/journals.js';

const limits = { inOne: 2000, inAll: 5000, commits: 8 };

describe('the fetched messages', () => {
  let journal: GitJournal;
  beforeEach(async () => {
    journal = (await newJournal()).journal;
  });

  const git = async (...args: readonly string[]): Promise<string> =>
    (await runGit(journal.folders, args)).toString('latin1').trim();
  /** Creates a chain of commits with these messages and returns the last one. */
  const commit = async (...messages: readonly string[]): Promise<string> => {
    const tree = await writeTree(journal.folders, []);
    let last: string | undefined;
    for (const message of messages) {
      const parent = last === undefined ? [] : ['-p', last];
      const author = ['-c', 'user.name=M', '-c', 'user.email=m@example.com'];
      last = await git(...author, 'commit-tree', '-m', message, ...parent, tree);
    }
    return last ?? '';
  };

  const inspect = async (from: string | undefined, to: string): Promise<string | undefined> =>
    inspectMessages(journal.folders, from, to, await readFetchedRefs(journal.folders, to, limits), limits);

  it('are accepted when none is too long', async () => {
    expect(await inspect(undefined, await commit('one', 'x'.repeat(1500)))).toBe(undefined);
  });

  it('are refused for one that is too long, whose commit is named', async () => {
    const to = await commit('one', 'x'.repeat(2000));
    expect(await inspect(undefined, to)).toContain(to);
  });

  it('are refused when they are too long together', async () => {
    const to = await commit('x'.repeat(1700), 'x'.repeat(1700), 'x'.repeat(1700));
    expect(await inspect(undefined, to)).toMatch(/messages of its commits/);
  });

  it('are checked only where they are new', async () => {
    const long = await commit('x'.repeat(3000));
    const tree = await writeTree(journal.folders, []);
    const to = await git('-c', 'user.name=M', '-c', 'user.email=m@e', 'commit-tree', '-m', 'new', '-p', long, tree);
    expect(await inspect(long, to)).toBe(undefined);
  });

  it.each(['machines/laptop'])('are refused for a ref %s to a large object, and the ref is removed', async (name) => {
    const [to, large] = [await commit('one'), await writeBlob(journal.folders, 'x'.repeat(2001))];
    await git('update-ref', `refs/anamnesis/${name}`, large);
    expect(await inspect(undefined, to)).toContain(name);
    expect(await git('for-each-ref', 'refs/anamnesis')).toBe('');
  });

  it('are refused for too many commits, however short their messages are', async () => {
    const eight = await commit(...'12345678');
    expect(await inspect(undefined, eight)).toBe(undefined);
    const nine = await commit(...'123456789');
    expect(await inspect(undefined, nine)).toBe('it has more than 8 commits that are not here');
    expect(await inspect(await git('rev-parse', `${nine}~8`), nine)).toBe(undefined);
  });

  it('are refused for many refs to one object, of which those within the limit are kept', async () => {
    const [to, mark] = [await commit('one'), await writeBlob(journal.folders, 'x'.repeat(1500))];
    for (const name of ['a', 'b', 'c', 'd', 'e']) await git('update-ref', `refs/anamnesis/machines/${name}`, mark);
    expect(await inspect(undefined, to)).toMatch(/^its refs of machines name more than .* together$/);
    expect(await git('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/anamnesis')).toBe('a\nb\nc');
    expect(await inspect(undefined, to)).toBe(undefined);
  });

  it('are checked when a commit names its parent many thousand times', async () => {
    const parent = await commit('one');
    const tree = await writeTree(journal.folders, []);
    const person = 'M <m@example.com> 1700000000 +0000';
    const head = `tree ${tree}\n${`parent ${parent}\n`.repeat(20_000)}author ${person}\ncommitter ${person}\n\ntwo\n`;
    const args = ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'];
    const to = (await runGit(journal.folders, args, [head])).toString('latin1').trim();
    expect(await inspect(parent, to)).toContain(to);
  });

  it('are checked when another ref points to a missing object', async () => {
    const to = await commit('one', 'x'.repeat(2000));
    mkdirSync(`${journal.folders.gitDir}/refs/anamnesis/machines`, { recursive: true });
    writeFileSync(`${journal.folders.gitDir}/refs/anamnesis/machines/gone`, `${'1'.repeat(40)}\n`);
    expect(await inspect(undefined, to)).toContain(to);
  });
});
