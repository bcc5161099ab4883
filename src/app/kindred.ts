/** Notes that a new note repeats, resembles or contradicts, told by words alone. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { areAgainst, rulesOf, shareOf, wordsOf } from '../agents/learn/similarity.js';
import { normaliseText, type Statement } from '../agents/learn/statement.js';
import type { WriteNote } from '../commands/write.js';
import { journalNames, type NoteId } from '../events/note/note.js';
import { redact } from '../events/note/redact.js';
import { eventOfCommand } from '../projections/history/query.js';
import type { IndexedNote } from '../projections/index/query.js';
import { searchNotes } from '../projections/search/search.js';
import type { Memory } from '../store/memory.js';
import { openNoteTexts } from '../store/note-texts.js';

export type NewNote = Omit<WriteNote, 'kind' | 'workspace'>;

export type KnownKin = { readonly id: NoteId; readonly title: string };

export type Kindred = {
  /** Says the same under the same title, in the same project and scope. */
  readonly same: (KnownKin & { readonly isTaggedSo: boolean }) | undefined;
  /** Says nearly the same; the nearest first. */
  readonly near: readonly KnownKin[];
  /** Says the opposite: what this one chooses it sets aside, or what it forbids this one asks for. */
  readonly against: readonly KnownKin[];
};

const noKin: Kindred = { same: undefined, near: [], against: [] };

/**
 * Looks at the best hits of the note's project and of the global one that this access sees: a store of 100,000 notes costs
 * no more than a search. `note.supersedes` are whole ids, and no kin: the writer knows them. None of a command that was
 * recorded before, which is answered by its event.
 */
export const findKindred = async (
  memory: Memory,
  note: NewNote,
  workspace: string | undefined,
  commandId: string | undefined,
): Promise<Kindred> => {
  if (!journalNames.some((name) => memory.journals[name].exists())) return noKin;
  // Of many writes at once each takes its turn, so that a server goes on answering between them.
  await nextTurn();
  const body = redact(note.body).text;
  const title = redact(note.title).text;
  const find = (database: Database.Database): readonly IndexedNote[] => {
    if (commandId !== undefined && eventOfCommand(database, commandId) !== undefined) return [];
    const nowSeconds = Math.floor(Date.now() / 1000);
    // Each word costs time in a large store, and the title of a note that says the same shares most of them.
    const text = title.split(/\s+/).length >= enoughWords ? title : `${title} ${body.slice(0, maxQueryUnits)}`;
    return [...new Set([note.project, 'global'])].flatMap((project) =>
      searchNotes(database, {
        text,
        filter: { project, workspace },
        k: maxCandidates,
        nowSeconds,
        rarerOnly: true,
      }).hits.map((hit) => hit.note),
    );
  };
  const candidates = memory.liveIndex.glance(find) ?? [];
  const others = candidates.filter(({ id }) => !note.supersedes.includes(id));
  if (others.length === 0) return noKin;
  const read = await openNoteTexts(memory.journals, () => undefined).read(others);
  const fresh = { ...note, title, body, words: wordsOf(textOf(title, body)), rules: rulesOf([title, body]) };
  const kin = read.map((known) => ({ known, ...compare(fresh, known) }));
  const of = (likeness: Likeness): readonly KnownKin[] =>
    kin
      .filter((one) => one.likeness === likeness)
      .toSorted((a, b) => b.share - a.share || (a.known.note.id < b.known.note.id ? -1 : 1))
      .map(({ known }) => ({ id: known.note.id, title: known.note.title }));
  const same = kin.find(({ likeness }) => likeness === 'same')?.known.note;
  return {
    same:
      same === undefined
        ? undefined
        : { id: same.id, title: same.title, isTaggedSo: note.tags.every((tag) => hasTag(same, tag)) },
    near: of('near').slice(0, maxNamed),
    against: of('against').slice(0, maxNamed),
  };
};

/** Of one search each. */
const maxCandidates = 5;
const enoughWords = 4;
const maxQueryUnits = 80;
const maxNamed = 3;

type Known = { readonly note: IndexedNote; readonly body: string };
type Likeness = 'same' | 'near' | 'against' | 'apart';

type Fresh = NewNote & { readonly words: ReadonlySet<string>; readonly rules: readonly Statement[] };

/** `share` of the words that both have. */
const compare = (fresh: Fresh, { note, body }: Known): { readonly likeness: Likeness; readonly share: number } => {
  const haveOneTitle = normaliseText(fresh.title) === normaliseText(note.title);
  const isOneText = normaliseText(fresh.body) === normaliseText(body);
  if (isOneText && haveOneTitle && note.project === fresh.project && note.scope === fresh.scope)
    return { likeness: 'same', share: 1 };
  const share = shareOf(fresh.words, wordsOf(textOf(note.title, body)));
  // An account of what happened isn't a statement that could be repeated or contradicted.
  if (note.type === 'episodic') return { likeness: 'apart', share };
  if (areAgainst(fresh.rules, rulesOf([note.title, body]))) return { likeness: 'against', share };
  const isNear = (isOneText && body.trim() !== '') || share >= nearShare;
  return { likeness: isNear ? 'near' : 'apart', share };
};

const textOf = (title: string, body: string): string => `${title}. ${body.slice(0, maxComparedUnits)}`;
const maxComparedUnits = 2000;
/** Held by test/app/writing.test.ts: two notes about one thing that say different things stay below it. */
const nearShare = 0.6;

const hasTag = ({ tags }: IndexedNote, tag: string): boolean =>
  tags.some((one) => one.toLowerCase() === tag.toLowerCase());
