/**
 * Proves, from the difference of two histories, the purges said to lead from one to the other. A record is only a
 * claim: whatever it names that the difference does not show is ignored.
 */
import { basename } from 'node:path';
import type { GitJournal } from '../events/git/git-journal.js';
import { parseRawDiff } from '../events/git/git-log.js';
import { everyChange, runGit } from '../events/git/git-process.js';
import type { PathChange } from '../events/journal.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import { isNotePath } from '../events/note/paths.js';
import { explainFile, gatherTexts, matcherFor, openProof, type Proof } from './proof-texts.js';
import { type EventPair, explainRetold, gatherWords, isRetold, isSameEvent, retoldWords } from './proof-words.js';
import { isSpent } from './rule/fingerprint.js';
import { purgedMark, purgeText } from './rule/matcher.js';
import type { PurgeRecord } from './rule/record.js';
import { judgeFile } from './rule/rule.js';

/**
 * Returns the records reduced to what is proven: the notes and texts left in them are gone from the shared history, and
 * nothing else is. Returns undefined if something else is gone or changed, or if nothing is proven. Makes one git call
 * for all commits, one for the versions that differ, and two for the messages that differ. Throws GitError.
 */
export const proveRecords = async (
  journal: GitJournal,
  pairs: readonly EventPair[],
  records: readonly PurgeRecord[],
): Promise<readonly PurgeRecord[] | undefined> => {
  const proof = openProof(records);
  const changed = pairs.filter(({ before, after }) => before.commit !== after.commit);
  if (!isSameShape(pairs) || !changed.every(isSameEvent)) return undefined;
  const retold = changed.filter(isRetold);
  const changes = await differencesOf(journal, changed);
  const bytes = await journal.blobs([
    ...new Set(changes.flatMap(({ before, after }) => [before, after].filter((id) => id !== undefined))),
  ]);
  // First gather everything that is gone: a truncated text is explained by one that stood whole anywhere.
  for (const change of changes) gatherChange(proof, change, bytes);
  await retoldWords(journal, retold, (words) => gatherWords(proof, words));
  if (!changes.every((change) => explainChange(proof, change, changes, bytes))) return undefined;
  let isExplained = true;
  await retoldWords(journal, retold, (words, event) => {
    isExplained &&= explainRetold(proof, words, event);
  });
  // A search that ran out of its budget skipped texts, so it proves nothing.
  if (!isExplained || isSpent(proof.looks)) return undefined;
  const proven = records.map((record) => ({
    ...record,
    notes: record.notes.filter((id) => proof.notes.has(id)),
    texts: record.texts.filter((text) => proof.texts.has(text)),
  }));
  return proven.some(({ notes, texts }) => notes.length + texts.length > 0) ? proven : undefined;
};

/** Whether every event has the same parents as before. */
const isSameShape = (pairs: readonly EventPair[]): boolean => {
  const ids = (side: keyof EventPair) => new Map(pairs.map((pair) => [pair[side].commit, pair[side].event.id]));
  const [before, after] = [ids('before'), ids('after')];
  return pairs.every(
    (pair) =>
      pair.before.parents.length === pair.after.parents.length &&
      pair.before.parents.every((parent, at) => before.get(parent) === after.get(pair.after.parents[at] ?? '')),
  );
};

/** Returns each change of a path once, however many commits show it. */
const differencesOf = async (journal: GitJournal, pairs: readonly EventPair[]): Promise<readonly PathChange[]> => {
  if (pairs.length === 0) return [];
  const args = ['diff-tree', '--stdin', '--no-commit-id', '-r', '-z', '--raw', '--no-abbrev', ...everyChange];
  const input = pairs.map(({ before, after }) => `${after.commit} ${before.commit}\n`).join('');
  const changes = parseRawDiff(await runGit(journal.folders, ['--no-replace-objects', ...args], [input]));
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
};

type Contents = ReadonlyMap<BlobId, Buffer>;

const contentOf = (bytes: Contents, id: BlobId | undefined): Buffer | undefined =>
  id === undefined ? undefined : bytes.get(id);

const gatherChange = (proof: Proof, { path, before, after }: PathChange, bytes: Contents): void => {
  const [old, now] = [contentOf(bytes, before), contentOf(bytes, after)];
  if (old !== undefined && now !== undefined) gatherTexts(proof, old.toString('utf8'), now.toString('utf8'));
  if (after !== undefined) return;
  const id = claimedNote(proof, path, old);
  if (id === undefined) gatherTexts(proof, path, '');
  else proof.notes.add(id);
};

const explainChange = (proof: Proof, change: PathChange, all: readonly PathChange[], bytes: Contents): boolean => {
  const { path, before, after } = change;
  const old = contentOf(bytes, before);
  if (after === undefined)
    return claimedNote(proof, path, old) !== undefined || all.some((other) => isRenamed(proof, change, other, bytes));
  if (before === undefined)
    return path.includes(purgedMark) && all.some((other) => isRenamed(proof, other, change, bytes));
  const now = contentOf(bytes, after);
  return old !== undefined && now !== undefined && explainFile(proof, old, now);
};

/** Whether `added` is `gone` under its path without the purged text: their contents match. */
const isRenamed = (proof: Proof, gone: PathChange, added: PathChange, bytes: Contents): boolean => {
  if (gone.after !== undefined || added.before !== undefined || gone.path === added.path) return false;
  if (purgedPath(proof, gone.path) !== added.path) return false;
  if (gone.before === added.after) return true;
  const [old, now] = [contentOf(bytes, gone.before), contentOf(bytes, added.after)];
  return old !== undefined && now !== undefined && explainFile(proof, old, now);
};

/** Finds the claimed note by the file's name or by its content. */
const claimedNote = ({ claimedNotes }: Proof, path: string, bytes: Buffer | undefined): NoteId | undefined => {
  const named = basename(path, '.md');
  if (isNotePath(path) && claimedNotes.has(named)) return named;
  const verdict = bytes === undefined ? undefined : judgeFile(bytes, { notes: claimedNotes, text: undefined });
  return verdict?.kind === 'drop' ? verdict.id : undefined;
};

const purgedPath = (proof: Proof, path: string): string => purgeText(path, matcherFor(proof, path)).text;
