/** Makes eval cases from a store's notes and its trace. They count once a person has approved them. */
import { appendFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Fault } from '../events/faults.js';
import { maskText } from '../events/note/mask-text.js';
import { randomFrom } from '../projections/eval/compare.js';
import { type IndexedNote, listNotes } from '../projections/index/query.js';
import type { Memory } from '../store/memory.js';
import { readTrace, type TraceLine } from '../store/trace-file.js';
import { askByRule, type RuleType, ruleTypes } from './case-rules.js';
import { EvalRunCase } from './eval-case-schema.js';
import { evalFolderOf, readLines } from './eval-sets.js';
import { evaluate } from './evaluating.js';

export const caseTypes = [...ruleTypes, 'trace'] as const;
export type CaseType = (typeof caseTypes)[number];

export type BuildAsked = {
  readonly types?: readonly CaseType[] | undefined;
  readonly n: number;
  readonly seed: number;
  /** By default memory/eval/built.jsonl. */
  readonly file?: string | undefined;
};

export type BuiltCases = {
  readonly file: string;
  readonly cases: readonly BuiltCase[];
  /** How many of these have their note first in a search by words already: they can show only what gets worse. */
  readonly first: number;
  /** Kinds that gave no case, and why. */
  readonly without: readonly { readonly type: CaseType; readonly reason: string }[];
};

export type BuiltCase = {
  readonly query: string;
  readonly relevant_ids: readonly string[];
  readonly approved: false;
  /** `rule` or `trace`. */
  readonly source: string;
  readonly category: CaseType;
  readonly note_titles: readonly string[];
  readonly project: string;
};

