/** Rewrites one journal's history by a rule: commits that it changes, and their descendants, are written anew. */
import { isUtf8 } from 'node:buffer';
import { claimedEpochMs } from '../events/claims.js';
import type { JournalEvent } from '../events/event.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { everyChange, runGit } from '../events/git/git-process.js';
import { toLoggedEvents } from '../events/git/journal/doubtful-commits.js';
import { isEncoding, isIdentity } from '../events/git/stream-form.js';
import { notesAt, toLoggedEvent } from '../events/logged-event.js';
import type { BlobId } from '../events/note/note.js';
import { isNotePath } from '../events/note/paths.js';
import { type RawChange, type WalkedCommit, walkHistory } from './history.js';
import type { NewChange, NewHistory } from './new-history.js';
import { purgeText, replaceSpans } from './rule/matcher.js';
import { type MessageContext, purgeIdentity, purgeMessage, withEvent } from './rule/message.js';
import type { PurgeRule } from './rule/rule.js';

/** A version's replacement: another version (an id or a mark), or nothing. */
export type BlobFate = { readonly object: string | undefined };

export type Rewriting = {
  readonly rule: PurgeRule;
  readonly titles: readonly string[];
  /** For each version that is changed or erased; ids in messages are replaced by `blobAfter`. */
  readonly fates: ReadonlyMap<BlobId, BlobFate>;
  readonly blobAfter: MessageContext['blobAfter'];
  readonly tips: readonly string[];
  /** Commits that are already rewritten, mapped to the new ones; they are skipped. */
  readonly known: ReadonlyMap<string, string>;
  /** Commits to leave out of the walk, together with their ancestors. */
  readonly without: readonly string[];
  /** If undefined, commits are only counted. */
  readonly into: NewHistory | undefined;
};

export type Rewritten = {
  readonly commits: number;
  readonly changed: number;
  /** Commits whose message, author or committer contained it. */
  readonly messages: number;
  readonly places: number;
  /** Trailers and paths that can't do without the text; if there are any, nothing may be purged. */
  readonly structural: readonly string[];
  /** New commits by old ones; a mark for each that was written now. */
  readonly made: ReadonlyMap<string, string>;
};

export const rewriteHistory = async (journal: GitJournal, rewriting: Rewriting): Promise<Rewritten> => {
  const { rule, into, known } = rewriting;
  const made = new Map(known);
  const structural = new Set<string>();
  const paths = openPaths(rule);
  const counts = { commits: 0, changed: 0, messages: 0, places: 0 };
  counts.commits = await walkHistory(journal.folders, rewriting.tips, rewriting.without, async (walked) => {
    const { id, commit } = walked;
    if (known.has(id)) return;
    const event = await readEvent(journal, walked);
    const message = rewriteMessage(commit.message, event, rewriting);
    const author = rewriteIdentity(commit.author, rule);
    const committer = rewriteIdentity(commit.committer, rule);
    if (message.structural !== undefined) structural.add(`${message.structural} of commit ${id.slice(0, 12)}`);
    const told = message.places + author.places + committer.places;
    const changes = walked.changes.map((change) => rewriteChange(change, rewriting, paths));
    const touched = changes.some((change, at) => !isSame(change, walked.changes[at]));
    if (told > 0) counts.messages += 1;
    counts.places += told;
    if (told === 0 && !touched && !commit.parents.some((parent) => made.has(parent))) return;
    counts.changed += 1;
    const parents = commit.parents.map((parent) => made.get(parent) ?? parent);
    const mark = await into?.commit({
      author: author.line,
      committer: committer.line,
      encoding: commit.encoding !== undefined && isEncoding(commit.encoding) ? commit.encoding : undefined,
      message: message.bytes,
      parents,
      changes,
    });
    made.set(id, mark ?? id);
  });
  for (const path of paths.structural) structural.add(path);
  return { ...counts, structural: [...structural], made };
};

const isSame = (change: NewChange, before: RawChange | undefined): boolean =>
  change.object === before?.after && change.path === before?.path;

const rewriteChange = (change: RawChange, { fates }: Rewriting, paths: Paths): NewChange => {
  const path = paths.after(change.path);
  const fate = change.after === undefined ? undefined : fates.get(change.after);
  const isGone = paths.isGone(change.path);
  const object = isGone ? undefined : fate === undefined ? change.after : fate.object;
  return { path, mode: change.mode, object };
};

