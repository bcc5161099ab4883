/** A purge's work outside the history: before it, to lose no edit, and after it, to leave nothing behind. */

import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { reconcile } from '../commands/worktree/reconcile.js';
import { refreshGitIndex } from '../commands/worktree/upkeep.js';
import type { Store } from '../commands/worktree/write-store.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { parseRawDiff } from '../events/git/git-log.js';
import { readObjects } from '../events/git/git-objects.js';
import { openGitPipe } from '../events/git/git-pipe.js';
import { everyChange, runGit } from '../events/git/git-process.js';
import { retryWhileLocked } from '../events/git/git-retry.js';
import { type JournalName, journalNames, type NoteId } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { isNotePath } from '../events/note/paths.js';
import { clearSetAside, keepNothing } from '../events/worktree/replace-file.js';
import { type CheckedOutFile, putNoteFile, removeNoteFile } from '../events/worktree/working-tree.js';
import { currentGeneration } from '../projections/generation.js';
import { scrubDatabase } from '../state/scrub-database.js';
import type { Memory } from '../store/memory.js';
import { removeTrace } from '../store/trace-file.js';
import { forgetUnreachable } from './clean-git.js';
import { scrubFolder, scrubJson } from './home-files.js';
import type { NewJournal } from './purge-journal.js';
import { purgedMark, purgeText } from './rule/matcher.js';
import type { Scan } from './scan.js';

/** Records hand edits as events. Under the write lock. */
export const prepareJournals = async (store: Store, journals: readonly GitJournal[]): Promise<void> => {
  for (const { name } of journals) await reconcile(store, name, { look: 'all', deletions: 'hold' });
};

export type Cleaning = {
  readonly scan: Scan;
  readonly purged: readonly NewJournal[];
  /** Lines of a purged note that another note contains too: they stay. */
  readonly kept: ReadonlySet<string>;
};

/** May be killed at any point: running it again finds what is left. Returns warnings. */
export const cleanAfter = async (
  memory: Memory,
  store: Store,
  { scan, purged, kept }: Cleaning,
): Promise<readonly string[]> => {
  const { home } = memory.settings;
  const warnings: string[] = [];
  for (const { journal, oldHead, newHead } of purged) {
    const { name, folder, folders } = journal;
    if (oldHead !== undefined && newHead !== undefined && oldHead !== newHead) {
      const left = await checkOutPurged(store, name, oldHead, newHead);
      warnings.push(
        ...left.map((path) => `${join(folder, path)} was changed since it was committed and stays as it is`),
      );
    }
    store.step(`purge:files-${name}`);
    // A new index: the old one names what a person staged and the versions that are gone.
    rmSync(join(folders.gitDir, 'index'), { force: true });
    await retryWhileLocked(() => refreshGitIndex(store, name), folders.gitDir, store.log);
  }
  // A killed purge left the versions that it had replaced; when repeated, it has nothing to check out that clears them.
  for (const name of journalNames) clearSetAside(store.journals[name].folder, keepNothing);
  store.step('purge:index');
  await memory.liveIndex.rebuild('after a purge');
  removeOldIndexes(join(home, 'index'));
  // Before the old versions are deleted: if this is killed and repeated, they say what to search for.
  store.step('purge:places');
  warnings.push(...scrubPlaces(memory, scan, kept));
  for (const { journal } of purged) {
    store.step(`purge:git-${journal.name}`);
    await retryWhileLocked(() => forgetUnreachable(journal.folders), journal.folders.gitDir, store.log);
  }
  return warnings;
};

const filesAtOnce = 500;

/**
 * Writes the new head's version over files that still have the old head's; merges notes that a person edited meanwhile.
 * Returns the paths of other files that could not be written. The old objects must still exist. Under the write lock.
 */
