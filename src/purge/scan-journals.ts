/** Scans both journals before anything is rewritten, so that a version that moved between them is known in both. */

import type { GitJournal } from '../events/git/git-journal.js';
import { blobIdOf } from '../events/note/blob-id.js';
import type { BlobId, NoteId } from '../events/note/note.js';
import { type NewHistory, openNewHistory } from './new-history.js';
import { type PurgedRef, readRefs } from './refs.js';
import type { BlobFate } from './rewrite.js';
import { knowing, type TextMatcher } from './rule/matcher.js';
import type { PurgeRule } from './rule/rule.js';
import { scanFiles } from './scan.js';

export type JournalScan = {
  readonly journal: GitJournal;
  readonly fates: ReadonlyMap<BlobId, BlobFate>;
  readonly into: NewHistory | undefined;
  readonly refs: readonly PurgedRef[];
  /** Notes of this journal that stay and lose some text. */
  readonly changed: ReadonlySet<NoteId>;
  /** Number of versions scanned, and those too large to scan. */
  readonly looked: number;
  readonly tooLarge: readonly BlobId[];
};

export type Scan = {
  /** The rule, extended by the texts that were found. */
  readonly rule: PurgeRule;
  readonly journals: readonly JournalScan[];
  /** New id of a changed version; zeros for an erased one. */
  readonly blobAfter: (blob: BlobId) => BlobId | undefined;
  /** Every version that is changed or erased. */
  readonly gone: readonly BlobId[];
  /** Notes to erase, each with the title of one of its versions. */
  readonly notes: ReadonlyMap<NoteId, { readonly title: string; readonly versions: number }>;
  /** Notes that stay and lose some text. */
  readonly changed: ReadonlySet<NoteId>;
  /** Texts that were found, as written there; for notes to erase, their lines. */
  readonly texts: ReadonlySet<string>;
  readonly titles: readonly string[];
  readonly places: number;
  readonly structural: readonly string[];
};

/** With `write`, also writes the new versions; the caller finishes or gives up every `into`. Throws GitError. */
export const scanJournals = async (
  journals: readonly GitJournal[],
  rule: PurgeRule,
  options: { readonly write: boolean },
): Promise<Scan> => {
  const after = new Map<BlobId, BlobId>();
  const notes = new Map<NoteId, { title: string; versions: Set<BlobId> }>();
  const changed = new Set<NoteId>();
  const texts = new Set<string>();
  const titles = new Set<string>();
  const structural = new Set<string>();
  const scans: JournalScan[] = [];
  let places = 0;
  try {
    for (const journal of journals) {
      const into = options.write ? openNewHistory(journal.folders) : undefined;
      const fates = new Map<BlobId, BlobFate>();
      const one = {
        journal,
        fates,
        into,
        refs: await readRefs(journal.folders),
        changed: new Set<NoteId>(),
        looked: 0,
        tooLarge: [] as readonly BlobId[],
      };
      scans.push(one);
      const scanned = await scanFiles(journal.folders, rule, async (blob, verdict) => {
        if (verdict.kind === 'structural') {
          structural.add(`${verdict.key} of note ${verdict.id ?? ''}`.trim());
          return;
        }
        for (const text of verdict.texts) if (texts.size < maxTexts) texts.add(text);
        if (verdict.kind === 'drop') {
          const known = notes.get(verdict.id) ?? { title: verdict.title, versions: new Set<BlobId>() };
          known.versions.add(blob);
          notes.set(verdict.id, known);
          titles.add(verdict.title);
          after.set(blob, '0'.repeat(blob.length));
          fates.set(blob, { object: undefined });
          return;
        }
        if (!after.has(blob)) places += verdict.places;
        if (verdict.id !== undefined) {
          changed.add(verdict.id);
          one.changed.add(verdict.id);
        }
        const id = blobIdOf(verdict.bytes, blob);
        after.set(blob, id);
        fates.set(blob, { object: (await into?.blob(verdict.bytes)) ?? id });
      });
      scans[scans.length - 1] = { ...one, ...scanned };
    }
  } catch (error) {
    for (const { into } of scans) await into?.giveUp();
    throw error;
  }
  return {
    rule: { ...rule, text: withTexts(rule.text, texts) },
    journals: scans,
    blobAfter: (blob) => after.get(blob),
    gone: [...after.keys()],
    notes: new Map([...notes].map(([id, { title, versions }]) => [id, { title, versions: versions.size }])),
    changed,
    texts,
    titles: [...titles].filter((title) => title !== ''),
    places,
    structural: [...structural],
  };
};

/** A pattern may match very many texts. */
const maxTexts = 10_000;
/** At most this many are also searched for in truncated form. */
const maxKnown = 100;

const withTexts = (matcher: TextMatcher | undefined, texts: ReadonlySet<string>): TextMatcher | undefined =>
  matcher === undefined || matcher.texts.length > 0 ? matcher : knowing(matcher, [...texts].slice(0, maxKnown));
