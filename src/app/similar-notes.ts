/** Finds notes that a new note repeats, resembles or contradicts, by words alone. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { WriteNote } from '../commands/write.js';
import {
  compareStatements,
  contentWordsOf,
  isSameText,
  type Likeness,
  normaliseText,
  parseStatements,
  type Statement,
  shareOf,
} from '../events/note/likeness.js';
import { journalNames, type NoteId } from '../events/note/note.js';
import { redact } from '../events/note/redact.js';
import { claimsOfCommand } from '../projections/history/query.js';
import { type IndexedNote, lastRowOf } from '../projections/index/query.js';
import { searchNotes } from '../projections/search/search.js';
import type { Memory } from '../store/memory.js';

export type NewNote = Omit<WriteNote, 'kind' | 'workspace' | 'lookedUpTo'>;

export type SimilarNote = { readonly id: NoteId; readonly title: string };

export type SimilarNotes = {
  /** Notes with the same text and title, in the same project and scope. */
  readonly same: readonly IndexedNote[];
  /** Notes that say nearly the same, nearest first. */
  readonly near: readonly SimilarNote[];
  /** Notes that say the opposite: they reject what this one chooses, or forbid what this one asks for. */
  readonly against: readonly SimilarNote[];
  /** The last row of the index when it was searched. */
  readonly lookedUpTo: number;
};

const noneSimilar: SimilarNotes = { same: [], near: [], against: [], lookedUpTo: 0 };

/** The user and workspace that the note will be recorded with. */
type Owner = { readonly user: string; readonly workspace: string };

/**
 * The best hits in the note's project and in `global`, of its owner and scope: no dearer than a search. Notes in
 * `note.supersedes` (whole ids) are left out: the writer knows them. A repeated command gets none: its event answers.
 */
export const findSimilarNotes = async (
  memory: Memory,
  note: NewNote,
  owner: Owner,
  commandId: string | undefined,
): Promise<SimilarNotes> => {
  const { journals } = memory;
  // The index may still hold notes of a folder that is gone, or that was made anew and has no commit to read them from.
  const readable = new Set(
    journalNames.filter((name) => journals[name].exists() && journals[name].head() !== undefined),
  );
  if (readable.size === 0) return noneSimilar;
  // Yields, so that a server keeps answering between many concurrent writes.
  await nextTurn();
  const body = redact(note.body).text;
  const title = redact(note.title).text;
  const find = (database: Database.Database) => {
    if (commandId !== undefined && claimsOfCommand(database, commandId, memory.settings.machine).length > 0)
      return undefined;
    const nowSeconds = Math.floor(Date.now() / 1000);
    // Each word costs time in a large store, and a note that says the same shares most words of the title.
    const text = title.split(/\s+/).length >= enoughWords ? title : `${title} ${body.slice(0, maxQueryUnits)}`;
    const hits = [...new Set([note.project, 'global'])].flatMap((project) =>
      searchNotes(database, {
        text,
        filter: { ...owner, project, scope: note.scope },
        k: maxCandidates,
        nowSeconds,
        rarerOnly: true,
      }).hits.map((hit) => hit.note),
    );
    return { hits, lookedUpTo: lastRowOf(database) };
  };
  const found = memory.liveIndex.glance(find);
  if (found === undefined) return noneSimilar;
  const { hits, lookedUpTo } = found;
  const others = hits.filter(({ id, journal }) => readable.has(journal) && !note.supersedes.includes(id));
  if (others.length === 0) return { ...noneSimilar, lookedUpTo };
  const read = await memory.texts.readHeads(others);
  const fresh = { ...note, title, body, words: contentWordsOf(textOf(title, body)), rules: rulesOf(title, body) };
  const similar = read.map((known) => ({ known, ...compare(fresh, known) }));
  const similarOf = (likeness: Verdict): readonly SimilarNote[] =>
    similar
      .filter((one) => one.likeness === likeness)
      .toSorted((a, b) => b.share - a.share || (a.known.note.id < b.known.note.id ? -1 : 1))
      .map(({ known }) => ({ id: known.note.id, title: known.note.title }));
  return {
    same: similar.flatMap(({ likeness, known }) => (likeness === 'same' ? [known.note] : [])),
    near: similarOf('near').slice(0, maxNamed),
    against: similarOf('against').slice(0, maxNamed),
    lookedUpTo,
  };
};

/** Per search. */
const maxCandidates = 5;
const enoughWords = 4;
const maxQueryUnits = 80;
const maxNamed = 3;

type Known = { readonly note: IndexedNote; readonly body: string };
type Verdict = 'same' | 'near' | 'against' | 'apart';

type Fresh = NewNote & { readonly words: ReadonlySet<string>; readonly rules: readonly Statement[] };

/** `share` is the fraction of words that both have. */
const compare = (fresh: Fresh, { note, body }: Known): { readonly likeness: Verdict; readonly share: number } => {
  if (note.project === fresh.project && isSameText(fresh, { title: note.title, body }))
    return { likeness: 'same', share: 1 };
  const share = shareOf(fresh.words, contentWordsOf(textOf(note.title, body)));
  // An account of what happened isn't a statement that could be repeated or contradicted.
  if (note.type === 'episodic') return { likeness: 'apart', share };
  const rules = rulesOf(note.title, body);
  const isSomewhere = (wanted: Likeness): boolean =>
    fresh.rules.some((one) => rules.some((other) => compareStatements(one, other) === wanted));
  if (isSomewhere('opposite')) return { likeness: 'against', share };
  const isOneText = normaliseText(fresh.body) === normaliseText(body);
  const haveOneTitle = normaliseText(fresh.title) === normaliseText(note.title);
  const isRepeated = (isOneText && (haveOneTitle || body.trim() !== '')) || share >= nearShare;
  // One short fact with another value: too few words for their share to decide.
  const isShort = Math.max(fresh.body.length, body.length) <= maxFactUnits;
  const isNear = isRepeated || (isShort && isSomewhere('changed'));
  return { likeness: isNear ? 'near' : 'apart', share };
};

const maxFactUnits = 160;

const textOf = (title: string, body: string): string => `${title}. ${body.slice(0, maxComparedUnits)}`;
const maxComparedUnits = 2000;

const rulesOf = (title: string, body: string): readonly Statement[] =>
  parseStatements(`${title}\n${body.slice(0, maxRuleUnits)}`, maxRules);
const maxRuleUnits = 1500;
const maxRules = 16;
/** Checked by test/app/writing.test.ts: two notes about one thing that say different things stay below it. */
const nearShare = 0.6;
