/** Whether a remote's other history is the one that agreed purges lead to, and which of our commits stands where in it. */

import { hasRefsBelow } from '../../events/git-files.js';
import { parseRawDiff } from '../../events/git-log.js';
import { runGit } from '../../events/git-process.js';
import type { Journal } from '../../events/journal.js';
import { fingerprintMatcher } from './fingerprint.js';
import { joinSpans, purgedMark, type TextMatcher } from './matcher.js';
import type { Needle } from './needle.js';
import { isSamePurge, type PublishedPurge, type PurgeRecord, parsePublished, parsePurge, purgeRefs } from './record.js';
import type { PurgeRule } from './rule.js';

export type Leading = {
  readonly records: readonly PurgeRecord[];
  readonly rule: PurgeRule;
  /** Every commit up to the known head, with what it became. */
  readonly known: ReadonlyMap<string, string>;
  /** What the known head became. */
  readonly head: string;
};

/**
 * The purges that lead from a head that was known to one that does not descend from it. Undefined when they do not: an
 * event is missing, no record was published, or something changed that the records do not name. Both histories must be
 * here. Takes as long as reading both logs. Throws GitError.
 */
export const findLeading = async (journal: Journal, known: string, incoming: string): Promise<Leading | undefined> => {
  const published = await readPublished(journal);
  const here = await journal.events(undefined, known);
  const there = await journal.events(undefined, incoming);
  const ids = new Set(here.map(({ event }) => event.id));
  const commitOf = new Map(there.map(({ event, commit }) => [event.id, commit]));
  const pairs = here.map(({ event, commit }): [string, string | undefined] => [commit, commitOf.get(event.id)]);
  const matched = pairs.filter((pair): pair is [string, string] => pair[1] !== undefined);
  const fresh = there
    .filter(({ event }) => event.kind === 'notes.purged' && !ids.has(event.id))
    .map(({ commit }) => commit);
  const records: PurgeRecord[] = [];
  for (const commit of fresh) {
    const purge = parsePurge(await readMessage(journal, commit))?.record;
    if (purge === undefined) return undefined;
    // The event alone is a commit like any other; the ref is the word that main was replaced on purpose.
    if (!published.some(({ record }) => isSamePurge(record, purge))) return undefined;
    records.push(purge);
  }
  const counterparts = new Map(matched);
  const head = counterparts.get(known);
  if (records.length === 0 || head === undefined || matched.length !== pairs.length) return undefined;
  const rule = ruleOfRecords(records);
  return (await isExplained(journal, known, head, rule)) ? { records, rule, known: counterparts, head } : undefined;
};

/** What the refs of purges say, here. A ref that says nothing readable is passed over. */
export const readPublished = async (journal: Journal): Promise<readonly PublishedPurge[]> => {
  if (!hasRefsBelow(journal.folders.gitDir, purgeRefs)) return [];
  const listed = await runGit(journal.folders, ['for-each-ref', '--format=%(objectname) %(refname)', purgeRefs]);
  const found: PublishedPurge[] = [];
  for (const line of listed.toString('utf8').split('\n')) {
    const [id = '', ref = ''] = line.split(' ');
    if (id === '') continue;
    const published = parsePublished(await readMessage(journal, id));
    if (published !== undefined && ref === `${purgeRefs}${published.record.purge}`) found.push(published);
  }
  return found;
};

export const ruleOfRecords = (records: readonly PurgeRecord[]): PurgeRule => {
  const matchers = records
    .filter(({ texts }) => texts.length > 0)
    .map(({ purge, texts }) => fingerprintMatcher(purge, texts));
  return {
    notes: new Set(records.flatMap(({ notes }) => notes)),
    text: matchers.length === 0 ? undefined : anyOf(matchers),
  };
};

/** Looks for the texts themselves, in all bytes. */
export const needleOfRule = ({ text }: PurgeRule, records: readonly PurgeRecord[]): Needle => ({
  isIn: (bytes) => text !== undefined && text.spansInBytes(bytes.toString('latin1')).length > 0,
  length: Math.max(0, ...records.flatMap(({ texts }) => texts.map(({ bytes }) => bytes))),
});

const anyOf = (matchers: readonly TextMatcher[]): TextMatcher => ({
  spans: (text) => joinSpans(matchers.flatMap((matcher) => matcher.spans(text))),
  spansInBytes: (bytes) => joinSpans(matchers.flatMap((matcher) => matcher.spansInBytes(bytes))),
  texts: [],
});

const readMessage = async (journal: Journal, commit: string): Promise<string> =>
  (await runGit(journal.folders, ['show', '--no-patch', '--format=%B', commit])).toString('utf8');

/** Beside the notes that are gone, a file may only have lost a text to the mark. */
const isExplained = async (journal: Journal, before: string, after: string, { notes }: PurgeRule): Promise<boolean> => {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', before, after];
  const changes = parseRawDiff(await runGit(journal.folders, args));
  const isOfNote = (path: string): boolean => notes.has(path.slice(path.lastIndexOf('/') + 1, -3));
  const isMarked = (path: string): boolean => path.includes(purgedMark);
  const moved = changes.some(({ path, after: blob }) => blob !== undefined && isMarked(path));
  const blobs = await journal.blobs(changes.flatMap(({ after: blob }) => blob ?? []));
  return changes.every(({ path, after: blob }) => {
    if (blob === undefined) return isOfNote(path) || moved;
    return isMarked(path) || blobs.get(blob)?.includes('PURGED') === true;
  });
};