/** Appends to the file, except questions that it already has. Throws Fault 'eval-file-unwritable'. */
export const buildCases = async (memory: Memory, asked: BuildAsked): Promise<BuiltCases> => {
  if (!memory.exists()) throw new Fault('eval-set-missing', 'there are no notes to ask about', 'write some first');
  const file = asked.file ?? join(evalFolderOf(memory), 'built.jsonl');
  if (asked.file === undefined) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  checkFile(file);
  const known = new Set(existsSync(file) ? readLines(file, (value) => EvalRunCase.parse(value)).map(keyOf) : []);
  const made = await askAll(memory, { ...asked, types: asked.types ?? caseTypes }, known);
  const cases = made.cases.slice(0, asked.n);
  if (cases.length > 0) appendFileSync(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return { file, cases, first: await countFirst(memory, cases), without: made.without };
};

/** Called before anything is asked, so that the work doesn't end in a mistyped path. */
const checkFile = (file: string): void => {
  const folder = statSync(dirname(resolve(file)), { throwIfNoEntry: false });
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  if (folder?.isDirectory() === true && !isFolder) return;
  const why = isFolder ? 'it is a folder' : 'its folder does not exist';
  throw new Fault('eval-file-unwritable', `${file} can't be written: ${why}`, 'give a file in a folder that exists');
};

const countFirst = async (memory: Memory, cases: readonly BuiltCase[]): Promise<number> => {
  if (cases.length === 0) return 0;
  const asked = cases.map((one) => ({
    ...one,
    relevant_ids: [...one.relevant_ids],
    note_titles: [...one.note_titles],
  }));
  const { report } = await evaluate(memory, asked, { includeUnreviewed: true });
  return Math.round(report.metrics.hit[1] * cases.length);
};

const keyOf = ({ query, project }: { readonly query: string; readonly project?: string | undefined }): string =>
  JSON.stringify([query, project ?? null]);

type ReadNote = { readonly note: IndexedNote; readonly body: string };

/** Each kind in turn asks about the next note, so that all kinds get about the same number of cases. */
const askAll = async (
  memory: Memory,
  { types, n, seed }: BuildAsked & { readonly types: readonly CaseType[] },
  known: Set<string>,
): Promise<Pick<BuiltCases, 'cases' | 'without'>> => {
  const notes = shuffled(await memory.liveIndex.ask(askable), seed);
  const texts = memory.texts;
  const byType = new Map<CaseType, readonly BuiltCase[]>();
  const isNew = (one: BuiltCase): boolean => {
    if (known.has(keyOf(one))) return false;
    known.add(keyOf(one));
    return true;
  };
  const rules = ruleTypes.filter((type) => types.includes(type));
  const used = new Set<string>();
  for (let at = 0; at < notes.length && rules.some((type) => countOf(byType, type) < n); at += chunk) {
    for (const read of await texts.read(notes.slice(at, at + chunk))) {
      // The kind with the fewest cases so far goes first, because a note is asked about only once.
      const order = rules.toSorted((a, b) => countOf(byType, a) - countOf(byType, b));
      for (const type of order) {
        const one = byRule(type, read, seed);
        if (one === undefined || used.has(read.note.id) || countOf(byType, type) >= n || !isNew(one)) continue;
        used.add(read.note.id);
        byType.set(type, [...(byType.get(type) ?? []), one]);
        break;
      }
    }
  }
  if (types.includes('trace')) {
    const titled = new Map(notes.map((note) => [note.id, note]));
    byType.set('trace', fromTrace(readTrace(memory.settings.home), titled).filter(isNew));
  }
  const without = types
    .filter((type) => countOf(byType, type) === 0)
    .map((type) => ({ type, reason: reasonOf(type, notes.length) }));
  return { cases: interleave(types.map((type) => byType.get(type) ?? [])), without };
};

const chunk = 50;

const countOf = (byType: ReadonlyMap<CaseType, readonly BuiltCase[]>, type: CaseType): number =>
  byType.get(type)?.length ?? 0;

/** Excludes machine-local and sensitive notes: a file of cases is shared. */
const askable = (database: Parameters<typeof listNotes>[0]): readonly IndexedNote[] =>
  listNotes(database, { scope: 'portable' }, -1).notes.filter(
    ({ supersededBy, expiresAt, sensitive, type }) =>
      supersededBy === undefined && expiresAt === undefined && !sensitive && type !== 'episodic',
  );

const shuffled = (notes: readonly IndexedNote[], seed: number): readonly IndexedNote[] => {
  const random = randomFrom(seed);
  return notes
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((note) => ({ note, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ note }) => note);
};

const caseOf = (note: IndexedNote, category: CaseType, query: string, source: string): BuiltCase => ({
  query,
  relevant_ids: [note.id],
  approved: false,
  source,
  category,
  note_titles: [note.title],
  project: note.project,
});

const byRule = (type: RuleType, { note, body }: ReadNote, seed: number): BuiltCase | undefined => {
  const query = askByRule(type, { title: note.title, body }, seed);
  return query === undefined ? undefined : caseOf(note, type, query, 'rule');
};

/** Makes a case of each search after which one of its notes was opened: that note was looked for. */
const fromTrace = (lines: readonly TraceLine[], notes: ReadonlyMap<string, IndexedNote>): readonly BuiltCase[] =>
  lines.flatMap((line, at): readonly BuiltCase[] => {
    if (line.by !== 'search' || line.query === undefined || line.query.includes('…')) return [];
    // Skips queries with a secret: the trace masks by simpler rules, and earlier versions of it by fewer.
    if (maskText(line.query) !== line.query) return [];
    const given = new Set(line.notes.map(([id]) => id));
    for (const next of lines.slice(at + 1, at + 1 + maxLinesAfter)) {
      if (next.session !== line.session || next.atMs - line.atMs > soonMs) continue;
      if (next.by === 'search') return [];
      const id = next.by === 'open' ? next.notes[0]?.[0] : undefined;
      if (id === undefined || !given.has(id)) continue;
      // Only the first opened note counts, even if it is one that must not be asked about.
      const note = notes.get(id);
      return note === undefined ? [] : [caseOf(note, 'trace', line.query, 'trace')];
    }
    return [];
  });

const maxLinesAfter = 200;
const soonMs = 600_000;

const reasonOf = (type: CaseType, notes: number): string => {
  if (notes === 0) return 'there is no note to ask about';
  return type === 'trace'
    ? 'no search in the trace was followed by opening one of its notes'
    : 'no note allows such a question';
};

const interleave = <Item>(lists: readonly (readonly Item[])[]): readonly Item[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();
