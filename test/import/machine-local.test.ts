/** Whatever a source marks as machine-local stays on this machine, in whatever form it is marked. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { moveNote } from '../../src/app/moving.js';
import { importNative } from '../../src/import/import-items.js';
import { importPath } from '../../src/import/importing.js';
import type { Memory } from '../../src/store/memory.js';
import { newMachines } from '../support/machines.js';
import { openStore, personsGit } from '../support/store.js';
import { allNotes, countsOf, folderWith, noteText, put, takeIn } from './support.js';

const newStore = (): Memory => {
  const store = openStore();
  onTestFinished(() => store.close());
  return store.memory;
};

const id = '01JC0000000000000000000000';
const page = (scope: string, body = 'PRIVATE text.'): string => `---\ntitle: A page\n${scope}\n---\n${body}\n`;
const local = 'scope: machine-local';

const filesIn = (memory: Memory, journal: 'portable' | 'local'): readonly string[] =>
  readdirSync(memory.journals[journal].folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('.git') && name.endsWith('.md'),
  );
const scopes = async (memory: Memory): Promise<readonly string[]> => {
  const notes = await allNotes(memory);
  await memory.finish();
  expect(filesIn(memory, 'local')).toHaveLength(notes.filter(({ scope }) => scope === 'machine-local').length);
  return notes.map(({ scope }) => scope);
};

const database = (name: string, sql: string): string => {
  const file = join(folderWith({}), name);
  const opened = new Database(file);
  opened.exec(sql);
  opened.close();
  return file;
};
const fileWith = (name: string, text: string): string => join(folderWith({ [name]: text }), name);

describe('an import of a source that states scope: machine-local', () => {
  it.each([
    ['a markdown file', () => fileWith('a.md', page(local))],
    ['a note of another store, alone', () => fileWith('a.md', noteText(id, 'semantic', `${local}\n`))],
    ['a folder', () => folderWith({ 'a.md': page(local) })],
    ['quoted keys', () => folderWith({ 'a.md': page('"scope": "machine-local"') })],
    ['another case', () => folderWith({ 'a.md': page('Scope: Machine-Local') })],
    ['front matter that is not YAML', () => folderWith({ 'a.md': page(`what: a: b\n${local}`) })],
    ['a line of JSONL', () => fileWith('a.jsonl', '{"id":"1","title":"A","body":"b","scope":"machine-local"}\n')],
    [
      'metadata in JSONL',
      () => fileWith('a.jsonl', '{"id":"1","title":"A","body":"b","metadata":{"scope":"machine-local"}}\n'),
    ],
    ['JSONL in capitals', () => fileWith('a.jsonl', '{"id":"1","title":"A","body":"b","Scope":"Machine-Local"}\n')],
    ['JSONL with a list', () => fileWith('a.jsonl', '{"id":"1","title":"A","body":"b","scope":["machine-local"]}\n')],
    ['metadata of a markdown file', () => folderWith({ 'a.md': page(`metadata:\n  ${local}`) })],
    ['a list of one', () => folderWith({ 'a.md': page('scope:\n  - machine-local') })],
    [
      'a list of one in brackets, in front matter that is not YAML',
      () => folderWith({ 'a.md': page('what: a: b\nscope: [machine-local]') }),
    ],
    [
      'a store, with a list',
      () => folderWith({ [`memory/semantic/00/${id}.md`]: noteText(id, 'semantic', 'scope: [machine-local]\n') }),
    ],
    ['basic-memory', () => folderWith({ 'a.md': page(`type: note\npermalink: a\n${local}`) })],
    [
      'mcp-memory',
      () =>
        fileWith(
          'memory.jsonl',
          '{"type":"entity","name":"A","entityType":"x","observations":["b"],"scope":"machine-local"}',
        ),
    ],
    [
      'claude-mem',
      () =>
        database(
          'claude-mem.db',
          "CREATE TABLE observations (id, project, title, scope, created_at_epoch); INSERT INTO observations VALUES (1, 'p', 'T', 'machine-local', 1777629600000)",
        ),
    ],
    [
      'claude-memory',
      () =>
        database(
          'memory.db',
          "CREATE TABLE memories (id, content, category, tags, expanded_keywords, importance, scope); INSERT INTO memories VALUES (1, 'A text.', 'facts', 'a', 'c', 0.7, 'machine-local')",
        ),
    ],
    ['Claude Code', () => folderWith({ 'projects/-x/memory/a.md': page(local) })],
    ['Claude Code, in its metadata', () => folderWith({ 'projects/-x/memory/a.md': page(`metadata:\n  ${local}`) })],
    ['a store', () => folderWith({ [`memory/semantic/00/${id}.md`]: noteText(id, 'semantic', `${local}\n`) })],
    ['a store of one journal', () => folderWith({ [`semantic/00/${id}.md`]: noteText(id, 'semantic', `${local}\n`) })],
  ])('makes a machine-local note: %s', async (_, make) => {
    const memory = newStore();
    const answer = await importPath(memory, make());
    expect(answer).toMatchObject({ answer: { status: 'recorded', counts: { imported: 1, machineLocal: 1 } } });
    expect(await scopes(memory)).toEqual(['machine-local']);
  });

  it('keeps each part of a long page on this machine', async () => {
    const memory = newStore();
    const parts = ['One', 'Two', 'Three'].map((title) => `# ${title}\n\n${'Words of it. '.repeat(400)}\n`).join('\n');
    await takeIn(memory, folderWith({ 'a.md': page(local, parts) }));
    expect(await scopes(memory)).toEqual(['machine-local', 'machine-local', 'machine-local', 'machine-local']);
  });

  it('keeps CLAUDE.md files that state it on this machine', async () => {
    const memory = newStore();
    const claudeHome = folderWith({ 'CLAUDE.md': page(local) });
    await importNative(memory, { claudeHome, userHome: '/home/nobody', claudeMd: true });
    expect(await scopes(memory)).toEqual(['machine-local']);
  });

  it('leaves other files portable', async () => {
    const memory = newStore();
    const folder = folderWith({
      'a.md': page(local),
      'b.md': page('scope: portable', 'B.'),
      'c.md': page('scope: team', 'C.'),
      'd.md': `# About scopes\n\nA note that stays here says\n\n    ${local}\n`,
    });
    const { answer } = await takeIn(memory, folder);
    expect(answer).toMatchObject({ counts: { imported: 4, machineLocal: 1 } });
    expect((await scopes(memory)).toSorted()).toEqual(['machine-local', 'portable', 'portable', 'portable']);
  });

  it('publishes nothing of it with the next sync', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    await takeIn(a, folderWith({ 'a.md': page(local), 'b.md': page('tags: []', 'Public.') }));
    await machines.sync(a);
    const published = personsGit(join(machines.folder, 'remote.git'), 'log', '-p', '--all', '--format=%B');
    expect(published).toContain('Public.');
    expect(published).not.toContain('PRIVATE');
  });

  it('warns with the command that publishes the note, and already in a dry run', async () => {
    const memory = newStore();
    const folder = folderWith({ 'a.md': page(local), 'b.md': page('tags: []', 'Public.') });
    const dry = await takeIn(memory, folder, { dryRun: true });
    expect(dry.planned?.map(({ scope }) => scope)).toEqual(['machine-local', 'portable']);
    expect(dry.answer).toMatchObject({
      counts: { imported: 2, machineLocal: 1 },
      warnings: ['1 note machine-local, kept on this machine; to publish: --scope portable'],
    });
    const { answer } = await takeIn(memory, folder);
    const note = (await allNotes(memory)).find(({ scope }) => scope === 'machine-local');
    expect(answer).toMatchObject({
      warnings: [`1 note machine-local, kept on this machine; to publish: anamnesis move ${note?.id} --scope portable`],
    });
    expect((await takeIn(memory, folder)).answer).toMatchObject({ status: 'unchanged', warnings: [] });
  });

  it('updates the note in the journal where it is', async () => {
    const memory = newStore();
    const folder = folderWith({ 'a.md': page(local) });
    await takeIn(memory, folder);
    put(folder, 'a.md', page('tags: []', 'Another text.'));
    expect(countsOf(await takeIn(memory, folder))).toEqual([0, 1, 0]);
    expect(await scopes(memory)).toEqual(['machine-local']);
  });

  it('updates no portable note with a machine-local text, and warns', async () => {
    const memory = newStore();
    const folder = folderWith({ 'a.md': page('tags: []', 'Public.') });
    await takeIn(memory, folder);
    put(folder, 'a.md', page(local));
    const dry = await takeIn(memory, folder, { dryRun: true });
    expect(dry.planned).toMatchObject([{ change: 'portable', scope: 'portable' }]);
    const again = await takeIn(memory, folder);
    expect(countsOf(again)).toEqual([0, 0, 1]);
    const [note] = await allNotes(memory);
    expect(note).toMatchObject({ scope: 'portable', body: 'Public.\n' });
    expect(again.answer).toMatchObject({
      warnings: [
        `1 note portable here but machine-local by the source, left alone; to keep one on this machine: anamnesis move ${note?.id} --scope machine-local, and import again`,
      ],
    });
    await moveNote(memory, note?.id ?? '', { scope: 'machine-local' });
    expect(await scopes(memory)).toEqual(['machine-local']);
  });

  it('leaves a portable note alone when its file in another store becomes machine-local', async () => {
    const memory = newStore();
    const path = `memory/semantic/00/${id}.md`;
    const folder = folderWith({ [path]: noteText(id, 'semantic') });
    await importPath(memory, folder);
    writeFileSync(join(folder, path), noteText(id, 'semantic', `${local}\nupdated_at: 2026-01-01T00:00:00+00:00\n`));
    expect(await importPath(memory, folder)).toMatchObject({
      answer: { status: 'unchanged', warnings: [expect.stringContaining('portable here')] },
    });
    expect(await scopes(memory)).toEqual(['portable']);
  });
});

describe('an import with a scope', () => {
  it('publishes a machine-local source when told to', async () => {
    const memory = newStore();
    const { answer } = await takeIn(memory, folderWith({ 'a.md': page(local) }), { scope: 'portable' });
    expect(answer).toMatchObject({ warnings: [] });
    const [note] = await allNotes(memory);
    expect(note?.scope).toBe('portable');
    await memory.finish();
    expect(readFileSync(note?.path ?? '', 'utf8')).toContain('\nscope: portable\n');
  });

  it('keeps all notes on this machine when told to', async () => {
    const memory = newStore();
    await takeIn(memory, folderWith({ 'a.md': page('tags: []') }), { scope: 'machine-local' });
    expect(await scopes(memory)).toEqual(['machine-local']);
  });

  it('keeps the notes of another store on this machine too', async () => {
    const memory = newStore();
    const folder = folderWith({ [`memory/semantic/00/${id}.md`]: noteText(id, 'semantic', 'scope: portable\n') });
    await importPath(memory, folder, { scope: 'machine-local' });
    const [note] = await allNotes(memory);
    expect(await scopes(memory)).toEqual(['machine-local']);
    expect(readFileSync(note?.path ?? '', 'utf8')).toContain('\nscope: machine-local\n');
    expect(await importPath(memory, folder, { scope: 'machine-local' })).toMatchObject({
      answer: { status: 'unchanged', warnings: [] },
    });
  });

  it('publishes the machine-local notes of another store, as its dry run says', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    const folder = folderWith({ [`local/semantic/00/${id}.md`]: noteText(id, 'semantic', `${local}\n`) });
    const dry = await importPath(a, folder, { dryRun: true });
    expect(dry).toMatchObject({ answer: { warnings: [expect.stringContaining('to publish: --scope portable')] } });
    expect(await importPath(a, folder, { dryRun: true, scope: 'portable' })).toMatchObject({
      planned: [{ scope: 'portable', change: 'imported' }],
    });
    expect(await importPath(a, folder, { scope: 'portable' })).toMatchObject({
      answer: { status: 'recorded', warnings: [] },
    });
    await machines.sync(a);
    const published = personsGit(join(machines.folder, 'remote.git'), 'log', '-p', '--all', '--format=%B');
    expect(published).toContain('+scope: portable');
  });
});
