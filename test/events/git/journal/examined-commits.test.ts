/** Commits are compared with their trailers once, and the result is kept beside the objects. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { append, newJournal, noteChange, nthCommit } from '../../../support/journals.js';
import { personsGit } from '../../../support/store.js';

/** A journal of 220 commits, the first of which changes a note that its trailers don't name. */
const longJournal = async () => {
  const { journal, folder } = await newJournal();
  const plain = Array.from({ length: 219 }, (_, at) => nthCommit(at + 2));
  const [first = '', ...rest] = await append(
    journal,
    nthCommit(1, [noteChange(1, 'a\n'), noteChange(300, 'b\n')]),
    ...plain,
  );
  const file = join(folder, '.git', 'anamnesis-looked-at');
  const unnamed = async (): Promise<readonly string[]> => {
    const events = await journal.events(undefined, journal.head() ?? '');
    return events.flatMap((event) => (event.unnamed.length > 0 ? [event.commit] : []));
  };
  return { journal, folder, first, head: rest.at(-1) ?? '', file, unnamed };
};

it('finds the same commits from the cached result and after that is lost', async () => {
  const { first, head, file, unnamed } = await longJournal();
  expect(await unnamed()).toEqual([first]);
  expect(readFileSync(file, 'utf8')).toBe(`3\n${head}\n${first}\n`);
  expect(await unnamed()).toEqual([first]);
  rmSync(file);
  expect(await unnamed()).toEqual([first]);
});

it('compares commits that were added since', async () => {
  const { journal, first, unnamed } = await longJournal();
  await unnamed();
  const [later = ''] = await append(journal, nthCommit(400, [noteChange(1, undefined)]));
  expect(await unnamed()).toEqual([first, later]);
});

it('starts over when the history was rewritten and the old one is gone', async () => {
  const { folder, unnamed } = await longJournal();
  await unnamed();
  const tree = personsGit(folder, 'rev-parse', 'main^{tree}').trim();
  const message = personsGit(folder, 'log', '-1', '--format=%B', 'main');
  const commit = personsGit(folder, 'commit-tree', tree, '-m', message).trim();
  personsGit(folder, 'update-ref', 'refs/heads/main', commit);
  personsGit(folder, 'reflog', 'expire', '--expire=all', '--all');
  personsGit(folder, 'gc', '-q', '--prune=now');
  expect(await unnamed()).toEqual([commit]);
});

it('stores no result for a few commits', async () => {
  const { journal, folder } = await newJournal();
  await append(journal, nthCommit(1));
  await journal.events(undefined, journal.head() ?? '');
  expect(existsSync(join(folder, '.git', 'anamnesis-looked-at'))).toBe(false);
});
