/** Judges every version of every file by the rule, in all journals, before anything is rewritten. */
import type { GitJournal } from '../events/git/git-journal.js';
import { readObjects } from '../events/git/git-objects.js';
import { pipeThroughGit } from '../events/git/git-pipe.js';
import { GitError, type GitFolders, runGit } from '../events/git/git-process.js';
import { blobIdOf } from '../events/note/blob-id.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import { type NewHistory, openNewHistory } from './new-history.js';
import { type PurgedRef, readRefs } from './refs.js';
import type { BlobFate } from './rewrite.js';
import { knowing, leastLiteral, literalMatcher, type TextMatcher } from './rule/matcher.js';
import { judgeFile, type PurgeRule, type Verdict } from './rule/rule.js';

export type JournalScan = {
  readonly journal: GitJournal;
  readonly fates: ReadonlyMap<BlobId, BlobFate>;
  readonly into: NewHistory | undefined;
  readonly refs: readonly PurgedRef[];
  /** Notes of this journal that stay and lose some text. */
  readonly changed: ReadonlySet<NoteId>;
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
  const scanner = new Scanner();
  const scans: JournalScan[] = [];
  try {
    for (const journal of journals) {
      const { folders } = journal;
      const one = {
        journal,
        fates: new Map<BlobId, BlobFate>(),
        into: options.write ? openNewHistory(folders) : undefined,
        refs: await readRefs(folders),
        changed: new Set<NoteId>(),
      };
      scans.push(one);
      await judgeFiles(folders, rule, async (blob, verdict) => {
        const fate = await scanner.take(blob, verdict, one.into);
        if (fate === undefined) return;
        one.fates.set(blob, fate);
        if (verdict.kind === 'replace' && verdict.id !== undefined) one.changed.add(verdict.id);
      });
    }
  } catch (error) {
    await giveUp(scans);
    throw error;
  }
  return { ...scanner.found(rule), journals: scans };
};

/** Abandons the new histories: unless git was told to finish one, the store is unchanged. */
export const giveUp = async (scans: readonly JournalScan[]): Promise<void> => {
  for (const { into } of scans) await into?.giveUp();
};

/** A pattern may match very many texts. */
const maxTexts = 10_000;
/** At most this many are also searched for in truncated form. */
const maxKnown = 100;

/** Gathers what the judged versions hold. */
class Scanner {
  readonly #notes = new Map<NoteId, { title: string; versions: Set<BlobId> }>();
  readonly #texts = new Set<string>();
  readonly #titles = new Set<string>();
  readonly #places = new Map<BlobId, number>();
  readonly #structural = new Set<string>();

  async take(blob: BlobId, verdict: Judgement, into: NewHistory | undefined): Promise<BlobFate | undefined> {
    if (verdict.kind === 'structural') {
      this.#structural.add(`${verdict.key} of note ${verdict.id ?? ''}`.trim());
      return undefined;
    }
    for (const text of verdict.texts) if (this.#texts.size < maxTexts) this.#texts.add(text);
    if (verdict.kind === 'replace') {
      this.#places.set(blob, verdict.places);
      return { object: (await into?.blob(verdict.bytes)) ?? blobIdOf(verdict.bytes, blob) };
    }
    const known = this.#notes.get(verdict.id) ?? { title: verdict.title, versions: new Set<BlobId>() };
    known.versions.add(blob);
    this.#notes.set(verdict.id, known);
    if (verdict.title.length >= leastLiteral) this.#titles.add(verdict.title);
    return { object: undefined };
  }

  found({ notes, text }: PurgeRule): Omit<Scan, 'journals'> {
    const isLiteral = text === undefined || text.texts.length > 0;
    return {
      rule: { notes, text: isLiteral ? text : knowing(text, [...this.#texts].slice(0, maxKnown)) },
      notes: new Map([...this.#notes].map(([id, { title, versions }]) => [id, { title, versions: versions.size }])),
      texts: this.#texts,
      titles: this.#titles.size === 0 ? undefined : literalMatcher(...this.#titles),
      places: [...this.#places.values()].reduce((sum, places) => sum + places, 0),
      structural: [...this.#structural],
    };
  }
}

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
