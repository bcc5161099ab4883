/** Publishes this machine's purges to the remote, and follows those of other machines. */

import type { Store } from '../commands/worktree/write-store.js';
import { Fault } from '../events/faults.js';
import { acceptedHead, acceptHead } from '../events/git/branch.js';
import { readRef } from '../events/git/git-files.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { GitError, runGit } from '../events/git/git-process.js';
import { type NetworkOptions, runNetworkGit } from '../events/git/remote/git-network.js';
import { incomingRef } from '../events/git/remote/git-transport.js';
import { journalNames, type NoteId } from '../events/note/note.js';
import { formatTime } from '../events/time.js';
import { TransportError } from '../events/transport.js';
import type { Memory } from '../store/memory.js';
import { forgetUnreachable } from './clean-git.js';
import { findLeading, type Leading, needleOfRule, readPublished, ruleOfRecords } from './follow.js';
import { cleanAfter, linesElsewhere, prepareJournals } from './purge-cleaning.js';
import type { FollowedPurge, PurgeExchange } from './purge-exchange.js';
import { type Followed, type MadeHistory, makeHistory, moveToHistory, nothingFollowed } from './purge-journal.js';
import { checkPlaces } from './purge-receipt.js';
import { beginPurge, endPurge, readUnfinished } from './purge-state.js';
import { type PurgeRecord, purgeRefs } from './rule/record.js';
import { type Scan, scanJournals } from './scan-journals.js';

/** Opens the port through which syncing asks about purges. */
export const openPurgeExchange = (
  memory: Memory,
  remote: { readonly url: string; readonly shown: string },
  options: NetworkOptions,
): PurgeExchange => ({
  async publish(refs, mask) {
    await finishFollowing(memory);
    const { folders } = memory.journals.portable;
    const pending = (await readPublished(memory.journals.portable)).filter(
      ({ record, remoteHead }) => remoteHead !== undefined && !refs.others.has(`${purgeRefs}${record.purge}`),
    );
    const head = memory.journals.portable.head();
    const store = await memory.store();
    const [seen = '', translated = ''] = store.state.fact(translatedFact)?.split(' ') ?? [];
    if (pending.length === 0 && seen !== '') await forgetTranslated(memory, store);
    if (pending.length === 0 || refs.main === undefined || head === undefined) return 'nothing';
    const isTranslated = refs.main === seen && (await memory.journals.portable.contains(head, translated));
    if (!isTranslated && !pending.some(({ remoteHead }) => remoteHead === refs.main))
      return (await memory.journals.portable.contains(head, refs.main)) ? 'nothing' : 'moved-on';
    // A purge also moves the accepted head, so it is the counterpart of the remote's head.
    if (await mask(head, isTranslated ? translated : acceptedHead(folders))) return 'masked';
    const records = pending.map(({ record }) => `${purgeRefs}${record.purge}`);
    const lease = `--force-with-lease=refs/heads/main:${refs.main}`;
    const specs = [`${head}:refs/heads/main`, ...records.map((ref) => `${ref}:${ref}`)];
    try {
      await runNetworkGit(
        folders,
        ['push', '--atomic', '--porcelain', '--no-verify', lease, '--', remote.url, ...specs],
        options,
      );
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      if (/stale info|fetch first/.test(error.stderr)) return 'moved-on';
      if (!/denyNonFastForwards|non-fast-forward|protected|declined|not allowed/i.test(error.stderr))
        throw offline(remote.shown, error);
      throw new TransportError(
        'refused',
        `${remote.shown} does not let its history be replaced, so what was purged here is still there`,
        'allow it for main there (git config receive.denyNonFastForwards false, or lift the branch protection), then: anamnesis sync',
        { cause: error },
      );
    }
    await acceptHead(folders, head);
    if (isTranslated) await forgetTranslated(memory, store);
    memory.log(`purge: published ${pending.map(({ record }) => record.purge).join(', ')}`);
    return 'published';
  },

  async follow(accepted, incoming) {
    const leading = await findLeading(memory.journals.portable, accepted, incoming);
    if (leading === undefined) return undefined;
    const purged = await memory.exclusively(() => followPurge(memory, leading, [incoming]));
    return purged === undefined ? undefined : { head: leading.head, purged };
  },

  async translate(incoming) {
    const { portable: journal } = memory.journals;
    const records = (await readPublished(journal)).map(({ record }) => record);
    return memory.exclusively(() =>
      translate(memory, journal, records.length === 0 ? undefined : ruleOfRecords(records), incoming),
    );
  },
});