const checkOutPurged = async (
  store: Store,
  name: JournalName,
  oldHead: string,
  newHead: string,
): Promise<readonly string[]> => {
  const journal = store.journals[name];
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', ...everyChange, oldHead, newHead];
  const changes = parseRawDiff(await runGit(journal.folders, args)).filter(({ afterMode }) => afterMode !== '160000');
  const contested: string[] = [];
  const left: string[] = [];
  for (let at = 0; at < changes.length; at += filesAtOnce) {
    const part = changes.slice(at, at + filesAtOnce);
    const bytes = await journal.blobs(part.flatMap(({ after }) => after ?? []));
    const put: CheckedOutFile[] = [];
    const removed: string[] = [];
    for (const { path, before, after, afterMode } of part) {
      store.step('purge:put');
      const content = after === undefined ? undefined : bytes.get(after);
      const isLink = afterMode === '120000' || (after !== undefined && content === undefined);
      const done = isLink
        ? 'changed'
        : content === undefined
          ? removeNoteFile(journal.folder, path, before)
          : putNoteFile(journal.folder, path, content, before);
      if (done === 'changed') (isNotePath(path) ? contested : left).push(path);
      else if (done === 'removed') removed.push(path);
      else if (isNotePath(path)) put.push(done);
    }
    store.state.advance(name, undefined, put, removed);
  }
  store.state.advance(name, newHead, [], []);
  // The row still names the old version, so only the person's own change is adopted.
  if (contested.length > 0) await reconcile(store, name, { look: contested, deletions: 'put-back' });
  return left;
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
const scrubPlaces = (
  { settings: { home }, journals }: Memory,
  scan: Scan,
  kept: ReadonlySet<string>,
): readonly string[] => {
  const scrub = scrubberOf(scan, kept);
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
const scrubberOf = ({ rule, texts }: Scan, kept: ReadonlySet<string>): ((text: string) => string) => {
  const lines =
    rule.notes.size === 0 ? [] : [...texts].filter((text) => !kept.has(text)).sort((a, b) => b.length - a.length);
  return (text) =>
    lines.reduce(
      (left, line) => (left.includes(line) ? left.split(line).join(purgedMark) : left),
      purgeText(text, rule.text).text,
    );
};

export type LinesElsewhere = { readonly texts: ReadonlySet<string>; readonly warnings: readonly string[] };

/** Only this many lines of a purged note, the longest, are searched for in the notes that stay. */
const maxLines = 60;

/** Finds lines of purged notes that another note has too, in any version. Holds one file at a time. Throws GitError. */
export const linesElsewhere = async (
  journals: readonly GitJournal[],
  { rule, texts: all, journals: scans }: Scan,
): Promise<LinesElsewhere> => {
  if (rule.notes.size === 0 || all.size === 0) return { texts: new Set(), warnings: [] };
  const longest = [...all].sort((a, b) => b.length - a.length);
  const lines = longest.slice(0, maxLines).map((text) => ({ text, bytes: Buffer.from(text) }));
  // Lines that are not searched for are not scrubbed elsewhere either.
  const texts = new Set(longest.slice(maxLines));
  const notes = new Map<NoteId, number>();
  for (const journal of journals) {
    const gone = scans.find((scan) => scan.journal.name === journal.name)?.fates;
    const every = ['cat-file', '--batch-all-objects', '--unordered', '--batch', '--buffer'];
    const pipe = openGitPipe(journal.folders, every);
    await pipe.close();
    for await (const { id, type, bytes } of readObjects(pipe.output)) {
      if (type !== 'blob' || gone?.has(id) === true) continue;
      const found = lines.filter((line) => bytes.includes(line.bytes));
      if (found.length === 0) continue;
      for (const { text } of found) texts.add(text);
      const parsed = parseNoteFile(bytes, journal.name, '');
      if (parsed.ok && !rule.notes.has(parsed.file.note.id))
        notes.set(parsed.file.note.id, Math.max(notes.get(parsed.file.note.id) ?? 0, found.length));
    }
    await pipe.ended;
  }
  const warnings = [...notes].map(
    ([id, count]) =>
      `note ${id} also contains ${count === 1 ? 'a line' : `${count} lines`} of it and stays; to erase it too: anamnesis purge ${id}`,
  );
  return { texts, warnings };
};
