/** Merge bases computed from the commit graph: those that git finds, whatever the clocks of the commits said. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type CommitPair, findMergeBases, openGraph } from '../../../../src/events/git/journal/merge-bases.js';
import { readCommonBases } from '../../../../src/events/git/journal/read-merge-bases.js';
import { readRevertedByMerge } from '../../../../src/events/git/journal/reverted-by-merge.js';
import { removeFolder } from '../../../support/remove-folder.js';
import { personsGit, temporaryFolder } from '../../../support/store.js';

type Commit = { readonly parents: readonly number[]; readonly seconds: number };

/** Roots, chains, crossing merges and octopus merges, on machines whose clocks disagree. */
const anyHistory = fc
  .array(
    fc.record({
      parents: fc.uniqueArray(fc.nat(6), { maxLength: 5 }),
      isRoot: fc.boolean(),
      late: fc.constantFrom(0, 0, 0, 86_400, -86_400),
    }),
    { minLength: 2, maxLength: 14 },
  )
  .map((commits) =>
    commits.map(({ parents, isRoot, late }, at): Commit => {
      const known = parents.map((back) => at - 1 - back).filter((parent) => parent >= 0);
      const usual = isRoot && at % 5 === 0 ? [] : at === 0 ? [] : [at - 1];
      return { parents: known.length === 0 ? usual : known, seconds: 1_700_000_000 + 60 * at + late };
    }),
  );

/** Writes the history and returns the commits' hashes by number. */
const writeHistory = (
  folder: string,
  history: readonly Commit[],
  changeOf?: (at: number) => string,
): readonly string[] => {
  const stream = history.map(({ parents, seconds }, at) => {
    const [from, ...merged] = parents.map((parent) => `:${parent + 1}`);
    const lines = [`commit refs/heads/c${at}`, `mark :${at + 1}`, `committer P <p@example.com> ${seconds} +0000`];
    const links = [...(from === undefined ? [] : [`from ${from}`]), ...merged.map((one) => `merge ${one}`)];
    return [
      ...lines,
      `data ${String(at).length}`,
      String(at),
      ...links,
      ...(changeOf === undefined ? [] : [changeOf(at)]),
      `get-mark :${at + 1}`,
      '',
    ].join('\n');
  });
  const input = `${history.map((_, at) => `reset refs/heads/c${at}\n\n`).join('')}${stream.join('')}`;
  const output = execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: folder, input });
  return output.toString().trim().split('\n');
};

const newRepository = (): string => {
  const folder = temporaryFolder();
  onTestFinished(() => removeFolder(folder));
  personsGit(folder, 'init', '--quiet', '--initial-branch=main');
  return folder;
};

const foldersOf = (folder: string) => ({ gitDir: join(folder, '.git'), workTree: folder });

/** Asks git for the merge bases; its exit code 1 means that there are none. */
const basesByGit = (folder: string, [one, other]: CommitPair): readonly string[] => {
  try {
    return personsGit(folder, 'merge-base', '--all', one, other).trim().split('\n').sort();
  } catch {
    return [];
  }
};

const allPairs = (commits: readonly string[]): readonly CommitPair[] =>
  commits.flatMap((one) => commits.map((other) => [one, other] as const));

/** Repeats the pairs so often that git isn't asked about each of them. */
const manyOf = <Asked>(asked: readonly Asked[]): readonly Asked[] =>
  Array.from({ length: Math.ceil(40 / asked.length) }, () => asked).flat();

it('finds the merge bases that git finds for any two commits', async () => {
  const folder = newRepository();
  await fc.assert(
    fc.asyncProperty(anyHistory, fc.array(fc.nat(195), { minLength: 6, maxLength: 6 }), async (history, tried) => {
      const pairs = allPairs(writeHistory(folder, history));
      const found = await readCommonBases(foldersOf(folder), manyOf(pairs), 20);
      for (const at of tried.map((pair) => pair % pairs.length))
        expect(found[at]).toEqual(basesByGit(folder, pairs[at]!));
    }),
  );
});