/** Fact in `state.db`: the remote's head that was rewritten here, and the head it became. */
const translatedFact = 'purge:translated';

/** Deletes the unpurged history that was fetched to be rewritten: it contains the purged texts again. */
const forgetTranslated = async (memory: Memory, { state }: Store): Promise<void> => {
  const { folders } = memory.journals.portable;
  await memory.exclusively(async () => {
    await runGit(folders, ['update-ref', '-d', incomingRef]);
    await forgetUnreachable(folders);
  });
  state.setFact(translatedFact, '');
};

/**
 * Moves this store to the history that another machine's purges made, with our own events on top, purged the same way;
 * then cleans up as after a purge of its own, and logs what was checked. Leaves machine-local notes unchanged, but
 * names them. Returns undefined, with nothing changed, if the texts also occur here where they can't be replaced. Under
 * the write lock. Throws GitError.
 */
const followPurge = async (
  memory: Memory,
  { records, rule, known }: Leading,
  without: readonly string[],
): Promise<FollowedPurge | undefined> => {
  const store = await memory.store();
  const journals = existing(memory).filter(({ name }) => name === 'portable');
  const purges = records.map(({ purge }) => purge);
  beginPurge(store.state, { at: formatTime(store.nowMs()), what: undefined, followed: purges, records });
  const prepared = await prepareJournals(store, journals);
  store.step('purge:scan');
  const scanned = await scanJournals(journals, rule, { write: true });
  // The incoming history is purged already and is not rewritten.
  const scans = scanned.journals.map((one) => ({ ...one, refs: one.refs.filter(({ name }) => name !== incomingRef) }));
  const scan = { ...scanned, journals: scans };
  const made = await moveAll(store, scan, { known, without });
  if (made === undefined) {
    endPurge(store.state);
    return undefined;
  }
  const elsewhere = await linesElsewhere(existing(memory), scan);
  const local = await holdersIn(memory.journals.local, rule);
  const warnings = await cleanAfter(memory, store, { scan, purged: made, prepared, kept: elsewhere.texts });
  store.step('purge:check');
  const checked = await checkPlaces(memory, {
    needle: needleOfRule(rule, records),
    notes: rule.notes,
    gone: { portable: scan.gone },
  });
  // If a machine-local note still contains the text, so do the index and other files; only `memory` must be clean.
  const looked = local.length === 0 ? checked.places : checked.places.filter(({ place }) => /^memory\b/.test(place));
  if (looked.every(({ found }) => found.length === 0)) endPurge(store.state);
  for (const purge of purges) memory.log(`purge: followed ${purge}`);
  for (const { place, looked: count, found } of checked.places) {
    memory.log(`purge: ${found.length === 0 ? 'nothing' : found.slice(0, 20).join(', ')} found in ${place} (${count})`);
  }
  for (const warning of [...warnings, ...elsewhere.warnings]) memory.log(`purge: ${warning}`);
  if (local.length > 0) memory.log(`purge: machine-local notes still contain it: ${local.join(', ')}`);
  const texts = new Set(records.flatMap((record) => record.texts));
  return { notes: [...rule.notes].sort(), texts: texts.size, local };
};

/** Returns the notes of a journal that match the rule in any version. Changes nothing. */
const holdersIn = async (journal: GitJournal, rule: Leading['rule']): Promise<readonly NoteId[]> => {
  if (!journal.exists() || journal.head() === undefined) return [];
  const { notes, changed } = await scanJournals([journal], rule, { write: false });
  return [...new Set([...notes.keys(), ...changed])].sort();
};

