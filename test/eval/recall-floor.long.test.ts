import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everydayPrompts } from '../../src/eval/everyday-prompts.js';
import { shownTitle } from '../../src/events/note/note.js';
import { hitAt, mean } from '../../src/projections/eval/metrics.js';
import { beginGeneration } from '../../src/projections/new-generation.js';
import { type NoteRow, wordsOfRow } from '../../src/projections/note-row.js';
import { measureIfDue } from '../../src/projections/recall/calibrating.js';
import { type RecallHit, recallNotes } from '../../src/projections/recall/recall.js';
import { storeThresholds } from '../../src/projections/recall/thresholds.js';
import { beginFold, makeIndexes } from '../../src/projections/registry.js';
import { searchNotes } from '../../src/projections/search/search.js';

const shared = join(process.cwd(), '../shared/eval');
const missing = !existsSync(shared);
const needs = missing ? ' (skipped: needs ../shared/eval)' : '';
const names = missing ? [] : readdirSync(shared).filter((name) => existsSync(join(shared, name, 'cases.jsonl')));

type Case = { readonly query: string; readonly relevant: readonly string[]; readonly project: string };
type SetNote = Pick<NoteRow, 'id' | 'title' | 'body' | 'tags' | 'project'>;

const rowOf = ({ id, title, body, tags, project }: SetNote): NoteRow => ({
  journal: 'portable',
  path: `${id}.md`,
  blob: id,
  id,
  type: 'semantic',
  title: shownTitle({ title, body }),
  project,
  machineId: 'test',
  userId: 'self',
  workspaceId: 'personal',
  source: 'import',
  confidence: 1,
  model: null,
  session: null,
  createdAt: 0,
  updatedAt: 0,
  expiresAt: null,
  agent: null,
  importance: null,
  sensitive: 0,
  untrusted: 0,
  sourceKey: null,
  tags,
  keywords: [],
  supersedes: [],
  proposes: [],
  conflictsWith: null,
  body,
  ...wordsOfRow({ title: shownTitle({ title, body }), body, tags, keywords: [] }),
});

const readLines = <Line>(name: string, file: string): readonly Line[] =>
  readFileSync(join(shared, name, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Returns at most `most` items, spread evenly over the list. */
const sample = <Item>(items: readonly Item[], most: number): readonly Item[] =>
  items.length <= most
    ? items
    : Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)]!);

/** Two sets cut the same dialogues differently, so the queries of one are not noise for the other. */
const sourceOf = (name: string): string => name.replace(/-(?:sessions|turns)$/, '');

const transcripts = join(process.cwd(), '../shared/transcripts');

/** Reads the prompts that people typed in real sessions, and those of a main session to its subagents. */
const typedPrompts = (): readonly string[] => {
  if (!existsSync(transcripts)) return [];
  const lines = readdirSync(transcripts)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(join(transcripts, name), 'utf8').split('\n'));
  const prompts = lines.flatMap((line): string | readonly string[] => {
    if (!line.startsWith('{') || !line.includes('"type":"user"') || line.includes('"isMeta":true')) return [];
    try {
      const { content } = JSON.parse(line).message;
      return typeof content === 'string' ? content : content.flatMap((part: { text?: string }) => part.text ?? []);
    } catch {
      return [];
    }
  });
  return [...new Set(prompts)].filter((prompt) => !/^\s*$|^<[a-z]|^\[|^Caveat|^This session/.test(prompt));
};
const typed = typedPrompts();

