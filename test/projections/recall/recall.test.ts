import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ForeignNote } from '../../../src/commands/foreign-note.js';
import { importPath } from '../../../src/import/importing.js';
import { type RecallHit, type RecallQuery, recallNotes } from '../../../src/projections/recall/recall.js';
import { readThresholds, wordsRule } from '../../../src/projections/recall/thresholds.js';
import { anyText } from '../../support/arbitraries.js';
import { corpusNotes } from '../../support/corpus-notes.js';
import { processorMs } from '../../support/processor-time.js';
import { openStore, type TestStore, writeCommand, writeNote } from '../../support/store.js';

const nowSeconds = Math.floor(Date.UTC(2026, 10, 21) / 1000);

const recall = (store: TestStore, text: string, query: Partial<RecallQuery> = {}): Promise<readonly RecallHit[]> =>
  store.memory.liveIndex.ask(
    (database) =>
      recallNotes(database, { text, project: 'shop', k: 5, nowSeconds, exclude: new Set(), ...query }).notes,
  );

const titlesOf = (recalled: readonly RecallHit[]): readonly string[] => recalled.map(({ note }) => note.title);

const question = 'why does pgbouncer time out in transaction mode?';
const answerNote = {
  title: 'Pgbouncer runs in transaction mode',
  body: 'Prepared statements fail behind it, and idle transactions time out after 30 s.\n',
  project: 'shop',
};

/** Makes a note with the same words as the others; its id follows from `at`. */
const foreignNote = (at: number, days: number): ForeignNote => ({
  sourceKey: `jsonl:test/${at}`,
  title: 'Pgbouncer transaction mode',
  body: '',
  tags: [],
  keywords: [],
  project: 'shop',
  type: undefined,
  createdAtMs: Date.UTC(2026, 0, 1),
  updatedAtMs: Date.UTC(2026, 0, 1 + days),
});

