/**
 * Proves, from the difference of two histories, the purges that are said to lead from one to the other. A record is what
 * somebody wrote; what it names and the difference does not show is not believed.
 */
import { basename } from 'node:path';
import type { JournalEvent } from '../events/event.js';
import { unknownMachine } from '../events/event.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { parseRawDiff } from '../events/git/git-log.js';
import { everyChange, runGit } from '../events/git/git-process.js';
import type { PathChange } from '../events/journal.js';
import type { LoggedEvent } from '../events/logged-event.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import { isNotePath } from '../events/note/paths.js';
import { type Fingerprint, fingerprintMatcher } from './rule/fingerprint.js';
import { joinSpans, purgedMark, purgeText, type Span, type TextMatcher } from './rule/matcher.js';
import { purgedSubject } from './rule/message.js';
import type { PurgeRecord } from './rule/record.js';
import { judgeFile } from './rule/rule.js';

/** The same event in the known history and in the one that came. */
export type EventPair = { readonly before: LoggedEvent; readonly after: LoggedEvent };

/** A shorter text is guessed from its sums, and stands where it means something else. */
const leastFollowed = 8;

/**
 * The records with what is proven of them: each note and text that they keep is gone from the shared history, and nothing
 * else of it is. Undefined where something else is gone or changed, or where nothing is proven. One git call for all
 * commits, and one for the versions that differ. Throws GitError.
 */
export const proveRecords = async (
  journal: GitJournal,
  pairs: readonly EventPair[],
  records: readonly PurgeRecord[],
): Promise<readonly PurgeRecord[] | undefined> => {
  const proof = openProof(records);
  const changed = pairs.filter(({ before, after }) => before.commit !== after.commit);
  if (!isSameShape(pairs) || !changed.every((pair) => explainEvent(proof, pair))) return undefined;
  const changes = await differencesOf(journal, changed);
  const bytes = await journal.blobs([
    ...new Set(changes.flatMap(({ before, after }) => [before, after].filter((id) => id !== undefined))),
  ]);
  if (!changes.every((change) => explainChange(proof, change, changes, bytes))) return undefined;
  const proven = records.map((record) => ({
    ...record,
    notes: record.notes.filter((id) => proof.notes.has(id)),
    texts: record.texts.filter((text) => proof.texts.has(text)),
  }));
  return proven.some(({ notes, texts }) => notes.length + texts.length > 0) ? proven : undefined;
};

type Proof = {
  readonly claimedNotes: ReadonlySet<NoteId>;
  readonly claimedTexts: readonly { readonly text: Fingerprint; readonly matcher: TextMatcher }[];
  readonly notes: Set<NoteId>;
  readonly texts: Set<Fingerprint>;
};

const openProof = (records: readonly PurgeRecord[]): Proof => ({
  claimedNotes: new Set(records.flatMap(({ notes }) => notes)),
  claimedTexts: records.flatMap(({ purge, texts }) =>
    texts
      .filter(({ bytes }) => bytes >= leastFollowed)
      .map((text) => ({ text, matcher: fingerprintMatcher(purge, [text]) })),
  ),
  notes: new Set(),
  texts: new Set(),
});

/** Every event stands behind the same events as before. */
const isSameShape = (pairs: readonly EventPair[]): boolean => {
  const ids = (side: keyof EventPair) => new Map(pairs.map((pair) => [pair[side].commit, pair[side].event.id]));
  const [before, after] = [ids('before'), ids('after')];
  return pairs.every(
    (pair) =>
      pair.before.parents.length === pair.after.parents.length &&
      pair.before.parents.every((parent, at) => before.get(parent) === after.get(pair.after.parents[at] ?? '')),
  );
};

/** Each difference of a path once, however many commits have it. */
const differencesOf = async (journal: GitJournal, pairs: readonly EventPair[]): Promise<readonly PathChange[]> => {
  if (pairs.length === 0) return [];
  const args = ['diff-tree', '--stdin', '--no-commit-id', '-r', '-z', '--raw', '--no-abbrev', ...everyChange];
  const input = pairs.map(({ before, after }) => `${after.commit} ${before.commit}\n`).join('');
  const changes = parseRawDiff(await runGit(journal.folders, ['--no-replace-objects', ...args], [input]));
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
};