it('finds the merge bases that git finds in a shallow clone', async () => {
  const folder = newRepository();
  const line = (...parents: readonly number[]): Commit => ({ parents, seconds: 1_700_000_000 });
  const commits = writeHistory(folder, [
    line(),
    line(0),
    line(0),
    line(1),
    line(2),
    line(1, 2),
    line(3, 5),
    line(4, 5),
  ]);
  const pairs = allPairs(commits);
  const whole = await readCommonBases(foldersOf(folder), manyOf(pairs), 20);
  writeFileSync(join(folder, '.git', 'shallow'), `${commits[1]}\n${commits[2]}\n`);
  const found = await readCommonBases(foldersOf(folder), manyOf(pairs), 20);
  expect(found.slice(0, pairs.length)).toEqual(pairs.map((pair) => basesByGit(folder, pair)));
  expect(found).not.toEqual(whole);
});

it('finds every common commit that is no ancestor of another, however many pairs there are', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(8), { maxLength: 3 }), { minLength: 2, maxLength: 24 }), (history) => {
      const { graph, add } = openGraph();
      const before: Set<number>[] = [];
      for (const [at, back] of history.entries()) {
        const parents = [...new Set(back.map((steps) => at - 1 - steps).filter((parent) => parent >= 0))];
        add({ hash: String(at), parents: parents.map(String) });
        before.push(new Set([at, ...parents.flatMap((parent) => [...before[parent]!])]));
      }
      const pairs = allPairs(history.map((_, at) => String(at)));
      const found = pairs.map((): number[] => []);
      findMergeBases(graph, pairs, (pair, commit) => found[pair]!.push(Number(commit)));
      const wanted = pairs.map(([one, other]) => {
        const common = [...before[Number(one)]!].filter((commit) => before[Number(other)]!.has(commit));
        return common.filter((commit) => !common.some((later) => later !== commit && before[later]!.has(commit)));
      });
      expect(found.map((some) => some.sort((a, b) => a - b))).toEqual(wanted.map((some) => some.sort((a, b) => a - b)));
    }),
  );
});

it('finds the bases of an octopus merge’s first side with each other side, the first few by hash', async () => {
  const folder = newRepository();
  const seconds = 1_700_000_000;
  const roots = [0, 1, 2, 3, 4, 5].map((): Commit => ({ parents: [], seconds }));
  const crossed: Commit = { parents: [0, 1, 2, 3, 4, 5], seconds };
  const commits = writeHistory(folder, [
    ...roots,
    crossed,
    { ...crossed, parents: [0, 1, 2] },
    { ...crossed, parents: [3, 4] },
  ]);
  const [whole = '', half = '', rest = ''] = commits.slice(6);
  const merge = [whole, half, rest];
  const few = await readCommonBases(foldersOf(folder), [merge], 4);
  expect(few).toEqual([commits.slice(0, 5).sort().slice(0, 4)]);
  expect(await readCommonBases(foldersOf(folder), manyOf([merge]), 4)).toEqual(manyOf(few));
});

it('calls git twice, however many merges were pushed', async () => {
  const folder = newRepository();
  const note = (at: number): string => {
    const id = `01J00000000000000000${String(at % 7).padStart(6, '0')}`;
    return `M 100644 inline semantic/${id.slice(-2)}/${id}.md\ndata ${String(at).length}\n${at}`;
  };
  const merges = 200;
  // Two sides that change one note each, and a merge that equals its first side.
  const history = Array.from({ length: 3 * merges }, (_, at): Commit => {
    const parents = at % 3 === 2 ? [at - 1, at - 2] : at < 3 ? [] : [at - (at % 3) - 1];
    return { parents, seconds: 1_700_000_000 + at };
  });
  const commits = writeHistory(folder, history, (at) => (at % 3 === 2 ? '' : note(at)));
  const asked = history.flatMap(({ parents }, at) =>
    parents.length < 2 ? [] : [{ hash: commits[at]!, parents: parents.map((parent) => commits[parent]!) }],
  );
  const spawn = vi.spyOn(process.getBuiltinModule('node:child_process'), 'spawn');
  onTestFinished(() => spawn.mockRestore());
  const together = await readRevertedByMerge(foldersOf(folder), asked);
  expect(spawn).toHaveBeenCalledTimes(2);
  expect(together.size).toBe(merges);
  for (const merge of [asked[0]!, asked[7]!, asked[199]!])
    expect(together.get(merge.hash)).toEqual((await readRevertedByMerge(foldersOf(folder), [merge])).get(merge.hash));
  expect(together.get(asked[7]!.hash)).toEqual(['01J00000000000000000000000']);
});
