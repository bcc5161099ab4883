/** Compacting: few packs, and a commit-graph by which a note's history is found quickly. Removes nothing. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CompactedStore } from '../answers/store-schema.js';
import { isBusy, removeLeftovers, repackJournal } from '../commands/worktree/upkeep.js';
import type { Store } from '../commands/worktree/write-store.js';
import { countPacks } from '../events/git/git-files.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { GitError, runGit } from '../events/git/git-process.js';
import { type JournalName, journalFolder, journalNames } from '../events/note/note.js';
import type { Memory } from '../store/memory.js';

export type CompactAsked = {
  /** Pack all objects into one pack, instead of as few packs as are worth the work. */
  readonly full?: boolean | undefined;
};

/** Skips journals without events. Throws Fault 'lock-timeout' and GitError; what was done until then stays. */
export const compactStore = async (memory: Memory, { full = false }: CompactAsked): Promise<CompactedStore> => {
  const startedMs = performance.now();
  const store = await memory.store();
  const journals: CompactedStore['journals'][number][] = [];
  for (const name of journalNames) {
    const journal = memory.journals[name];
    const head = journal.head();
    if (head === undefined) continue;
    const before = sizeOf(journal);
    await memory.exclusively(() => repackWhole(store, name, full));
    await writeCommitGraph(memory, journal);
    store.state.setFact(factOf(name), head);
    journals.push({ journal: journalFolder[name], before, after: sizeOf(journal) });
  }
  return { journals, ms: Math.round(performance.now() - startedMs) };
};

/** Requires the write lock. `-k` also packs unreachable objects; existing deltas are reused. */
const repackWhole = async (store: Store, name: JournalName, full: boolean): Promise<void> => {
  removeLeftovers(store, name);
  if (full) await runGit(store.journals[name].folders, ['repack', '-a', '-d', '-k', '--quiet']);
  else await repackJournal(store, name);
};

/** Below that many new events git is quick enough anyway. */
const dueEvents = 1000;
/** Writers count as paused if there was no write for this long. */
const pauseMs = 150;

/**
 * For the worker: compacts the journals that are due, unless somebody writes; returns their names. Throws GitError if
 * another git writes the commit-graph. `maxFilters` limits its time to a few seconds.
 */
export const compactIfDue = async (memory: Memory): Promise<readonly JournalName[]> => {
  const store = await memory.store();
  const compacted: JournalName[] = [];
  for (const name of journalNames) {
    const journal = memory.journals[name];
    const head = journal.head();
    if (head === undefined || !(await isDue(store, journal, head))) continue;
    if (isBusy(store, pauseMs) || !store.lock.tryAcquire()) continue;
    try {
      await repackWhole(store, name, false);
    } finally {
      store.lock.release();
    }
    await writeCommitGraph(memory, journal);
    store.state.setFact(factOf(name), head);
    compacted.push(name);
  }
  return compacted;
};

const factOf = (name: JournalName): string => `compacted:${journalFolder[name]}`;

const isDue = async (store: Store, journal: GitJournal, head: string): Promise<boolean> => {
  // Versions before this one put the time before it.
  const last = store.state.fact(factOf(journal.name))?.split(' ').at(-1);
  return last !== head && (await countCommits(journal, head, last)) >= dueEvents;
};

/** Counts all commits if `last` no longer exists. */
const countCommits = async (journal: GitJournal, head: string, last: string | undefined): Promise<number> => {
  const count = async (...range: readonly string[]): Promise<number> =>
    Number((await runGit(journal.folders, ['rev-list', '--count', ...range, '--'])).toString('latin1'));
  if (last === undefined) return count(head);
  return count(head, `^${last}`).catch((error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    return count(head);
  });
};

/** New filters in one call; 10,000 take about a second. The next call computes the rest. */
const maxFilters = 20_000;

/**
 * git writes a new file and renames it, so readers and writers may continue. It only makes reading faster, and git
 * refuses it for what a person's .gitmodules may say.
 */
const writeCommitGraph = async (memory: Memory, { folders }: GitJournal): Promise<void> => {
  const filters = ['--changed-paths', `--max-new-filters=${maxFilters}`];
  const args = ['commit-graph', 'write', '--reachable', '--no-progress', ...filters];
  await runGit(folders, args).catch((error: unknown) => {
    if (!(error instanceof GitError && error.stderr.includes('submodule'))) throw error;
    memory.log(`no commit-graph: ${error.message}`);
  });
};

const sizeOf = ({ folders }: GitJournal): CompactedStore['journals'][number]['before'] => {
  const objects = join(folders.gitDir, 'objects');
  const bytes = readdirSync(objects, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(objects, name), { throwIfNoEntry: false }))
    .reduce((sum, stat) => sum + (stat?.isFile() === true ? stat.size : 0), 0);
  return { packs: countPacks(folders.gitDir), bytes };
};
