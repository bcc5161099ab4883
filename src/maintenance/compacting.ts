/**
 * Compacting: few packs, and a commit-graph that says which commits touched a path, so that the history of one note is
 * found without looking at every commit. Takes nothing away: also what no ref reaches is packed again.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy, repackJournal } from '../commands/worktree/upkeep.js';
import type { Store } from '../commands/worktree/write-store.js';
import { Fault } from '../events/faults.js';
import { countPacks } from '../events/git/git-files.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { GitError, runGit } from '../events/git/git-process.js';
import { type JournalFolder, type JournalName, journalFolder, journalNames } from '../events/note/note.js';
import type { Memory } from '../store/memory.js';

export type JournalSize = { readonly packs: number; readonly bytes: number };

export type CompactedJournal = {
  readonly journal: JournalFolder;
  readonly before: JournalSize;
  readonly after: JournalSize;
  /** How long writers had to wait, in milliseconds. */
  readonly heldMs: number;
};

export type CompactAnswer = { readonly journals: readonly CompactedJournal[]; readonly ms: number };

export type CompactAsked = {
  /** All objects into one pack, instead of as few as pay. */
  readonly full?: boolean | undefined;
};

/** Journals without events are left out. Throws Fault 'lock-timeout' and GitError; what was done till then stays. */
export const compactStore = async (memory: Memory, { full = false }: CompactAsked): Promise<CompactAnswer> => {
  const startedMs = performance.now();
  const store = await memory.store();
  const journals: CompactedJournal[] = [];
  for (const name of journalNames) {
    const journal = memory.journals[name];
    const head = journal.head();
    if (head === undefined) continue;
    const before = sizeOf(journal);
    const isWhole = before.packs === 1 && (await countLoose(journal)) === 0;
    // The work is done beside the old packs, where it stands in nobody's way; to put one in their place is quick then.
    if (full && !isWhole) await packBeside(journal, store.log);
    const heldMs = await memory.exclusively(async () => {
      const heldSinceMs = performance.now();
      removeStale(journal, store);
      if (!full) await repackJournal(store, name);
      else if (!isWhole) await runGit(journal.folders, packAll('-d'));
      return performance.now() - heldSinceMs;
    });
    await writeCommitGraph(journal, store, { waitMs: staleLockMs + 2000 });
    store.state.setFact(factOf(name), `${store.nowMs()} ${head}`);
    journals.push({ journal: journalFolder[name], before, after: sizeOf(journal), heldMs: Math.round(heldMs) });
  }
  return { journals, ms: Math.round(performance.now() - startedMs) };
};

/** Compacted when so many events were added, or fewer of them a week ago; below that git is quick enough anyway. */
const manyEvents = 1000;
const someEvents = 100;
const ripeMs = 7 * 24 * 3_600_000;

/**
 * For the background worker: compacts the journals that are due, and answers their names. Waits a second for a pause of
 * the writers; then the next call does it. Throws GitError where another git writes the commit-graph. Bounded by what was
 * added, and for an old store by `maxFilters`, which is some seconds.
 */
export const compactIfDue = async (memory: Memory, nowMs: number): Promise<readonly JournalName[]> => {
  const store = await memory.store();
  const compacted: JournalName[] = [];
  for (const name of journalNames) {
    const journal = memory.journals[name];
    const head = journal.head();
    if (head === undefined || !(await isDue(store, journal, head, nowMs)) || !(await takeLock(store))) continue;
    try {
      removeStale(journal, store);
      await repackJournal(store, name);
    } finally {
      store.lock.release();
    }
    await writeCommitGraph(journal, store, { waitMs: 0 });
    store.state.setFact(factOf(name), `${nowMs} ${head}`);
    compacted.push(name);
  }
  return compacted;
};

const factOf = (name: JournalName): string => `compacted:${journalFolder[name]}`;

const isDue = async (store: Store, journal: GitJournal, head: string, nowMs: number): Promise<boolean> => {
  const [atText = '', last] = store.state.fact(factOf(journal.name))?.split(' ') ?? [];
  if (last === head) return false;
  const added = await countCommits(journal, head, last);
  // A time that is not known counts as long ago.
  return added >= manyEvents || (added >= someEvents && !(nowMs - Number(atText || Number.NaN) < ripeMs));
};

/** A write is done in less; whoever holds the lock for longer is importing, and goes first. */
const maxWaitMs = 1000;
/** Nobody has written for so long. */
const pauseMs = 150;
const lookAgainMs = 30;