type Paths = {
  after(path: string): string;
  /** True for every path of a purged note. */
  isGone(path: string): boolean;
  readonly structural: ReadonlySet<string>;
};

/** A path may contain the text too. Paths that would become the same are numbered, in the order of history. */
const openPaths = ({ text: matcher, notes }: PurgeRule): Paths => {
  const structural = new Set<string>();
  const afterOf = new Map<string, string>();
  const originalOf = new Map<string, string>();
  const names = new Set([...notes].map((id) => `${id}.md`));
  const rename = (path: string): string => {
    if (matcher === undefined) return path;
    const bytes = Buffer.from(path, 'latin1');
    const text = bytes.toString('utf8');
    const purged = isUtf8(bytes)
      ? Buffer.from(purgeText(text, matcher).text).toString('latin1')
      : replaceSpans(path, matcher.spansInBytes(path)).text;
    if (purged === path) return path;
    // It would name another note, or none.
    if (isNotePath(text) && (purged.slice(-29) !== path.slice(-29) || !isNotePath(purged))) {
      structural.add('the path of a note');
      return path;
    }
    let target = purged;
    for (let n = 2; (originalOf.get(target) ?? path) !== path; n += 1) target = `${purged}-${n}`;
    originalOf.set(target, path);
    return target;
  };
  return {
    structural,
    after(path) {
      const known = afterOf.get(path);
      if (known !== undefined) return known;
      const after = rename(path);
      if (after !== path) afterOf.set(path, after);
      return after;
    },
    isGone: (path) => names.has(path.slice(path.lastIndexOf('/') + 1)),
  };
};

type NewMessage = { readonly bytes: Buffer; readonly places: number; readonly structural: string | undefined };

/** Text that isn't UTF-8 is read byte by byte, and written back the same way. */
const rewriteMessage = (
  bytes: Buffer,
  { event, foreign }: ReadEvent,
  { rule, titles, blobAfter }: Rewriting,
): NewMessage => {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const { text } = rule;
  const matcher = text === undefined || encoding === 'utf8' ? text : { ...text, spans: text.spansInBytes };
  const before = bytes.toString(encoding);
  const message = foreign ? withEvent(before, event) : before;
  const purged = purgeMessage(message, event, { rule: { ...rule, text: matcher }, titles, blobAfter });
  const { places, structural } = purged;
  return { bytes: foreign || places > 0 ? Buffer.from(purged.message, encoding) : bytes, places, structural };
};

const rewriteIdentity = (claimed: string, { text }: PurgeRule): { readonly line: string; readonly places: number } => {
  const line = isIdentity(claimed) ? claimed : nobody;
  if (text === undefined) return { line, places: 0 };
  const bytes = Buffer.from(line, 'latin1');
  if (!isUtf8(bytes)) return purgeIdentity(line, { ...text, spans: text.spansInBytes });
  const purged = purgeIdentity(bytes.toString('utf8'), text);
  return { line: Buffer.from(purged.line).toString('latin1'), places: purged.places };
};

/** Replaces an author that git would refuse to write. */
const nobody = 'unknown <unknown> 0 +0000';

type ReadEvent = { readonly event: JournalEvent; readonly foreign: boolean };

/** Reads the event as a replay does. */
const readEvent = async (journal: GitJournal, { id, commit, changes }: WalkedCommit): Promise<ReadEvent> => {
  const [, author = '', seconds = '0'] = /^[^<]*<([^>]*)>\s*(\d+)?/.exec(commit.committer) ?? [];
  const [, address = author] = /^[^<]*<([^>]*)>/.exec(commit.author) ?? [];
  const logged = {
    hash: id,
    parents: commit.parents,
    epochMs: claimedEpochMs(seconds),
    author: address,
    message: commit.message.toString('utf8'),
  };
  const read = async (paths: readonly string[]): Promise<ReadEvent> => {
    const [event] = await toLoggedEvents(journal.folders, [{ commit: logged, changed: notesOf(paths) }]);
    return event ?? toLoggedEvent(logged, []);
  };
  if (commit.parents.length < 2) return read(changes.map(({ path }) => path));
  const args = ['diff-tree', '--root', '-r', '-c', '-z', '--name-only', ...everyChange, '--no-commit-id', id];
  return read((await runGit(journal.folders, args)).toString('latin1').split('\0'));
};

const notesOf = (paths: readonly string[]): readonly string[] =>
  notesAt(paths.map((path) => ({ path: Buffer.from(path, 'latin1').toString('utf8') })));