/** Returns undefined if a text can't be replaced. Throws if another git moved a ref; the next sync retries. */
const moveAll = async (store: Store, scan: Scan, followed: Followed): Promise<readonly MadeHistory[] | undefined> => {
  const made: MadeHistory[] = [];
  try {
    for (const one of scan.journals) {
      const isShared = one.journal.name === 'portable';
      const history = await makeHistory(store, scan, one, () => undefined, isShared ? followed : nothingFollowed);
      if ('structural' in history) return undefined;
      made.push(history);
    }
    for (const history of made) if ((await moveToHistory(store, history)) === 'moved') throw movedMeanwhile();
    return made;
  } finally {
    for (const { into } of scan.journals) await into?.giveUp();
  }
};

/** Finishes the cleaning of a followed purge that was killed after the branch had moved. */
const finishFollowing = async (memory: Memory): Promise<void> => {
  const unfinished = readUnfinished((await memory.store()).state);
  if (unfinished === undefined || unfinished.followed.length === 0) return;
  const published = async (): Promise<readonly PurgeRecord[]> =>
    (await readPublished(memory.journals.portable)).map(({ record }) => record);
  const known = unfinished.records ?? (await published());
  const records = known.filter(({ purge }) => unfinished.followed.includes(purge));
  if (records.length === 0) return;
  const leading = { records, rule: ruleOfRecords(records), known: new Map<string, string>(), head: '' };
  // If the branch had not moved yet, the current exchange follows the purge in the usual way.
  const accepted = acceptedHead(memory.journals.portable.folders);
  const incoming = readRef(memory.journals.portable.folders.gitDir, incomingRef);
  if (accepted === undefined || incoming === undefined) return;
  if (await memory.journals.portable.contains(incoming, accepted))
    await memory.exclusively(() => followPurge(memory, leading, []));
};

/** Rewrites onto our history what another machine meanwhile published on the old one. Returns its new head. */
const translate = async (
  memory: Memory,
  journal: GitJournal,
  rule: Leading['rule'] | undefined,
  incoming: string,
): Promise<string | undefined> => {
  const head = journal.head();
  if (rule === undefined || head === undefined) return undefined;
  const store = await memory.store();
  const ours = new Map((await journal.events(undefined, head)).map(({ event, commit }) => [event.id, commit]));
  const theirs = await journal.events(undefined, incoming);
  const known = new Map(
    theirs.flatMap(({ event, commit }) => {
      const here = ours.get(event.id);
      return here === undefined ? [] : [[commit, here] as const];
    }),
  );
  // Without common events it is another memory. An unknown purge must be followed, or we restore what it erased.
  if (known.size === 0 || theirs.some(({ event }) => event.kind === 'notes.purged' && !ours.has(event.id)))
    return undefined;
  const scan = await scanJournals([journal], rule, { write: true });
  const [one] = scan.journals;
  if (one === undefined) return undefined;
  try {
    const refs = [{ name: incomingRef, id: incoming, commit: incoming, isTag: false }];
    const history = await makeHistory(store, scan, { ...one, refs }, () => undefined, { known, without: [head] });
    if ('structural' in history) return undefined;
    if ((await moveToHistory(store, history)) === 'moved') return undefined;
    const after = history.moves[0]?.after ?? incoming;
    store.state.setFact(translatedFact, `${incoming} ${after}`);
    return after;
  } finally {
    await one.into?.giveUp();
  }
};

const existing = ({ journals }: Memory): readonly GitJournal[] =>
  journalNames.map((name) => journals[name]).filter((journal) => journal.exists() && journal.head() !== undefined);

const movedMeanwhile = (): Fault =>
  new Fault(
    'lock-timeout',
    'another git program wrote to the journal while a purge was being followed',
    'wait until it is done, then: anamnesis sync',
  );

const offline = (shown: string, cause: GitError): TransportError =>
  new TransportError(
    'offline',
    `a purge could not be published to ${shown}`,
    'nothing to do: the next sync tries again',
    {
      cause,
    },
  );
