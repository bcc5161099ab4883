/** A store in a temporary folder with the real git, SQLite and file system. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type App, appOn } from '../../src/app/app.js';
import type { Access } from '../../src/app/notes.js';
import type { WriteNote } from '../../src/commands/write.js';
import { type JournalName, journalFolder } from '../../src/events/note/note.js';
import { openLock } from '../../src/state/lock.js';
import { type Answer, Memory, type MemoryOptions } from '../../src/store/memory.js';
import type { NoteJson } from '../../src/store/note-json.js';
import { copyJournals } from './copied-repositories.js';

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'anamnesis-test-'));

export type TestStore = { readonly home: string; readonly memory: Memory; close(): Promise<void> };

export const openStore = (
  options: MemoryOptions & { readonly home?: string; readonly machine?: string; readonly searchModel?: string } = {},
): TestStore => {
  const home = options.home ?? temporaryFolder();
  const { machine = 'testbox', searchModel } = options;
  const settings = { home, machine, user: 'self', searchModel };
  const memory = new (options.home === undefined ? WithCopiedJournals : Memory)(settings, options);
  return {
    home,
    memory,
    close: async () => {
      if (options.home !== undefined) return memory.finish();
      await endForGood(memory);
      rmSync(home, { recursive: true, force: true });
    },
  };
};

/** The first command finds copies of empty journals, which git would need three processes to make. */
class WithCopiedJournals extends Memory {
  private copying: Promise<void> | undefined;

  private copied(): Promise<void> {
    this.copying ??= this.exists() ? Promise.resolve() : copyJournals(this.settings.home);
    return this.copying;
  }

  override async submit(...given: Parameters<Memory['submit']>) {
    await this.copied();
    return super.submit(...given);
  }

  override async store() {
    await this.copied();
    return super.store();
  }
}

/** Finishes a store before its folder is removed: while the write lock is held elsewhere, that starts no git upkeep. */
export const endForGood = async (memory: Memory): Promise<void> => {
  const file = join(memory.settings.home, 'lock.db');
  if (!existsSync(file)) return memory.finish();
  const lock = openLock(file);
  const isHeld = lock.tryAcquire();
  try {
    await memory.finish();
  } finally {
    if (isHeld) lock.release();
    lock.close();
  }
};

/** The use cases that the surfaces call, on a store that the test opened itself. */
export const appOver = (memory: Memory, access: Access = { user: undefined, workspace: undefined }): App =>
  appOn(memory, async () => memory, access);

export const writeCommand = (fields: Partial<WriteNote> = {}): WriteNote => ({
  kind: 'write',
  type: 'semantic',
  title: 'Use WAL mode',
  body: 'Readers go on while one process writes.\n',
  project: 'global',
  scope: 'portable',
  tags: [],
  keywords: [],
  supersedes: [],
  ...fields,
});

/** Returns the note of an answer that must have one. */
export const noteOf = (answer: Answer): NoteJson => {
  if (answer.status === 'refused') throw new Error(`refused: ${answer.refusal.message}`);
  if (answer.note === undefined) throw new Error('the answer has no note');
  return answer.note;
};

export const writeNote = async (memory: Memory, fields: Partial<WriteNote> = {}): Promise<NoteJson> =>
  noteOf(await memory.perform(writeCommand(fields)));

/**
 * Runs git as a person would in a journal's folder, with their own name. Like a person, it tries again while another
 * git has the index locked: a command that a test ended may have left one running.
 */
export const personsGit = (folder: string, ...args: string[]): string => {
  for (let tries = 0; ; tries += 1) {
    try {
      return runPersonsGit(folder, args);
    } catch (error) {
      if (tries === 50 || !(error instanceof Error) || !error.message.includes("index.lock': File exists")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
};

const runPersonsGit = (folder: string, args: readonly string[]): string =>
  execFileSync(
    'git',
    ['-c', 'user.name=Pat', '-c', 'user.email=pat@example.com', '-c', 'commit.gpgsign=false', ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      // Otherwise filter-branch waits ten seconds for somebody to read its warning.
      env: { ...process.env, FILTER_BRANCH_SQUELCH_WARNING: '1' },
    },
  );

/**
 * Waits until git's own index has caught up with the head, which happens when writing pauses. A person commits later
 * than that; with an index that doesn't have a new note yet, `git commit -a` would remove the note.
 */
export const gitIndexCaughtUp = (folder: string): Promise<boolean> =>
  vi.waitUntil(() => personsGit(folder, 'diff', '--cached', '--name-only') === '', { timeout: 30_000 });

/** Ids of all objects that the branch can reach: everything that was ever written must be among them. */
export const reachableObjects = (folder: string): ReadonlySet<string> =>
  new Set(
    personsGit(folder, 'rev-list', '--objects', 'main')
      .split('\n')
      .map((line) => line.split(' ')[0] ?? ''),
  );

/** The folder of a journal in the store at `home`. */
export const folderOfJournal = (home: string, name: JournalName): string => join(home, journalFolder[name]);
