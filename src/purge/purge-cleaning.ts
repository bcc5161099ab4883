/** A purge's work outside the history: before it, to lose no edit, and after it, to leave nothing behind. */

import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { reconcile } from '../commands/worktree/reconcile.js';
import { refreshGitIndex } from '../commands/worktree/upkeep.js';
import type { Store } from '../commands/worktree/write-store.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { readObjects } from '../events/git/git-objects.js';
import { openGitPipe } from '../events/git/git-pipe.js';
import { retryWhileLocked } from '../events/git/git-retry.js';
import { type JournalName, journalNames, type NoteId } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { clearSetAside, keepNothing } from '../events/worktree/replace-file.js';
import { currentGeneration } from '../projections/generation.js';
import { scrubDatabase } from '../state/scrub-database.js';
import type { Memory } from '../store/memory.js';
import { removeTrace } from '../store/trace-file.js';
import { checkOutPurged, restage } from './checkout-purged.js';
import { forgetUnreachable, readStaged, type Staged } from './clean-git.js';
import { scrubFolder, scrubJson } from './home-files.js';
import type { MadeHistory } from './purge-journal.js';
import { purgedMark, purgeText } from './rule/matcher.js';
import type { Scan } from './scan-journals.js';
import { scrubCases } from './scrub-cases.js';

export type Prepared = ReadonlyMap<JournalName, readonly Staged[]>;

/** Records hand edits as events, refreshes git's index, and returns what a person staged. Under the write lock. */
export const prepareJournals = async (store: Store, journals: readonly GitJournal[]): Promise<Prepared> => {
  const prepared = new Map<JournalName, readonly Staged[]>();
  for (const { name, folders } of journals) {
    await reconcile(store, name, { look: 'all', deletions: 'hold' });
    // A killed git may have left a lock file: wait for it, and remove it once it is stale.
    await retryWhileLocked(() => refreshGitIndex(store, name), folders.gitDir, store.log);
    const head = store.journals[name].head();
    prepared.set(name, head === undefined ? [] : await readStaged(folders, head));
  }
  return prepared;
};

export type Cleaning = {
  readonly scan: Scan;
  readonly purged: readonly MadeHistory[];
  readonly prepared: Prepared;
  /** Lines of a purged note that another note contains too: they stay. */
  readonly kept: ReadonlySet<string>;
};

/** May be killed at any point: running it again finds what is left. Returns warnings. */
export const cleanAfter = async (memory: Memory, store: Store, cleaning: Cleaning): Promise<readonly string[]> => {
  const { scan, purged, prepared, kept } = cleaning;
  const warnings: string[] = [];
  const gone = new Set(scan.gone);
  for (const { journal, oldHead, newHead } of purged) {
    const { name, folder } = journal;
    if (oldHead !== undefined && newHead !== undefined && oldHead !== newHead) {
      const left = await checkOutPurged(store, name, oldHead, newHead);
      warnings.push(
        ...left.map((path) => `${join(folder, path)} was changed since it was committed and stays as it is`),
      );
    }
    store.step(`purge:files-${name}`);
    const dropped = await restage(store, name, prepared.get(name) ?? [], ({ path, after }) => {
      const isOfNote = scan.rule.notes.has(basename(path, '.md'));
      return isOfNote || (after !== undefined && gone.has(after));
    });
    warnings.push(
      ...dropped.map((path) => `${join(folder, path)} is no longer staged, because it contained what was purged`),
    );
  }
  // A killed purge left the versions that it had replaced; when repeated, it has nothing to check out that clears them.
  for (const name of journalNames) clearSetAside(store.journals[name].folder, keepNothing);
  store.step('purge:index');
  await memory.liveIndex.rebuild('after a purge');
  removeOldIndexes(join(memory.settings.home, 'index'));
  // Before the old versions are deleted: if this is killed and repeated, they say what to search for.
  store.step('purge:places');
  const scrub = scrubberOf(scan, kept);
  scrubCases(store.journals.portable.folder, scan.rule.notes, scrubJson(scrub));
  warnings.push(...scrubPlaces(memory.settings.home, scrub));
  for (const { journal } of purged) {
    store.step(`purge:git-${journal.name}`);
    await retryWhileLocked(() => forgetUnreachable(journal.folders), journal.folders.gitDir, store.log);
  }
  return warnings;
};

