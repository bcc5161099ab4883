/** Judges every version of every file by the rule, in all journals, before anything is rewritten. */

import type { PurgePlan } from '../answers/store-schema.js';
import type { GitJournal } from '../events/git/git-journal.js';
import { readObjects } from '../events/git/git-objects.js';
import { pipeThroughGit } from '../events/git/git-pipe.js';
import { GitError, type GitFolders, runGit } from '../events/git/git-process.js';
import { blobIdOf } from '../events/note/blob-id.js';
import { type BlobId, type JournalName, journalFolder, type NoteId } from '../events/note/note.js';
import { type NewHistory, openNewHistory } from './new-history.js';
import { type PurgedRef, readRefs } from './refs.js';
import type { BlobFate, RewrittenHistory } from './rewrite.js';
import { knowing, leastLiteral, literalMatcher, type TextMatcher } from './rule/matcher.js';
import { judgeFile, type PurgeRule, type Verdict } from './rule/rule.js';

export type JournalScan = {
  readonly journal: GitJournal;
  readonly fates: Map<BlobId, BlobFate>;
  readonly into: NewHistory | undefined;
  readonly refs: readonly PurgedRef[];
  /** Notes of this journal that stay and lose some text. */
  readonly changed: Set<NoteId>;
};

export type Scan = {
  /** The rule, extended by the texts that were found. */
  readonly rule: PurgeRule;
  readonly journals: readonly JournalScan[];
  /** Notes to erase, each with the title of one of its versions. */
  readonly notes: ReadonlyMap<NoteId, { readonly title: string; readonly versions: number }>;
  /** Texts that were found, as written there; for notes to erase, their lines. */
  readonly texts: ReadonlySet<string>;
  /** Finds the titles of notes to erase. */
  readonly titles: TextMatcher | undefined;
  readonly places: number;
  readonly structural: readonly string[];
};

/** With `write`, also writes the new versions; the caller finishes or gives up every `into`. Throws GitError. */
export const scanJournals = async (
  journals: readonly GitJournal[],
  rule: PurgeRule,
  options: { readonly write: boolean },
): Promise<Scan> => {
  const scans: JournalScan[] = [];
  const notes = new Map<NoteId, { readonly title: string; readonly versions: number }>();
  const texts = new Set<string>();
  const titles = new Set<string>();
  const structural = new Set<string>();
  let places = 0;
  const judge = async (blob: BlobId, verdict: Judgement, one: JournalScan): Promise<void> => {
    if (verdict.kind === 'structural') {
      structural.add(`${verdict.key} of note ${verdict.id ?? ''}`.trim());
      return;
    }
    for (const text of verdict.texts) if (texts.size < maxTexts) texts.add(text);
    if (verdict.kind === 'replace') {
      places += verdict.places;
      if (verdict.id !== undefined) one.changed.add(verdict.id);
      one.fates.set(blob, { object: (await one.into?.blob(verdict.bytes)) ?? blobIdOf(verdict.bytes, blob) });
      return;
    }
    const { title } = verdict;
    notes.set(verdict.id, { title, versions: (notes.get(verdict.id)?.versions ?? 0) + 1 });
    if (title.length >= leastLiteral) titles.add(title);
    one.fates.set(blob, { object: undefined });
  };
  try {
    for (const journal of journals) {
      const into = options.write ? openNewHistory(journal.folders) : undefined;
      const refs = await readRefs(journal.folders);
      const one: JournalScan = { journal, fates: new Map(), into, refs, changed: new Set() };
      scans.push(one);
      await judgeFiles(journal.folders, rule, (blob, verdict) => judge(blob, verdict, one));
    }
  } catch (error) {
    await giveUp(scans);
    throw error;
  }
  const isLiteral = rule.text === undefined || rule.text.texts.length > 0;
  return {
    rule: isLiteral ? rule : { ...rule, text: rule.text && knowing(rule.text, [...texts].slice(0, maxKnown)) },
    journals: scans,
    notes,
    texts,
    titles: titles.size === 0 ? undefined : literalMatcher(...titles),
    places,
    structural: [...structural],
  };
};

/** Abandons the new histories: unless git was told to finish one, the store is unchanged. */
export const giveUp = async (scans: readonly JournalScan[]): Promise<void> => {
  for (const { into } of scans) await into?.giveUp();
};

/** A pattern may match very many texts. */
const maxTexts = 10_000;
/** At most this many are also searched for in truncated form. */
const maxKnown = 100;

type Judgement = Exclude<Verdict, { readonly kind: 'keep' }>;

/** Visits the versions to change or erase, unreachable ones included. Holds one file at a time. */
const judgeFiles = async (
  folders: GitFolders,
  rule: PurgeRule,
  visit: (blob: BlobId, verdict: Judgement) => Promise<void>,
): Promise<void> => {
  const format = '--batch-check=%(objecttype) %(objectname) %(objectsize)';
  const listed = (await runGit(folders, ['cat-file', '--batch-all-objects', '--unordered', format])).toString('latin1');
  const blobs = listed.split('\n').flatMap((line) => {
    const [type, id = '', size] = line.split(' ');
    return type === 'blob' && Number(size) <= maxBytes ? [`${id}\n`] : [];
  });
  const ask = ['cat-file', '--batch', '--buffer'];
  await pipeThroughGit(folders, ask, blobs, async (output) => {
    for await (const { id, type, bytes } of readObjects(output)) {
      if (type !== 'blob') throw new GitError(ask, null, `there is no file ${id}`);
      const verdict = judgeFile(bytes, rule);
      if (verdict.kind !== 'keep') await visit(id, verdict);
    }
  });
};

/** A larger file's text would not fit into one string; the check afterwards still searches it. */
const maxBytes = 256 * 1024 * 1024;

/** What would be or was erased, as an answer says it. */
export const describeScan = (
  scan: Scan,
  counted: ReadonlyMap<JournalName, RewrittenHistory>,
): Omit<PurgePlan, 'files'> => ({
  notes: [...scan.notes].map(([id, { title, versions }]) => ({ id, title, versions })),
  changed_notes: [...new Set(scan.journals.flatMap(({ changed }) => [...changed]))].sort(),
  places: scan.places + [...counted.values()].reduce((sum, { places }) => sum + places, 0),
  journals: [...counted].map(([journal, { commits, changed, messages }]) => ({
    journal: journalFolder[journal],
    commits,
    changed,
    messages,
  })),
  dropped_refs: scan.journals.flatMap(({ refs }) =>
    refs.filter(({ commit }) => commit === undefined).map(({ name }) => name),
  ),
});
