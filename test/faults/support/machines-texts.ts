/** All text in a journal's history. */
import { execFileSync } from 'node:child_process';
import type { GitJournal } from '../../../src/events/git/git-journal.js';
import { personsGit } from '../../support/store.js';

/** Every object that the branch reaches, as text: all blobs and all messages. */
export const historyOf = ({ folder, head }: GitJournal): string => {
  if (head() === undefined) return '';
  const ids = personsGit(folder, 'rev-list', '--objects', 'main')
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '');
  const input = ids.filter(Boolean).join('\n');
  return execFileSync('git', ['cat-file', '--batch', '--buffer'], {
    cwd: folder,
    input: `${input}\n`,
    maxBuffer: 2 ** 30,
  }).toString('latin1');
};
