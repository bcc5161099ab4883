/**
 * Compacting: makes few packs, and a commit-graph that says which commits touched a path, so that the history of one
 * note is found without reading every commit. Removes nothing: unreachable objects are packed again, too.
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
  /** Pack all objects into one pack, instead of as few packs as are worth the work. */
  readonly full?: boolean | undefined;
};

/** Skips journals without events. Throws Fault 'lock-timeout' and GitError; what was done until then stays. */
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
    // Packs beside the old packs first, where it blocks nobody; replacing them is then quick.
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

/** Due after this many new events, or after fewer once a week has passed; below that git is quick enough anyway. */
const manyEvents = 1000;
const someEvents = 100;
const ripeMs = 7 * 24 * 3_600_000;

/**
 * For the background worker: compacts the journals that are due and returns their names. Waits up to a second for
 * writers to pause, and otherwise leaves it to the next call. Throws GitError if another git writes the commit-graph.
 * Its time depends on what was added, and is limited for an old store by `maxFilters` to a few seconds.
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
  // An unknown time counts as long ago.
  return added >= manyEvents || (added >= someEvents && !(nowMs - Number(atText || Number.NaN) < ripeMs));
};

/** A write takes less; a process that holds the lock for longer is importing, and takes precedence. */
const maxWaitMs = 1000;
/** Writers count as paused if there was no write for this long. */
const pauseMs = 150;
const pollMs = 30;

const takeLock = async (store: Store): Promise<boolean> => {
  const deadlineMs = Date.now() + maxWaitMs;
  while (isBusy(store, pauseMs)) {
    if (Date.now() > deadlineMs) return false;
    await sleep(pollMs);
  }
  try {
    await store.lock.acquire(maxWaitMs);
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === 'lock-timeout') return false;
    throw error;
  }
};

/** Counts all commits if `last` no longer exists. */
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

/** `-k` also packs unreachable objects; existing deltas are reused. */
const packAll = (...more: readonly string[]): readonly string[] => ['repack', '-a', '-k', '--quiet', ...more];

/** Needs no lock, because it removes nothing. If packs change meanwhile, the work under the lock takes longer. */
const packBeside = async (journal: GitJournal, log: (line: string) => void): Promise<void> => {
  try {
    await runGit(journal.folders, packAll());
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    log(`compact: ${error.message}`);
  }
};

/** New filters in one call; 10,000 take about a second. The next call computes the rest. */
const maxFilters = 20_000;

/** git writes a new file and renames it, so readers and writers may continue. */
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
        // For paths, git reads a committed .gitmodules, and fails if that is malformed.
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

/** git would trust and copy the content of a damaged one. Verifying takes 130 ms for 10,000 events. */
const dropDamagedGraph = async ({ folders }: GitJournal, store: Store): Promise<void> => {
  try {
    await runGit(folders, ['commit-graph', 'verify', '--no-progress']);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    store.log(`compact: the commit-graph was damaged and is rebuilt: ${error.stderr.trim().split('\n')[0]}`);
    for (const name of ['commit-graph', 'commit-graphs']) {
      rmSync(join(folders.gitDir, 'objects', 'info', name), { recursive: true, force: true });
    }
  }
};

/** git holds the lock of the commit-graph only while it writes what is already computed. */
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
    // Date.now() uses the same clock as the files' times.
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
