/** A purge's work outside the history: before it, to lose no edit, and after it, to leave nothing behind. */

import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { reconcile } from '../commands/worktree/reconcile.js';
import { checkOutOthers, refreshGitIndex } from '../commands/worktree/upkeep.js';
import type { Store } from '../commands/worktree/write-store.js';
import { buildingRef, rescuePrefix } from '../events/git/branch.js';
import { retryWhileLocked } from '../events/git/git-files.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { type GitFolders, runGit } from '../events/git/git-process.js';
import { diffTrees } from '../events/git/note-tree.js';
import { journalNames } from '../events/note/note.js';
import { isNotePath } from '../events/note/paths.js';
import { clearSetAside } from '../events/worktree/replace-file.js';
import { currentGeneration } from '../projections/generation.js';
import { scrubDatabase } from '../state/scrub-database.js';
import type { Memory } from '../store/memory.js';
import { removeTrace } from '../store/trace-file.js';
import { scrubFolder, scrubJson } from './home-files.js';
import type { NewJournal } from './purge-journal.js';
import { purgedMark, purgeText } from './rule/matcher.js';
import type { Scan } from './scan.js';

/** Records hand edits as events. Under the write lock. */
export const prepareJournals = async (store: Store, journals: readonly GitJournal[]): Promise<void> => {
  for (const { name } of journals) await reconcile(store, name, { look: 'all', deletions: 'hold' });
};

/** May be killed at any point: running it again finds what is left. Returns warnings. */
export const cleanAfter = async (
  memory: Memory,
  store: Store,
  scan: Scan,
  purged: readonly NewJournal[],
): Promise<readonly string[]> => {
  const { home } = memory.settings;
  const warnings: string[] = [];
  for (const { journal, oldHead, newHead } of purged) {
    const { name, folder, folders } = journal;
    if (oldHead !== undefined && newHead !== undefined && oldHead !== newHead) {
      const left = await checkOutPurged(store, journal, oldHead, newHead);
      warnings.push(...left.map((path) => `${join(folder, path)} stays as it is`));
    }
    store.step(`purge:files-${name}`);
    // A new index: the old one names what a person staged and the versions that are gone.
    rmSync(join(folders.gitDir, 'index'), { force: true });
    await retryWhileLocked(() => refreshGitIndex(store, name), folders.gitDir, store.log);
  }
  // A killed purge left the versions that it had replaced; when repeated, it has nothing to check out that clears them.
  for (const name of journalNames) clearSetAside(store.journals[name].folder, 0);
  store.step('purge:index');
  await memory.liveIndex.rebuild('after a purge');
  removeOldIndexes(join(home, 'index'));
  // Before the old versions are deleted: if this is killed and repeated, they say what to search for.
  store.step('purge:places');
  warnings.push(...scrubPlaces(memory, scan));
  for (const { journal } of purged) {
    store.step(`purge:git-${journal.name}`);
    await retryWhileLocked(() => forgetUnreachable(journal.folders), journal.folders.gitDir, store.log);
  }
  return warnings;
};

/**
 * Puts the new head's version where files have the old, and merges notes that a person edited meanwhile. Returns the
 * files that were left. The old objects must still exist. Under the write lock.
 */
const checkOutPurged = async (
  store: Store,
  journal: GitJournal,
  oldHead: string,
  newHead: string,
): Promise<readonly string[]> => {
  const { name } = journal;
  const changes = await diffTrees(journal.folders, oldHead, newHead);
  store.state.advance(name, newHead, [], []);
  store.step('purge:put');
  const look = changes.flatMap(({ path }) => (isNotePath(path) ? [path] : []));
  const { left } = await reconcile(store, name, { look, deletions: 'put-back' });
  await checkOutOthers(journal, changes);
  return left.map(({ path }) => path);
};

