/** Journals in temporary folders, with the real git. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { FileChange, JournalEvent } from '../../src/events/event.js';
import { initRepository } from '../../src/events/git/git-admin.js';
import { type GitJournal, openGitJournal } from '../../src/events/git/git-journal.js';
import type { NewCommit } from '../../src/events/journal.js';
import type { JournalName } from '../../src/events/note/note.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { parseTime } from '../../src/events/time.js';
import { formatMessage } from '../../src/events/trailers.js';
import { idOf, makeEvent } from './arbitraries.js';

export type TestJournal = { readonly journal: GitJournal; readonly folder: string; readonly log: readonly string[] };

/** Makes an empty journal and removes its folder when the test ends. */
export const newJournal = async (
  name: JournalName = 'portable',
  objectFormat: 'sha1' | 'sha256' = 'sha1',
): Promise<TestJournal> => {
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (objectFormat !== 'sha1')
    execFileSync('git', ['init', '-q', `--object-format=${objectFormat}`, '--initial-branch=main', folder]);
  const log: string[] = [];
  const journal = openGitJournal(name, folder, (line) => log.push(line));
  await initRepository(journal.folders, name);
  return { journal, folder, log };
};

/** A commit as `perform` makes it: an event and what it changes. */
export const commitOf = (event: JournalEvent, changes: readonly FileChange[] = []): NewCommit => ({
  message: formatMessage(event),
  machine: event.machine,
  epochMs: parseTime(event.at) ?? 0,
  changes,
});

/** The file of the `n`th note; without a body it is removed. */
export const noteChange = (n: number, body: string | undefined): FileChange => ({
  journal: 'portable',
  path: pathOfNote('semantic', idOf(n)),
  bytes:
    body === undefined ? undefined : Buffer.from(`---\nid: ${idOf(n)}\ntype: semantic\ntitle: Note ${n}\n---\n${body}`),
});

/** The `n`th event of a journal, a minute after the one before; it writes the `n`th note. */
export const nthCommit = (n: number, changes: readonly FileChange[] = [noteChange(n, `Body ${n}.\n`)]): NewCommit => {
  const at = new Date(Date.UTC(2026, 5, 24, 12, n)).toISOString().replace('.000Z', '+00:00');
  return commitOf(makeEvent({ id: idOf(1000 + n), at, subject: `Note ${n}`, notes: [idOf(n)] }), changes);
};

/** Appends commits to the head and returns their ids. */
export const append = async (
  journal: Pick<GitJournal, 'append' | 'head'>,
  ...commits: readonly NewCommit[]
): Promise<readonly string[]> => {
  const ids = await journal.append(commits, journal.head());
  if (ids === 'moved') throw new Error('the head moved');
  return ids;
};