/** Deletes all but the current index: other versions, indexes of the past, reports that quote queries. */
const removeOldIndexes = (folder: string): void => {
  const current = basename(currentGeneration(folder) ?? '');
  for (const name of readdirSync(folder)) {
    const isCurrent = current !== '' && (name === current || name === `${current}-wal` || name === `${current}-shm`);
    if (!isCurrent && !/^current-v\d+$/.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
};

/** Scrubs this machine's spool, logs and databases, and deletes the trace. Returns what could not be rewritten. */
const scrubPlaces = (home: string, scrub: (text: string) => string): readonly string[] => {
  const json = scrubJson(scrub);
  scrubFolder(join(home, 'spool'), json);
  scrubFolder(join(home, 'logs'), scrub);
  // The trace contains parts of queries, in which a whole text can't be recognized.
  removeTrace(home);
  return ['state.db', 'agents.db'].flatMap((name) => {
    const scrubbed = scrubDatabase(join(home, name), json);
    return scrubbed?.rewritten === false
      ? [`${join(home, name)} is in use and may hold old pages: repeat the purge when nothing else runs`]
      : [];
  });
};

/** Returns the scrubber for our files that aren't notes: it removes what the rule matches and lines of purged notes. */
const scrubberOf = ({ rule, texts }: Scan, kept: ReadonlySet<string>): ((text: string) => string) => {
  const { text: matcher, notes } = rule;
  const byRule = (text: string): string => (matcher === undefined ? text : purgeText(text, matcher).text);
  const lines =
    notes.size === 0 ? [] : [...texts].filter((text) => !kept.has(text)).sort((a, b) => b.length - a.length);
  return (text) =>
    lines.reduce((left, line) => (left.includes(line) ? left.split(line).join(purgedMark) : left), byRule(text));
};

export type Elsewhere = { readonly texts: ReadonlySet<string>; readonly warnings: readonly string[] };

/** Only this many lines of a purged note, the longest, are searched for in the notes that stay. */
const maxLines = 60;

/** Finds lines of purged notes that another note has too, in any version. Holds one file at a time. Throws GitError. */
export const linesElsewhere = async (journals: readonly GitJournal[], scan: Scan): Promise<Elsewhere> => {
  const longest = [...scan.texts].sort((a, b) => b.length - a.length);
  const isOfNotes = scan.rule.notes.size > 0;
  const lines = isOfNotes ? longest.slice(0, maxLines).map((text) => ({ text, bytes: Buffer.from(text) })) : [];
  const gone = new Set(scan.gone);
  // Lines that are not searched for are not scrubbed elsewhere either.
  const texts = new Set(isOfNotes ? longest.slice(maxLines) : []);
  const notes = new Map<NoteId, number>();
  if (lines.length === 0) return { texts, warnings: [] };
  for (const { name, folders } of journals) {
    const pipe = openGitPipe(folders, ['cat-file', '--batch-all-objects', '--unordered', '--batch', '--buffer']);
    await pipe.close();
    for await (const { id, type, bytes } of readObjects(pipe.output)) {
      if (type !== 'blob' || gone.has(id)) continue;
      const found = lines.filter((line) => bytes.includes(line.bytes));
      if (found.length === 0) continue;
      for (const { text } of found) texts.add(text);
      const parsed = parseNoteFile(bytes, name, '');
      if (parsed.ok) notes.set(parsed.file.note.id, Math.max(notes.get(parsed.file.note.id) ?? 0, found.length));
    }
    await pipe.ended;
  }
  const warnings = [...notes].map(
    ([id, count]) =>
      `note ${id} also contains ${count === 1 ? 'a line' : `${count} lines`} of it and stays; to erase it too: anamnesis purge ${id}`,
  );
  return { texts, warnings };
};