describe.skipIf(missing)(`auto-recall on the public sets${needs}`, () => {
  const folder = missing ? '' : mkdtempSync(join(tmpdir(), 'anamnesis-floor-'));
  const open: Database.Database[] = [];
  afterAll(() => {
    for (const database of open) database.close();
    if (!missing) rmSync(folder, { recursive: true, force: true });
  });

  /** Builds an index without a journal; the notes have the ids of the set. */
  const indexOf = (name: string): Database.Database => {
    const { database } = beginGeneration(join(folder, name));
    open.push(database);
    database.exec('BEGIN');
    const fold = beginFold(database, 'replay');
    for (const note of readLines<SetNote>(name, 'notes.jsonl')) fold.insert({ note: rowOf(note) });
    makeIndexes(database);
    fold.finish();
    database.exec('COMMIT');
    const measured = measureIfDue(database);
    if (measured !== undefined) storeThresholds(database, measured);
    return database;
  };

  const sets = names.map((name) => {
    const cases = readLines<Case>(name, 'cases.jsonl');
    return { name, cases, projects: [...new Set(cases.map(({ project }) => project))].sort() };
  });

  /** Measures hit@5 of search and recall for the set's own queries, and how many other prompts get a note. */
  const measureSet = ({ name, cases, projects }: (typeof sets)[number]) => {
    const database = indexOf(name);
    const recall = (text: string, project: string, exclude: readonly string[] = []): readonly RecallHit[] =>
      recallNotes(database, { text, project, k: 5, nowSeconds: 0, exclude: new Set(exclude) }).notes;
    const own = sample(cases, 400).map(({ query, relevant, project }) => {
      const { hits } = searchNotes(database, { text: query, filter: { project }, k: 5, nowSeconds: 0 });
      const recalled = recall(query, project).map(({ note }) => note.id);
      return {
        search: hitAt(5)({ relevant, ranked: hits.map(({ note }) => note.id) }),
        recall: hitAt(5)({ relevant, ranked: recalled }),
        shown: recalled.length,
        unanswered: recall(query, project, relevant).length > 0 ? 1 : 0,
        right: recalled.filter((id) => relevant.includes(id)).length,
      };
    });
    const shareOfPrompts = (prompts: readonly string[]): number =>
      mean(prompts.map((prompt, at) => (recall(prompt, projects[at % projects.length] ?? '').length > 0 ? 1 : 0)));
    const foreign = sets
      .filter((other) => sourceOf(other.name) !== sourceOf(name))
      .flatMap((other) => sample(other.cases, 40).map(({ query }) => query));
    return {
      unanswered: mean(own.map(({ unanswered }) => unanswered)),
      hit: mean(own.map(({ recall: found }) => found)),
      kept: mean(own.map(({ recall: found }) => found)) / mean(own.map(({ search }) => search)),
      precision: mean(own.map(({ right }) => right)) / mean(own.map(({ shown }) => shown)),
      foreign: shareOfPrompts(foreign),
      everyday: shareOfPrompts(everydayPrompts),
      typed: shareOfPrompts(typed),
    };
  };
  const measured: ReturnType<typeof measureSet>[] = [];
  beforeAll(() => {
    measured.push(...sets.map(measureSet));
  }, 600_000);

  it('shows the right note for three of four queries', () => {
    expect(mean(measured.map(({ hit }) => hit))).toBeGreaterThanOrEqual(0.76);
  });

  it('keeps nearly nine tenths of what search finds on average, and five eighths on each set', () => {
    const kept = measured.map((set) => set.kept);
    expect(mean(kept)).toBeGreaterThanOrEqual(0.89);
    expect(Math.min(...kept)).toBeGreaterThanOrEqual(5 / 8);
  });

  it('shows a relevant note in one of three places', () => {
    expect(mean(measured.map(({ precision }) => precision))).toBeGreaterThanOrEqual(0.33);
  });

  it('stays silent for all but a few questions about something else', () => {
    expect(mean(measured.map(({ foreign }) => foreign))).toBeLessThanOrEqual(0.04);
  });

  it('stays silent for a third of the questions whose subject is in the notes but whose answer is not', () => {
    expect(mean(measured.map(({ unanswered }) => unanswered))).toBeLessThanOrEqual(0.66);
  });

  it.skipIf(typed.length === 0)('stays silent for all but a few prompts of real sessions', () => {
    expect(mean(measured.map((set) => set.typed))).toBeLessThanOrEqual(0.06);
  });

  it('stays silent for 98 of 100 everyday prompts', () => {
    expect(mean(measured.map((set) => set.everyday))).toBeLessThanOrEqual(0.02);
  });
});