/** Deletes all but the current index: other versions, indexes of the past, reports that quote queries. */
const removeOldIndexes = (folder: string): void => {
  const current = basename(currentGeneration(folder) ?? '');
  for (const name of readdirSync(folder)) {
    const isCurrent = current !== '' && (name === current || name === `${current}-wal` || name === `${current}-shm`);
    if (!isCurrent && !/^current-v\d+$/.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
};

/** Scrubs this machine's spool, logs, databases and eval cases. Returns what could not be rewritten. */
const scrubPlaces = ({ settings: { home }, journals }: Memory, scan: Scan): readonly string[] => {
  const scrub = scrubberOf(scan);
  const json = scrubJson(scrub);
  scrubFolder(join(home, 'spool'), json);
  scrubFolder(join(home, 'logs'), scrub);
  // The trace contains parts of queries, in which a whole text can't be recognized.
  removeTrace(home);
  // Eval cases quote notes, so a case about a purged note goes with it.
  const isAbout = (line: string): boolean => [...scan.rule.notes].some((id) => line.includes(id));
  const scrubCases = (text: string): string =>
    text
      .split('\n')
      .filter((line) => !isAbout(line))
      .map(json)
      .join('\n');
  scrubFolder(join(journals.portable.folder, 'eval'), scrubCases, (name) => name.endsWith('.jsonl'));
  return ['state.db', 'agents.db'].flatMap((name) => {
    const scrubbed = scrubDatabase(join(home, name), json);
    return scrubbed?.rewritten === false
      ? [`${join(home, name)} is in use and may hold old pages: repeat the purge when nothing else runs`]
      : [];
  });
};

/** Returns the scrubber for our files that aren't notes: it removes what the rule matches and lines of purged notes. */
const scrubberOf = ({ rule, texts }: Scan): ((text: string) => string) => {
  const lines = rule.notes.size === 0 ? [] : [...texts].sort((a, b) => b.length - a.length);
  return (text) => lines.reduce((left, line) => left.replaceAll(line, purgedMark), purgeText(text, rule.text).text);
};

/** Deletes everything that neither a ref nor git's index reaches. Under the write lock. Throws GitError. */
export const forgetUnreachable = async (folders: GitFolders): Promise<void> => {
  const { gitDir } = folders;
  await runGit(folders, ['reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all']);
  for (const name of readdirSync(gitDir))
    if (isLeftover(name)) rmSync(join(gitDir, name), { recursive: true, force: true });
  const packs = join(gitDir, 'objects', 'pack');
  for (const name of readdirSync(packs)) if (isLeftPack(name)) rmSync(join(packs, name), { force: true });
  // Commit graphs name commits that are gone; compacting writes them again.
  for (const name of ['commit-graph', 'commit-graphs']) {
    rmSync(join(gitDir, 'objects', 'info', name), { recursive: true, force: true });
  }
  await runGit(folders, ['-c', 'repack.writeBitmaps=false', 'repack', '-a', '-d', '-l', '--quiet']);
  await runGit(folders, ['prune', '--expire=now']);
  for (const folder of readdirSync(join(gitDir, 'objects'))) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    const path = join(gitDir, 'objects', folder);
    for (const name of readdirSync(path)) if (name.startsWith('tmp_obj_')) rmSync(join(path, name), { force: true });
  }
};

/** Old heads, typed messages, recorded conflict resolutions (rerere), crash reports. */
const isLeftover = (name: string): boolean =>
  /^(?:ORIG_HEAD|FETCH_HEAD|AUTO_MERGE|COMMIT_EDITMSG|MERGE_MSG|SQUASH_MSG|TAG_EDITMSG|gitk\.cache|rr-cache|lost-found)$/.test(
    name,
  ) || /^(?:fast_import_crash_|index\.anamnesis)/.test(name);

const isLeftPack = (name: string): boolean => /^(?:tmp_|\.tmp-)|\.keep$|^multi-pack-index|\.bitmap$/.test(name);

/** Removes the history from before an accepted rewrite, and spool, queue and what is staged in git's own index. */
export const dropOld = async (memory: Memory): Promise<void> => {
  const store = await memory.store();
  const { folders, folder } = memory.journals.portable;
  const { home } = memory.settings;
  await memory.exclusively(async () => {
    // The last merge that was built here holds what it merged.
    const listed = await runGit(folders, ['for-each-ref', '--format=%(refname)', rescuePrefix, buildingRef]);
    const refs = listed.toString('utf8').split('\n').filter(Boolean);
    if (refs.length > 0)
      await runGit(folders, ['update-ref', '--stdin', '-z'], [refs.map((ref) => `delete ${ref}\0\0`).join('')]);
    store.state.dequeue(store.state.waiting(maxQueued).map(({ id }) => id));
    rmSync(join(home, 'spool'), { recursive: true, force: true });
    removeTrace(home);
    clearSetAside(folder, 0);
    await memory.liveIndex.rebuild('the old history was dropped');
    // Packing keeps what it names.
    rmSync(join(folders.gitDir, 'index'), { force: true });
    await refreshGitIndex(store, 'portable');
    await forgetUnreachable(folders);
  });
};

const maxQueued = 10_000;