describe('recallNotes', () => {
  let store: TestStore;
  beforeEach(() => {
    store = openStore();
  });
  afterEach(() => store.close());

  const write = (...titles: readonly string[]): Promise<readonly unknown[]> =>
    Promise.all(titles.map((title) => store.memory.submit(writeCommand({ title, body: '', project: 'shop' }))));

  it('recalls the note that a prompt is about, with the words that it shares with it', async () => {
    await write('Invoices are rounded per line', 'Images are resized at upload', 'Tokens expire after an hour');
    const { id } = await writeNote(store.memory, answerNote);
    const [first, ...others] = await recall(store, question);
    expect(others).toEqual([]);
    expect(first?.note.id).toBe(id);
    expect(first?.words).toEqual(['pgbouncer', 'time', 'transaction', 'mode']);
    expect(first?.relevance).toBeGreaterThanOrEqual(wordsRule.usual.sure);
    expect(first?.relevance).toBeLessThan(1);
    expect(first?.score).toBeGreaterThan(0);
  });

  it('recalls nothing from an empty index', async () => {
    await writeNote(store.memory, { project: 'other' });
    expect(await recall(store, question)).toEqual([]);
  });

  it('recalls notes of the project and of global, but of no other project', async () => {
    for (const project of ['shop', 'global', 'bank', 'shop/api', 'SHOP']) {
      await writeNote(store.memory, { ...answerNote, title: `Pgbouncer transaction mode in ${project}`, project });
    }
    const projects = async (project: string) =>
      (await recall(store, question, { project })).map(({ note }) => note.project).sort();
    expect(await projects('shop')).toEqual(['global', 'shop']);
    expect(await projects('bank')).toEqual(['bank', 'global']);
    expect(await projects('global')).toEqual(['global']);
    expect(await projects("shop' OR 1=1 --")).toEqual(['global']);
  });

  it('finds a note of a small project by words that are common elsewhere', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        store.memory.submit(writeCommand({ title: `Pgbouncer transaction mode ${at}`, body: '', project: 'bank' })),
      ),
    );
    const { id } = await writeNote(store.memory, answerNote);
    expect((await recall(store, question)).map(({ note }) => note.id)).toEqual([id]);
  });

  it('never returns a note that the session already has', async () => {
    const first = await writeNote(store.memory, answerNote);
    const second = await writeNote(store.memory, { ...answerNote, title: 'Pgbouncer and its transaction mode' });
    expect(await recall(store, question)).toHaveLength(2);
    const others = await recall(store, question, { exclude: new Set([first.id, "'", '']) });
    expect(others.map(({ note }) => note.id)).toEqual([second.id]);
    expect(await recall(store, question, { exclude: new Set([first.id, second.id]) })).toEqual([]);
  });

  it('returns the next best notes once the session has the best', async () => {
    const words = 'lease heartbeat worker renewal';
    await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        store.memory.submit(writeCommand({ title: words, body: `${at}\n`, project: 'shop' })),
      ),
    );
    const given = new Set<string>();
    for (let round = 0; round < 6; round += 1) {
      const recalled = await recall(store, words, { exclude: given });
      expect(recalled).toHaveLength(5);
      for (const { note } of recalled) given.add(note.id);
    }
    expect(given.size).toBe(30);
    expect(await recall(store, words, { exclude: given })).toEqual([]);
  });

  it('leaves out notes that are superseded, forgotten or expired', async () => {
    const older = await writeNote(store.memory, { ...answerNote, title: 'Pgbouncer in transaction mode, as of May' });
    const newer = await writeNote(store.memory, { ...answerNote, supersedes: [older.id] });
    const forgotten = await writeNote(store.memory, { ...answerNote, title: 'Pgbouncer transaction mode, wrong' });
    await store.memory.perform({ kind: 'forget', id: forgotten.id });
    const expiring = await writeNote(store.memory, {
      ...answerNote,
      title: 'Pgbouncer transaction mode until December',
      expiresAt: '2026-12-01T00:00:00+00:00',
    });
    const ids = async (now: number) =>
      (await recall(store, question, { nowSeconds: now })).map(({ note }) => note.id).sort();
    expect(await ids(nowSeconds)).toEqual([newer.id, expiring.id].sort());
    expect(await ids(nowSeconds + 86_400 * 30)).toEqual([newer.id]);
  });

  it('returns only the notes of a user or a workspace when access is restricted to it', async () => {
    await writeNote(store.memory, answerNote);
    expect(await recall(store, question, { access: { user: 'self', workspace: 'personal' } })).toHaveLength(1);
    expect(await recall(store, question, { access: { user: 'somebody' } })).toEqual([]);
    expect(await recall(store, question, { access: { workspace: 'office' } })).toEqual([]);
    expect(await recall(store, question, { access: { user: undefined } })).toHaveLength(1);
  });

  it('returns at most k notes, and none for k = 0', async () => {
    await write('Pgbouncer mode one', 'Pgbouncer mode two', 'Pgbouncer mode three');
    expect(await recall(store, question, { k: 2 })).toHaveLength(2);
    expect(await recall(store, question, { k: 0 })).toEqual([]);
    expect(await recall(store, question, { k: -1 })).toEqual([]);
  });

  it('ranks the note with more of the prompt first, and leaves out notes that fit less than half as well', async () => {
    await write(
      'Pgbouncer transaction mode and its time outs',
      'Pgbouncer transaction metrics',
      'Pgbouncer is installed by apt',
    );
    const recalled = await recall(store, question);
    expect(recalled[0]?.note.title).toBe('Pgbouncer transaction mode and its time outs');
    expect(titlesOf(recalled)).not.toContain('Pgbouncer is installed by apt');
    for (const { relevance } of recalled) expect(relevance).toBeGreaterThanOrEqual((recalled[0]?.relevance ?? 1) / 2);
  });

  it('returns equal notes newest first, then by id', async () => {
    const notes = [3, 1, 1, 2].map((days, at) => foreignNote(at, days));
    await store.memory.perform({ kind: 'import', from: 'test', notes, files: [] });
    const recalled = (await recall(store, question)).map(({ note }) => note);
    expect(recalled.map(({ updatedAt }) => updatedAt.slice(8, 10))).toEqual(['04', '03', '02', '02']);
    expect(recalled[2]!.id > recalled[3]!.id).toBe(true);
    expect((await recall(store, question)).map(({ note }) => note.id)).toEqual(recalled.map(({ id }) => id));
  });

  it('finds a run of Chinese characters by its pairs, whatever is written beside it', async () => {
    const { id } = await writeNote(store.memory, { title: '数据库连接池超时', body: '', project: 'shop' });
    for (const prompt of ['连接池 超时', '连接池超时怎么办', '数据库的连接池为什么超时'])
      expect((await recall(store, prompt)).map(({ note }) => note.id)).toEqual([id]);
    expect(await recall(store, '我们明天开会')).toEqual([]);
  });

  it('returns the same notes in the same order, whatever the order in which they were indexed', async () => {
    const notes = Array.from({ length: 16 }, (_, at) => foreignNote(at, at % 3));
    const other = openStore();
    try {
      await store.memory.perform({ kind: 'import', from: 'test', notes, files: [] });
      for (const note of notes.toReversed()) {
        await other.memory.submit({ kind: 'import', from: 'test', notes: [note], files: [] });
      }
      const [here, there] = await Promise.all([recall(store, question, { k: 12 }), recall(other, question, { k: 12 })]);
      expect(here).toHaveLength(12);
      expect(there.map(({ note }) => note.id)).toEqual(here.map(({ note }) => note.id));
      expect(there.map(({ relevance }) => relevance)).toEqual(here.map(({ relevance }) => relevance));
    } finally {
      await other.close();
    }
  });

  it('returns distinct, allowed and relevant notes, best first, for any prompt', async () => {
    const texts = fc.sample(anyText, { numRuns: 40, seed: 7 });
    const lineOf = (text: string): string =>
      text
        .replace(/[\0\n\r\u2028\u2029]/g, ' ')
        .trim()
        .slice(0, 100) || 'untitled';
    const answers = await Promise.all(
      texts.map((text, at) =>
        store.memory.submit(
          writeCommand({
            title: lineOf(text),
            body: `${texts[(at + 1) % 40]}\n`.replaceAll('\0', ''),
            project: at % 3 === 0 ? 'bank' : 'shop',
          }),
        ),
      ),
    );
    const ids = answers.flatMap((answer) => (answer.status === 'refused' ? [] : (answer.noteId ?? [])));
    const { sure } = await store.memory.liveIndex.ask(readThresholds);
    const given = new Set(ids.slice(0, 5));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(anyText, fc.constantFrom(...texts)), { maxLength: 6 }), async (parts) => {
        const recalled = await recall(store, parts.join(' '), { exclude: given });
        expect(recalled.length).toBeLessThanOrEqual(5);
        const relevances = recalled.map(({ relevance }) => relevance);
        expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
        expect(new Set(recalled.map(({ note }) => note.id)).size).toBe(recalled.length);
        for (const { note, relevance, words } of recalled) {
          expect(note.project).toBe('shop');
          expect(given.has(note.id)).toBe(false);
          expect(relevance).toBeGreaterThanOrEqual(sure);
          expect(relevance).toBeLessThan(1);
          expect(words.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});

describe('recall for any prompt', () => {
  let store: TestStore;
  let id = '';
  beforeAll(async () => {
    store = openStore();
    id = (await writeNote(store.memory, answerNote)).id;
  });
  afterAll(() => store.close());

  it.each<[what: string, prompt: string]>([
    ['FTS5 syntax', 'title:pgbouncer OR NEAR(transaction mode, 2) AND NOT ^time* {tags}: "'],
    ['quotes', '"pgbouncer" \'transaction\' ""mode"" “time”'],
    ['emoji between the words', '🚀 pgbouncer 👩‍💻 transaction 🔥 mode time'],
    ['accents', 'pgböuncer pgbouncer tránsaction mode'],
    ['capitals', 'PGBOUNCER TRANSACTION MODE'],
    ['other forms of the words', 'pgbouncers transactional modes timed'],
  ])('finds the note for a prompt with %s', async (_, prompt) => {
    expect((await recall(store, prompt)).map(({ note }) => note.id)).toEqual([id]);
  });

  it.each<[what: string, prompt: string]>([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['stop words', 'what is it that you have been doing here, and why?'],
    ['signs', '"""((( *** ^^^ ::: --- ;;; \\ \0 {}'],
    ['emoji', '🚀🔥'],
    ['Chinese about something else', '请重新运行测试并提交代码'],
    ['half a character', '\ud83d \udc69'],
    ['keys of every object', '__proto__ constructor toString hasOwnProperty'],
    ['one long word', 'x'.repeat(100_000)],
    ['a megabyte of lines', '2026-11-21T09:14:07Z ERROR [http] connection reset by peer\n'.repeat(18_000)],
  ])('returns nothing for %s, without an error', async (_, prompt) => {
    expect(await recall(store, prompt)).toEqual([]);
  });

  it('finds a question before or after a megabyte of lines', async () => {
    const lines = '2026-11-21 ERROR reset\n'.repeat(45_000);
    for (const prompt of [`${question}\n${lines}`, `${lines}\n${question}`]) {
      const start = processorMs();
      expect((await recall(store, prompt)).map(({ note }) => note.id)).toEqual([id]);
      expect(processorMs() - start).toBeLessThan(2000);
    }
  });
});

describe('recall from the notes of a team', () => {
  let store: TestStore;
  const projects: string[] = [];
  beforeAll(async () => {
    store = openStore();
    await importPath(store.memory, join(process.cwd(), 'examples/notes.jsonl'), { format: 'jsonl' });
    await store.memory.perform({ kind: 'import', from: 'corpus', notes: corpusNotes(400), files: [] });
    const rows = await store.memory.liveIndex.ask((database) =>
      database.prepare<[], { project: string }>('SELECT project FROM notes GROUP BY 1 ORDER BY count(*) DESC').all(),
    );
    projects.push(...rows.map(({ project }) => project));
  });
  afterAll(() => store.close());

  it.each([
    'yes',
    'go on',
    'continue',
    'fix it',
    'thanks',
    'ok, do it',
    'try again',
    'looks good, thanks!',
    'run the tests again',
    'commit this and push',
    'why is this failing?',
    'explain the code',
    'can you fix the failing test?',
    'please refactor this function',
    'add a test for that',
    'it still does not work',
    'show me what you changed',
    'undo the last change',
    'what should we do next?',
    'do the second option',
    'Implement 1, 2 and 3.',
    'is there a simpler way to do this?',
    'are you sure about that?',
    'lass die Tests noch einmal laufen',
    'bitte committen und pushen',
    'warum ist das falsch?',
    'mach weiter',
    'ja, bitte',
    'corrige cette erreur',
    "continue s'il te plaît",
    'merci, parfait',
  ])('returns nothing for "%s"', async (prompt) => {
    for (const project of projects.slice(0, 8)) expect(titlesOf(await recall(store, prompt, { project }))).toEqual([]);
  });

  it('finds the note for most pasted errors, and for half of all cases', async () => {
    const file = readFileSync(join(process.cwd(), 'examples/cases.jsonl'), 'utf8');
    const cases: { query: string; project: string; category: string; note_titles: string[] }[] = file
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const foundOf = new Map<string, boolean[]>();
    for (const { query, project, category, note_titles: wanted } of cases) {
      const titles = titlesOf(await recall(store, query, { project }));
      foundOf.set(category, [...(foundOf.get(category) ?? []), wanted.some((title) => titles.includes(title))]);
    }
    const share = (found: readonly boolean[]): number => found.filter((one) => one).length / found.length;
    expect(share(foundOf.get('error') ?? [])).toBeGreaterThan(0.75);
    expect(share([...foundOf.values()].flat())).toBeGreaterThan(0.5);
  });

  it('takes less than 50 ms of processor time per prompt', async () => {
    const prompts = [
      'why is the queue slow after the deploy?',
      `what about the cache? ${'again and again '.repeat(5000)}`,
    ];
    await recall(store, 'pgbouncer');
    const start = processorMs();
    for (let round = 0; round < 20; round += 1) for (const prompt of prompts) await recall(store, prompt);
    expect((processorMs() - start) / 40).toBeLessThan(50);
  });
});