const explainChange = (
  proof: Proof,
  { path, before, after }: PathChange,
  all: readonly PathChange[],
  bytes: ReadonlyMap<BlobId, Buffer>,
): boolean => {
  const old = before === undefined ? undefined : bytes.get(before);
  const now = after === undefined ? undefined : bytes.get(after);
  if (after === undefined) {
    const id = claimedNote(proof, path, old);
    if (id !== undefined) {
      proof.notes.add(id);
      return true;
    }
    const renamed = purgedPath(proof, path);
    return renamed !== path && all.some((other) => other.path === renamed && other.before === undefined);
  }
  if (before === undefined)
    return (
      path.includes(purgedMark) &&
      all.some((other) => other.after === undefined && other.path !== path && purgedPath(proof, other.path) === path)
    );
  return old !== undefined && now !== undefined && explainText(proof, old, now);
};

/** By its name or by what it says. */
const claimedNote = ({ claimedNotes }: Proof, path: string, bytes: Buffer | undefined): NoteId | undefined => {
  const named = basename(path, '.md');
  if (isNotePath(path) && claimedNotes.has(named)) return named;
  const verdict = bytes === undefined ? undefined : judgeFile(bytes, { notes: claimedNotes, text: undefined });
  return verdict?.kind === 'drop' ? verdict.id : undefined;
};

const purgedPath = (proof: Proof, path: string): string => purgeText(path, matcherOf(proof, path)).text;

/** Only what the records name is replaced, wherever it stands in the text; the rest is as it was. */
const explainText = (proof: Proof, old: Buffer, now: Buffer): boolean => {
  const text = old.toString('utf8');
  const matcher = matcherOf(proof, text);
  const verdict = judgeFile(old, { notes: new Set(), text: matcher });
  if (verdict.kind === 'replace' && verdict.bytes.equals(now)) return true;
  const gaps = gapsOf(text, now.toString('utf8'));
  return gaps?.every(({ start, end }) => isNamed(matcher, text, start, end) || isCut(proof, text, start, end)) === true;
};

const isNamed = (matcher: TextMatcher, text: string, start: number, end: number): boolean =>
  joinSpans(matcher.spans(text)).some((span) => span.start <= start && end <= span.end);

/** The beginning of a text before a `…`, which has no sum of its own. */
const isCut = ({ claimedTexts }: Proof, text: string, start: number, end: number): boolean =>
  text[end] === '…' && end - start >= 4 && claimedTexts.some(({ text: { bytes } }) => end - start < bytes);

/** The parts of `text` that the mark stands for in `now`; undefined where more than that differs. */
const gapsOf = (text: string, now: string): readonly Span[] | undefined => {
  const parts = now.split(purgedMark);
  const [first = '', ...others] = parts;
  if (parts.length < 2 || !text.startsWith(first)) return undefined;
  const gaps: Span[] = [];
  let at = first.length;
  for (const [index, part] of others.entries()) {
    const found = index === others.length - 1 ? text.length - part.length : text.indexOf(part, at + 1);
    if (found <= at || !text.startsWith(part, found)) return undefined;
    gaps.push({ start: at, end: found });
    at = found + part.length;
  }
  return gaps;
};

/** Of the texts that the records name the ones that stand here; they are proven by it. */
const matcherOf = (proof: Proof, text: string): TextMatcher => {
  const found = proof.claimedTexts.filter(({ matcher }) => matcher.spans(text).length > 0);
  for (const one of found) proof.texts.add(one.text);
  return {
    spans: (other) => joinSpans(found.flatMap(({ matcher }) => matcher.spans(other))),
    spansInBytes: (other) => joinSpans(found.flatMap(({ matcher }) => matcher.spansInBytes(other))),
    texts: [],
  };
};

const told = ['subject', 'reason', 'user', 'project', 'session', 'agent', 'commandId', 'machine'] as const;

/** An event stays the one it was; its words change where they told of what is gone. */
const explainEvent = (proof: Proof, { before, after }: EventPair): boolean => {
  const [old, now] = [before.event, after.event];
  const isSame = (key: 'id' | 'kind' | 'at' | 'by' | 'undoes'): boolean => old[key] === now[key];
  if (!(['id', 'kind', 'at', 'by', 'undoes'] as const).every(isSame)) return false;
  if (!before.foreign && old.notes.join() !== now.notes.join()) return false;
  return told.every((key) => old[key] === now[key] || isTold(proof, old, old[key], now[key]));
};

const isTold = (proof: Proof, { notes }: JournalEvent, old: string | undefined, now: string | undefined): boolean => {
  if (old === undefined) return false;
  if (now === purgedSubject) return notes.some((id) => proof.claimedNotes.has(id));
  const matcher = matcherOf(proof, old);
  // A machine's name with the mark in it is no name.
  const isGone = now === unknownMachine || now?.includes(purgedMark) === true;
  return isGone && (matcher.spans(old).length > 0 || old.includes('…'));
};
