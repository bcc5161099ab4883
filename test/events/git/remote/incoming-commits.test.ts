import { beforeEach, describe, expect, it } from 'vitest';
import type { GitJournal } from '../../../../src/events/git/git-journal.js';
import { incomingLimits, inspectIncoming } from '../../../../src/events/git/remote/incoming.js';
import { historyLimits, inspectCommits } from '../../../../src/events/git/remote/incoming-commits.js';
import { commitTree, fileOf, folderOf, writeTree, writeTrees } from '../../../support/hostile-trees.js';
import { newJournal } from '../../../support/journals.js';

const id = (n: number): string => `01J00000000000000000${String(n).padStart(6, '0')}`;
const usual = (n: number): string => `semantic/${id(n).slice(-2)}/${id(n)}.md`;

describe('incoming commits', () => {
  let journal: GitJournal;
  let first = '';
  beforeEach(async () => {
    ({ journal } = await newJournal());
    first = await commitOf(1);
  });

  const treeOf = async (count: number): Promise<string> => {
    const note = await fileOf(journal.folders, 'note\n');
    return writeTrees(
      journal.folders,
      Array.from({ length: count }, (_, at) => [usual(at), note] as const),
    );
  };
  const commitOf = async (count: number, ...parents: readonly string[]): Promise<string> =>
    commitTree(journal.folders, await treeOf(count), parents);
  const commitWithMessage = async (message: string, count: number, ...parents: readonly string[]): Promise<string> =>
    commitTree(journal.folders, await treeOf(count), parents, message);
  const inspect = (to: string, limits: Partial<typeof historyLimits> = {}): Promise<string | undefined> =>
    inspectCommits(journal.folders, first, to, { ...historyLimits, ...limits });

  it('are accepted when they change a few files each', async () => {
    const last = await commitOf(3, await commitOf(2, first));
    expect(await inspect(last)).toBeUndefined();
    expect(await inspectCommits(journal.folders, undefined, last)).toBeUndefined();
  });

  it('are refused when they change too much together, even if the last commit undoes it', async () => {
    let last = first;
    for (let round = 0; round < 5; round += 1) last = await commitOf(1, await commitOf(20, last));
    expect(await inspect(last, { entries: 100 })).toBe('its commits change more than 100 files and folders together');
    expect(await inspect(last)).toBeUndefined();
  });

  it('count each folder and file that a commit changes or removes', async () => {
    // 19 notes, each in its own folder, and the folder above them, added and then removed.
    const last = await commitOf(1, await commitOf(20, first));
    expect(await inspect(last, { entries: 2 * (2 * 19 + 1) })).toBeUndefined();
    expect(await inspect(last, { entries: 2 * (2 * 19 + 1) - 1 })).toMatch(/more than 77 files and folders/);
  });

  it('count the entries in which a merge differs from each of its sides', async () => {
    const full = await commitOf(20, first);
    // The merge equals its first side and has 39 entries that the other side lacks.
    const merge = await commitOf(20, full, await commitOf(1, full));
    expect(await inspect(merge, { entries: 3 * 39 })).toBeUndefined();
    expect(await inspect(merge, { entries: 3 * 39 - 1 })).toMatch(/more than 116 files and folders/);
  });

  it('count the changes of a merge since the commit that its sides have in common', async () => {
    // Both sides add the same 39 entries, which the merge has too.
    const merge = await commitOf(20, await commitOf(20, first), await commitWithMessage('other', 20, first));
    expect(await inspect(merge, { entries: 3 * 39 })).toBeUndefined();
    expect(await inspect(merge, { entries: 3 * 39 - 1 })).toMatch(/more than 116 files and folders/);
  });

  it('are refused when many small ones remove the same notes', async () => {
    const full = await commitOf(20, first);
    let last = full;
    for (let at = 0; at < 10; at += 1) last = await commitOf(20, last, await commitWithMessage(`${at}`, 1, full));
    expect(await inspect(last, { entries: 300 })).toMatch(/more than 300 files and folders/);
  });

  it('are refused when one nests a folder in itself repeatedly, even if the next removes it', async () => {
    let tree = await treeOf(1);
    for (let depth = 0; depth < 10; depth += 1) {
      const entries = Array.from({ length: 20 }, (_, at) => [`f${at}`, folderOf(tree)] as const);
      tree = await writeTree(journal.folders, entries);
    }
    const last = await commitOf(1, await commitTree(journal.folders, tree, [first]));
    const report = await inspectIncoming(journal, first, last, { ...incomingLimits, entries: 10_000 });
    expect(report.refused).toMatch(/commits change more than 40000 files and folders/);
  });

  it('are refused when one merges too many others', async () => {
    const sides: string[] = [];
    for (let side = 0; side < 5; side += 1) sides.push(await commitOf(side + 2, first));
    const merge = await commitOf(1, ...sides);
    expect(await inspect(merge)).toBeUndefined();
    expect(await inspect(merge, { sides: 4 })).toBe(
      `its commit ${merge.slice(0, 12)} merges 5 others, and at most 4 are allowed`,
    );
  });
});