const takeLock = async (store: Store): Promise<boolean> => {
  const deadlineMs = Date.now() + maxWaitMs;
  while (isBusy(store, pauseMs)) {
    if (Date.now() > deadlineMs) return false;
    await sleep(lookAgainMs);
  }
  try {
    await store.lock.acquire(maxWaitMs);
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === 'lock-timeout') return false;
    throw error;
  }
};

/** All of them where the last commit is not there any more. */
const countCommits = async (journal: GitJournal, head: string, last: string | undefined): Promise<number> => {
  const count = async (...range: readonly string[]): Promise<number> =>
    Number((await runGit(journal.folders, ['rev-list', '--count', ...range, '--'])).toString('latin1'));
  if (last === undefined) return count(head);
  try {
    return await count(head, `^${last}`);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return count(head);
  }
};

/** `-k` packs also what no ref reaches; deltas that are there are used again. */
const packAll = (...more: readonly string[]): readonly string[] => ['repack', '-a', '-k', '--quiet', ...more];

/** Takes no lock, because it takes nothing away. Where packs move meanwhile, the work under the lock is longer. */
const packBeside = async (journal: GitJournal, log: (line: string) => void): Promise<void> => {
  try {
    await runGit(journal.folders, packAll());
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    log(`compact: ${error.message}`);
  }
};

/** New filters in one call; 10,000 take about a second. What is left is computed by the next call. */
const maxFilters = 20_000;

/** git writes beside and renames, so readers and writers may go on. */
const writeCommitGraph = async (
  journal: GitJournal,
  store: Store,
  { waitMs }: { readonly waitMs: number },
): Promise<void> => {
  await dropDamagedGraph(journal, store);
  const deadlineMs = Date.now() + waitMs;
  const args = ['commit-graph', 'write', '--reachable', '--no-progress'];
  let filters = ['--changed-paths', `--max-new-filters=${maxFilters}`];
  for (;;) {
    try {
      await runGit(journal.folders, [...args, ...filters]);
      return;
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      if (filters.length > 0 && /submodule/.test(error.stderr)) {
        // Looking at paths, git reads a .gitmodules that somebody committed, and dies of what may stand there.
        store.log(`compact: no paths in the commit-graph: ${error.stderr.trim().split('\n').at(-1)}`);
        filters = [];
        continue;
      }
      if (!/\.lock': File exists/.test(error.stderr) || Date.now() > deadlineMs) throw error;
    }
    await sleep(500);
    removeStale(journal, store);
  }
};

/** git would take over what a damaged one says, and believe it. Verifying takes 130 ms for 10,000 events. */
const dropDamagedGraph = async ({ folders }: GitJournal, store: Store): Promise<void> => {
  try {
    await runGit(folders, ['commit-graph', 'verify', '--no-progress']);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    store.log(`compact: the commit-graph was damaged and is made anew: ${error.stderr.trim().split('\n')[0]}`);
    for (const name of ['commit-graph', 'commit-graphs']) {
      rmSync(join(folders.gitDir, 'objects', 'info', name), { recursive: true, force: true });
    }
  }
};

/** git holds that lock only while it writes what is computed already. */
const staleLockMs = 10_000;
const stalePackMs = 3_600_000;

/** Leftovers of a killed compacting: the lock of the commit-graph, and unfinished packs. */
const removeStale = ({ folders }: GitJournal, store: Store): void => {
  const objects = join(folders.gitDir, 'objects');
  const left = [
    { path: join(objects, 'info', 'commit-graph.lock'), afterMs: staleLockMs },
    ...readdirSync(join(objects, 'pack'))
      .filter((name) => name.startsWith('.tmp-'))
      .map((name) => ({ path: join(objects, 'pack', name), afterMs: stalePackMs })),
  ];
  for (const { path, afterMs } of left) {
    const stat = statSync(path, { throwIfNoEntry: false });
    // By the clock that also dates the files.
    if (stat === undefined || Date.now() - stat.mtimeMs < afterMs) continue;
    rmSync(path, { force: true });
    store.log(`removed ${path}`);
  }
};

const sizeOf = ({ folders }: GitJournal): JournalSize => {
  const objects = join(folders.gitDir, 'objects');
  const bytes = readdirSync(objects, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(objects, name), { throwIfNoEntry: false }))
    .reduce((sum, stat) => sum + (stat?.isFile() === true ? stat.size : 0), 0);
  return { packs: countPacks(folders.gitDir), bytes };
};

const countLoose = async ({ folders }: GitJournal): Promise<number> =>
  Number.parseInt((await runGit(folders, ['count-objects'])).toString('latin1'), 10);
