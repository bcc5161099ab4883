/** Checks whether published purges lead to a remote's replaced history, and maps our commits to those in it. */

import { hasRefsBelow } from '../events/git/git-files.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { runGit } from '../events/git/git-process.js';
import { readRefMessages } from '../events/git/remote/ref-messages.js';
import type { LoggedEvent } from '../events/logged-event.js';
import { proveRecords } from './proof.js';
import type { EventPair } from './proof-words.js';
import { fingerprintMatcher } from './rule/fingerprint.js';
import { joinSpans, type TextMatcher } from './rule/matcher.js';
import type { Needle } from './rule/needle.js';
import {
  isSamePurge,
  type PublishedPurge,
  type PurgeRecord,
  parsePublished,
  parsePurge,
  purgeRefs,
} from './rule/record.js';
import type { PurgeRule } from './rule/rule.js';

export type Leading = {
  /** Reduced to what was proven. */
  readonly records: readonly PurgeRecord[];
  readonly rule: PurgeRule;
  /** Maps every commit up to the known head to its counterpart in the new history. */
  readonly known: ReadonlyMap<string, string>;
  /** The known head's counterpart. */
  readonly head: string;
};

/**
 * Returns the purges that lead from `known` to `incoming`, which does not descend from it, reduced to what the
 * difference of the two histories proves. Returns undefined if an event is missing, a record was not published, or
 * something is gone or changed that no record names. Both histories must be fetched. Takes as long as reading both
 * logs. Throws GitError.
 */
export const findLeading = async (
  journal: GitJournal,
  known: string,
  incoming: string,
): Promise<Leading | undefined> => {
  const published = await readPublished(journal);
  const here = await journal.events(undefined, known);
  const there = await journal.events(undefined, incoming);
  const ids = new Set(here.map(({ event }) => event.id));
  const pairs = pairEvents(here, there);
  const fresh = there
    .filter(({ event }) => event.kind === 'notes.purged' && !ids.has(event.id))
    .map(({ commit }) => commit);
  const records: PurgeRecord[] = [];
  for (const commit of fresh) {
    const purge = parsePurge(await readMessage(journal, commit))?.record;
    if (purge === undefined) return undefined;
    // The event alone is a commit like any other; the ref confirms that main was replaced on purpose.
    if (!published.some(({ record }) => isSamePurge(record, purge))) return undefined;
    records.push(purge);
  }
  const counterparts = new Map(pairs.map(({ before, after }) => [before.commit, after.commit]));
  const head = counterparts.get(known);
  if (records.length === 0 || head === undefined || pairs.length !== here.length) return undefined;
  const proven = await proveRecords(journal, pairs, records);
  return proven === undefined ? undefined : { records: proven, rule: ruleOfRecords(proven), known: counterparts, head };
};

/**
 * Pairs events by id, parents first. An id occurs twice where a commit was cherry-picked or its trailer repeated; of
 * those, the one whose parents are the counterparts of `before`'s parents is paired, else the first that is left.
 */
const pairEvents = (here: readonly LoggedEvent[], there: readonly LoggedEvent[]): readonly EventPair[] => {
  const thereById = new Map<string, LoggedEvent[]>();
  for (const logged of there) {
    const same = thereById.get(logged.event.id);
    if (same === undefined) thereById.set(logged.event.id, [logged]);
    else same.push(logged);
  }
  const became = new Map<string, string>();
  return here.flatMap((before) => {
    const parents = before.parents.map((parent) => became.get(parent)).join();
    const same = thereById.get(before.event.id) ?? [];
    const at = Math.max(
      0,
      same.findIndex((one) => one.parents.join() === parents),
    );
    const [after] = same.splice(at, 1);
    if (after === undefined) return [];
    became.set(before.commit, after.commit);
    return [{ before, after }];
  });
};

/** Reads the records from the local purge refs, skipping unreadable ones. Makes one git call, or none without refs. */
export const readPublished = async (journal: GitJournal): Promise<readonly PublishedPurge[]> => {
  if (!hasRefsBelow(journal.folders.gitDir, purgeRefs)) return [];
  const found: PublishedPurge[] = [];
  for (const { ref, message } of await readRefMessages(journal.folders, purgeRefs)) {
    const published = parsePublished(message);
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

/** Searches raw bytes for the purged texts, but not for the notes. */
export const needleOfRule = ({ text }: PurgeRule, records: readonly PurgeRecord[]): Needle => ({
  isIn: (bytes) => text !== undefined && text.spansInBytes(bytes.toString('latin1')).length > 0,
  length: Math.max(0, ...records.flatMap(({ texts }) => texts.map(({ bytes }) => bytes))),
});

const anyOf = (matchers: readonly TextMatcher[]): TextMatcher => ({
  spans: (text) => joinSpans(matchers.flatMap((matcher) => matcher.spans(text))),
  spansInBytes: (bytes) => joinSpans(matchers.flatMap((matcher) => matcher.spansInBytes(bytes))),
  texts: [],
});

const readMessage = async (journal: GitJournal, commit: string): Promise<string> =>
  (await runGit(journal.folders, ['show', '--no-patch', '--format=%B', commit])).toString('utf8');
