/** Import into a store with the real file system, git and SQLite. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ImportAnswer, importNative } from '../../src/import/import-items.js';
import { importPath } from '../../src/import/importing.js';
import { idOfNative } from '../../src/import/native/native.js';
import { slugOf } from '../../src/import/native/native-note.js';
import type { Memory } from '../../src/store/memory.js';
import { openStore, type TestStore } from '../support/store.js';
import { newerFile, putFile, transcriptLine } from './native-support.js';
import { allNotes, countsOf, folderWith } from './support.js';

const newStore = (options: Parameters<typeof openStore>[0] = {}): TestStore => {
  const store = openStore(options);
  onTestFinished(() => store.close());
  return store;
};

const slug = '-nowhere-shop';
const place = `projects/${slug}/memory`;

const takeIn = (memory: Memory, claudeHome: string, claudeMd = false): Promise<ImportAnswer> =>
  importNative(memory, { claudeHome, userHome: '/home/nobody', claudeMd });

const eventKinds = async (memory: Memory): Promise<readonly string[]> =>
  (await memory.events({}, 100)).map(({ kind }) => kind);

describe('a folder with notes.jsonl', () => {
  const line = (id: string, project?: string): string => `${JSON.stringify({ id, title: id, body: 'B', project })}\n`;
  const lines = `${line('a')}${line('b', 'global')}${line('c', 'other')}`;

  it('and markdown is refused until its format is named', async () => {
    const { memory } = newStore();
    const folder = folderWith({ 'notes.jsonl': lines, 'page.md': '# Page\n' });
    expect(await importPath(memory, folder, { project: 'acme' })).toMatchObject({
      code: 'format-unclear',
      next: expect.stringMatching(/--from jsonl.*--from markdown/),
    });
    expect(await importPath(memory, folder, { project: 'acme', format: 'markdown' })).toMatchObject({
      answer: { status: 'recorded', counts: { imported: 1 } },
    });
  });

  it('and a readme is a set of notes; a given project applies to notes without one and to global ones', async () => {
    const { memory } = newStore();
    await importPath(memory, folderWith({ 'notes.jsonl': lines, 'README.md': '# About\n' }), { project: 'acme' });
    expect((await allNotes(memory)).map(({ title, project }) => [title, project]).toSorted()).toEqual([
      ['a', 'acme'],
      ['b', 'acme'],
      ['c', 'other'],
    ]);
  });

  it('keeps global notes when no project is given', async () => {
    const { memory } = newStore();
    await importPath(memory, folderWith({ 'notes.jsonl': line('b', 'global') }));
    expect((await allNotes(memory)).map(({ project }) => project)).toEqual(['global']);
  });
});

describe("import of Claude Code's own memory", () => {
  it('records it as one event, and nothing the second time', async () => {
    const { memory } = newStore();
    const home = folderWith({
      [`${place}/MEMORY.md`]: '- index',
      [`${place}/a.md`]: newerFile({ kind: 'feedback', description: 'First' }),
      [`${place}/b.md`]: newerFile({ kind: 'user', description: 'Second', body: 'About me.' }),
    });
    const first = await takeIn(memory, home);
    expect(first).toMatchObject({
      format: 'claude-code',
      problems: [],
      answer: {
        status: 'recorded',
        event: { kind: 'notes.imported' },
        counts: { imported: 2, updated: 0, skipped: 0 },
      },
    });
    expect(await allNotes(memory)).toMatchObject([
      {
        id: idOfNative(slug, 'a'),
        title: 'First',
        type: 'procedural',
        project: 'shop',
        prov_source: 'import',
        tags: ['import', 'kind:feedback'],
        body: 'Body.\n',
      },
      { id: idOfNative(slug, 'b'), title: 'Second', type: 'semantic', project: 'global', body: 'About me.\n' },
    ]);
    const again = await takeIn(memory, home);
    expect(again.answer).toMatchObject({ status: 'unchanged', event: undefined });
    expect(countsOf(again)).toEqual([0, 0, 2]);
    expect(await eventKinds(memory)).toEqual(['notes.imported']);
  });

  it('creates neither a store nor an event when there is nothing to import', async () => {
    const { memory, home } = newStore();
    expect(countsOf(await takeIn(memory, folderWith({})))).toEqual([0, 0, 0]);
    expect(countsOf(await takeIn(memory, '/nowhere/at/all'))).toEqual([0, 0, 0]);
    const damaged = await takeIn(memory, folderWith({ [`${place}/a.md`]: '' }));
    expect([countsOf(damaged), damaged.problems.length]).toEqual([[0, 0, 0], 1]);
    expect(existsSync(join(home, 'memory'))).toBe(false);
    expect(readdirSync(home)).toEqual([]);
  });

  it('notices a change of a file within one second to a text of the same length', async () => {
    const { memory } = newStore();
    const home = folderWith({ [`${place}/a.md`]: newerFile({ body: 'Old body.' }) });
    await takeIn(memory, home);
    putFile(home, `${place}/a.md`, newerFile({ body: 'New body.' }));
    expect(countsOf(await takeIn(memory, home))).toEqual([0, 1, 0]);
    expect((await allNotes(memory)).map(({ body }) => body)).toEqual(['New body.\n']);
  });

  it('keeps changes to its notes in the store: tags, projects, edits, forgetting', async () => {
    const { memory } = newStore();
    const names = ['tagged', 'moved', 'edited', 'gone'] as const;
    const home = folderWith({});
    const write = (more: string): void => {
      for (const name of names)
        putFile(home, `${place}/${name}.md`, newerFile({ description: name, body: `${name} ${more}` }));
    };
    write('first');
    await takeIn(memory, home);
    const idOf = (name: string): string => idOfNative(slug, name);
    await memory.perform({ kind: 'tag', id: idOf('tagged'), add: ['mine'], remove: ['import'] });
    await memory.perform({ kind: 'move', id: idOf('moved'), project: 'elsewhere' });
    await memory.perform({ kind: 'edit', id: idOf('edited'), set: { body: 'Corrected.' } });
    await memory.perform({ kind: 'forget', id: idOf('gone') });
    expect(countsOf(await takeIn(memory, home))).toEqual([0, 0, 4]);
    // A move counts as a change of the note; the files are newer than that.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    write('second');
    const second = await takeIn(memory, home);
    expect(countsOf(second)).toEqual([0, 1, 3]);
    expect(await allNotes(memory)).toMatchObject([
      { title: 'edited', body: 'Corrected.' },
      { title: 'moved', body: 'moved second\n', project: 'elsewhere' },
      { title: 'tagged', body: 'tagged first\n', tags: ['mine'] },
    ]);
  });

  it('does not forget a note when its file is missing', async () => {
    const { memory } = newStore();
    const home = folderWith({ [`${place}/a.md`]: newerFile({}) });
    await takeIn(memory, home);
    rmSync(join(home, place), { recursive: true });
    expect(countsOf(await takeIn(memory, home))).toEqual([0, 0, 0]);
    expect(await allNotes(memory)).toHaveLength(1);
  });

  it('agrees with another machine on the newer of two files of the same name', async () => {
    const { memory } = newStore();
    const laptop = folderWith({});
    const desktop = folderWith({});
    putFile(laptop, `${place}/a.md`, newerFile({ body: 'Of the laptop.' }), 1_780_000_000);
    putFile(desktop, `${place}/a.md`, newerFile({ body: 'Of the desktop.' }), 1_780_000_100);
    const counts = [];
    for (const home of [laptop, desktop, laptop, desktop]) counts.push(countsOf(await takeIn(memory, home)));
    expect(counts).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [0, 0, 1],
    ]);
    expect((await allNotes(memory)).map(({ body }) => body)).toEqual(['Of the desktop.\n']);
  });

  it('imports CLAUDE.md files when asked, the local ones for this machine only', async () => {
    const { memory } = newStore();
    const work = folderWith({ 'CLAUDE.md': 'Run the tests.\n', 'CLAUDE.local.md': 'Port 8081.\n' });
    const home = folderWith({
      'CLAUDE.md': 'Answer in English.\n',
      [`projects/${slugOf(work)}/s.jsonl`]: transcriptLine(work),
    });
    expect(countsOf(await takeIn(memory, home))).toEqual([0, 0, 0]);
    expect(countsOf(await takeIn(memory, home, true))).toEqual([3, 0, 0]);
    expect(countsOf(await takeIn(memory, home, true))).toEqual([0, 0, 3]);
    const scopes = (await allNotes(memory)).map(({ body, scope, type }) => [body, scope, type]);
    expect(scopes).toEqual([
      ['Port 8081.\n', 'machine-local', 'procedural'],
      ['Run the tests.\n', 'portable', 'procedural'],
      ['Answer in English.\n', 'portable', 'procedural'],
    ]);
  });

  it('records who asked', async () => {
    const { memory } = newStore();
    const claudeHome = folderWith({ [`${place}/a.md`]: newerFile({}) });
    await importNative(memory, { claudeHome, userHome: '/', claudeMd: false, asker: { agent: 'background' } });
    expect(await memory.events({}, 10)).toMatchObject([{ kind: 'notes.imported', agent: 'background' }]);
  });
});

describe('import from a path', () => {
  const takePath = async (memory: Memory, path: string, options = {}): Promise<ImportAnswer> => {
    const answer = await importPath(memory, path, options);
    if ('message' in answer) throw new Error(answer.message);
    return answer;
  };
  const database = (name: string, sql: string): string => {
    const file = join(folderWith({}), name);
    const opened = new Database(file);
    opened.exec(sql);
    opened.close();
    return file;
  };

  it.each<readonly [format: string, make: () => string]>([
    ['claude-code', () => folderWith({ [`${place}/a.md`]: 'A text.' })],
    [
      'claude-mem',
      () =>
        database(
          'claude-mem.db',
          "CREATE TABLE observations (id, project, title, created_at_epoch); INSERT INTO observations VALUES (1, 'p', 'T', 1777629600000)",
        ),
    ],
    [
      'claude-memory',
      () =>
        database(
          'memory.db',
          "CREATE TABLE memories (id, content, category, tags, expanded_keywords, importance, created_at); INSERT INTO memories VALUES (1, 'A text.', 'facts', 'a,b', 'c d', 0.7, '2026-01-01')",
        ),
    ],
    ['basic-memory', () => folderWith({ 'a.md': '---\ntitle: T\ntype: note\npermalink: t\n---\n- [fact] x' })],
    [
      'mcp-memory',
      () =>
        join(
          folderWith({ 'memory.jsonl': '{"type":"entity","name":"A","entityType":"x","observations":["b"]}' }),
          'memory.jsonl',
        ),
    ],
    ['markdown', () => folderWith({ 'a.md': 'A text.' })],
  ])('recognises %s, records it, and records nothing the second time', async (format, make) => {
    const { memory } = newStore();
    const path = make();
    const first = await takePath(memory, path);
    expect([first.format, countsOf(first)]).toEqual([format, [1, 0, 0]]);
    expect(countsOf(await takePath(memory, path))).toEqual([0, 0, 1]);
    expect(await eventKinds(memory)).toEqual(['notes.imported']);
    expect(countsOf(await takePath(memory, path, { format }))).toEqual([0, 0, 1]);
  });

  it('keeps importance, keywords and tags of claude-memory, and sets the given project', async () => {
    const { memory } = newStore();
    const file = database(
      'memory.db',
      "CREATE TABLE m (id, content, category, tags, expanded_keywords, importance); INSERT INTO m VALUES (1, 'Text.', 'gotchas', 'a', 'c d', 0.7)",
    );
    await takePath(memory, file, { project: 'shop' });
    expect(await allNotes(memory)).toMatchObject([
      { body: 'Text.\n', importance: 0.7, keywords: ['c', 'd'], tags: ['gotchas', 'a'], project: 'shop' },
    ]);
  });

  it('refuses unknown formats and missing paths', async () => {
    const { memory, home } = newStore();
    const unknown = join(folderWith({ 'a.db': 'no database' }), 'a.db');
    for (const path of [unknown, '/nowhere', folderWith({})]) {
      expect(await importPath(memory, path)).toMatchObject({ code: 'value-invalid' });
    }
    expect(await importPath(memory, folderWith({}), { format: 'claude-mem' })).toMatchObject({
      message: expect.stringContaining('there is no claude-mem.db'),
    });
    expect(readdirSync(home)).toEqual([]);
  });
});
