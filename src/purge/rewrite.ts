/** Rewrites one journal's history by a rule: commits that it changes, and their descendants, are written anew. */

import { isEncoding, isIdentity } from '../events/git/fast-import.js';
import type { GitFolders } from '../events/git/git-process.js';
import type { BlobId } from '../events/note/note.js';
import { isNotePath } from '../events/note/paths.js';
import { type RawChange, walkHistory } from './history.js';
import type { NewChange, NewHistory } from './new-history.js';
import { encodingOf, purgeText, type Replacement, type TextMatcher } from './rule/matcher.js';
import { type PurgedMessage, purgeIdentity, purgeMessage } from './rule/message.js';
import type { PurgeRule } from './rule/rule.js';

/** A version's replacement: another version (an id or a mark), or nothing. */
export type BlobFate = { readonly object: string | undefined };

export type Rewriting = {
  readonly rule: PurgeRule;
  /** Finds the titles of purged notes. */
  readonly titles: TextMatcher | undefined;
  /** For each version that is changed or erased. */
  readonly fates: ReadonlyMap<BlobId, BlobFate>;
  readonly tips: readonly string[];
  /** If undefined, commits are only counted. */
  readonly into: NewHistory | undefined;
};

export type RewrittenHistory = {
  readonly commits: number;
  readonly changed: number;
  /** Commits whose message, author or committer contained it. */
  readonly messages: number;
  readonly places: number;
  /** Trailers and paths that can't do without the text; if there are any, nothing may be purged. */
  readonly structural: readonly string[];
  /** A mark for each old commit that was written anew; its own id where it was only counted. */
  readonly made: ReadonlyMap<string, string>;
};

export const rewriteHistory = async (folders: GitFolders, rewriting: Rewriting): Promise<RewrittenHistory> => {
  const { rule, into, fates } = rewriting;
  const made = new Map<string, string>();
  const structural = new Set<string>();
  const paths = openPaths(rule, structural);
  const counts = { commits: 0, changed: 0, messages: 0, places: 0 };
  counts.commits = await walkHistory(folders, rewriting.tips, async ({ id, commit, changes: before }) => {
    const message = rewriteMessage(commit.message, rewriting);
    const author = rewriteIdentity(commit.author, rule.text);
    const committer = rewriteIdentity(commit.committer, rule.text);
    if (message.structural !== undefined) structural.add(`${message.structural} of commit ${id.slice(0, 12)}`);
    const places = message.places + author.places + committer.places;
    const changes = before.map((change) => rewriteChange(change, fates, paths));
    if (places > 0) counts.messages += 1;
    counts.places += places;
    const isTouched = changes.some((change, at) => !isSame(change, before[at]));
    if (places === 0 && !isTouched && !commit.parents.some((parent) => made.has(parent))) return;
    counts.changed += 1;
    const mark = await into?.commit({
      author: author.text,
      committer: committer.text,
      encoding: commit.encoding !== undefined && isEncoding(commit.encoding) ? commit.encoding : undefined,
      message: message.bytes,
      parents: commit.parents.map((parent) => made.get(parent) ?? parent),
      changes,
    });
    made.set(id, mark ?? id);
  });
  return { ...counts, structural: [...structural], made };
};

const isSame = (change: NewChange, before: RawChange | undefined): boolean =>
  change.object === before?.after && change.path === before?.path;

const rewriteChange = ({ path, mode, after }: RawChange, fates: Rewriting['fates'], paths: Paths): NewChange => {
  const fate = after === undefined ? undefined : fates.get(after);
  const object = paths.isGone(path) ? undefined : fate === undefined ? after : fate.object;
  return { path: paths.after(path), mode, object };
};

type Paths = {
  after(path: string): string;
  /** True for every path of a purged note. */
  isGone(path: string): boolean;
};

/** A path may contain the text too. Paths that would become the same are numbered, in the order of history. */
const openPaths = ({ text: matcher, notes }: PurgeRule, structural: Set<string>): Paths => {
  const afterOf = new Map<string, string>();
  const taken = new Set<string>();
  const names = new Set([...notes].map((id) => `${id}.md`));
  const rename = (path: string): string => {
    const bytes = Buffer.from(path, 'latin1');
    const encoding = encodingOf(bytes);
    const text = bytes.toString(encoding);
    const purged = purgeText(text, matcher).text;
    if (purged === text) return path;
    if (isNotePath(text)) {
      // It would name another note, or none.
      structural.add('the path of a note');
      return path;
    }
    let target = Buffer.from(purged, encoding).toString('latin1');
    for (let n = 2; taken.has(target); n += 1) target = `${purged}-${n}`;
    taken.add(target);
    return target;
  };
  return {
    after(path) {
      const after = afterOf.get(path) ?? rename(path);
      if (after !== path) afterOf.set(path, after);
      return after;
    },
    isGone: (path) => names.has(path.slice(path.lastIndexOf('/') + 1)),
  };
};

const rewriteMessage = (
  bytes: Buffer,
  { rule, titles }: Rewriting,
): Omit<PurgedMessage, 'message'> & { readonly bytes: Buffer } => {
  const encoding = encodingOf(bytes);
  const { message, places, structural } = purgeMessage(bytes.toString(encoding), rule, titles);
  return { bytes: places > 0 ? Buffer.from(message, encoding) : bytes, places, structural };
};

const rewriteIdentity = (claimed: string, matcher: TextMatcher | undefined): Replacement => {
  const bytes = Buffer.from(claimed, 'latin1');
  const encoding = encodingOf(bytes);
  const { text, places } = purgeIdentity(bytes.toString(encoding), matcher);
  const line = Buffer.from(text, encoding).toString('latin1');
  return { text: isIdentity(line) ? line : nobody, places };
};

/** Replaces an author that git would refuse to write. */
const nobody = 'unknown <unknown> 0 +0000';
