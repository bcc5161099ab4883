import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { countCommits } from '../../../src/events/git/branch.js';
import { seededRandom } from '../../faults/support/machines-random.js';
import { personsGit, temporaryFolder } from '../../support/store.js';

type Commit = { readonly hash: string; readonly ancestors: ReadonlySet<string> };

describe('the commits that one head has and another lacks', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  /** Creates branches that are merged again, on machines whose clocks disagree by days. */
  const makeHistory = (seed: number, count: number) => {
    const random = seededRandom(seed);
    const folder = temporaryFolder();
    folders.push(folder);
    personsGit(folder, 'init', '--quiet', '--initial-branch=main');
    const parents = Array.from({ length: count }, (_, at) => {
      const pick = (): number => Math.max(0, at - 1 - random.below(random.chance(0.85) ? 1 : 60));
      return at === 0
        ? []
        : [...new Set(random.chance(0.15) ? [pick(), Math.max(0, at - 1 - random.below(60))] : [pick()])];
    });
    const stream = parents.map((of, at) => {
      const seconds = 1_700_000_000 + at * 60 + (random.chance(at < 10 ? 0.8 : 0.1) ? 2 * 86_400 : 0);
      const [from, ...merged] = of.map((parent) => `:${parent + 1}`);
      const lines = [`commit refs/heads/c${at}`, `mark :${at + 1}`, `committer P <p@example.com> ${seconds} +0000`];
      const links = [...(from === undefined ? [] : [`from ${from}`]), ...merged.map((one) => `merge ${one}`)];
      return [...lines, 'data 1', 'x', ...links, `get-mark :${at + 1}`, ''].join('\n');
    });
    const output = execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: stream.join('') });
    const commits: Commit[] = [];
    for (const [at, hash] of output.toString().trim().split('\n').entries()) {
      const before = (parents[at] ?? []).flatMap((parent) => [...(commits[parent]?.ancestors ?? [])]);
      commits.push({ hash, ancestors: new Set([...before, hash]) });
    }
    return { random, commits, git: { gitDir: join(folder, '.git'), workTree: folder } };
  };

  it.each([1, 2, 3, 4])('are listed whatever the clocks of their machines said: seed %i', async (seed) => {
    const { random, commits, git } = makeHistory(seed, 60);
    for (let pair = 0; pair < 25; pair += 1) {
      const [to, from] = [random.pick(commits), random.pick(commits)];
      const wanted = [...to.ancestors].filter((hash) => !from.ancestors.has(hash));
      expect(await countCommits(git, to.hash, from.hash)).toBe(wanted.length);
    }
  });
});
