/** Marks are read in one git call, as anyone who can push decides how many there are. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { runGit } from '../../../../src/events/git/git-process.js';
import { readRefMessages } from '../../../../src/events/git/remote/ref-messages.js';
import { commitTree, writeBlob, writeTree } from '../../../support/hostile-trees.js';
import { newJournal } from '../../../support/journals.js';

const below = 'refs/anamnesis/machines/';

const journalWithRefs = async () => {
  const { journal } = await newJournal();
  const { folders } = journal;
  const tree = await writeTree(folders, []);
  const refs = [
    ['a', await commitTree(folders, tree, [], 'one\n\nof two\nlines')],
    ['b', await commitTree(folders, tree, [], 'other')],
    ['c', await writeBlob(folders, 'no commit')],
  ] as const;
  for (const [name, id] of refs) await runGit(folders, ['update-ref', `${below}${name}`, id]);
  return journal;
};

it('reads the messages with their refs in one git call', async () => {
  const journal = await journalWithRefs();
  const spawn = vi.spyOn(process.getBuiltinModule('node:child_process'), 'spawn');
  onTestFinished(() => spawn.mockRestore());
  const messages = await readRefMessages(journal.folders, below);
  expect(messages.map(({ ref, message }) => [ref, message.trim()])).toEqual([
    [`${below}a`, 'one\n\nof two\nlines'],
    [`${below}b`, 'other'],
    [`${below}c`, ''],
  ]);
  expect(spawn).toHaveBeenCalledTimes(1);
});
