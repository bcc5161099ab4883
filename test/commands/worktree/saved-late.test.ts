import { appendFileSync, closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bringBackSaves } from '../../../src/commands/worktree/saved-late.js';
import { openStore, type TestStore, temporaryFolder, writeNote } from '../../support/store.js';

let home = '';
let store: TestStore;
beforeEach(() => {
  home = temporaryFolder();
  store = openStore({ home });
});
afterEach(async () => {
  await store.close();
  rmSync(home, { recursive: true, force: true });
});

it('keeps a late save as an edit of its own version when its recovery is killed', async () => {
  const { memory } = store;
  const { id, path = '' } = await writeNote(memory, { body: 'one\n' });
  const program = openSync(path, 'a');
  await memory.perform({ kind: 'tag', id, add: ['since'], remove: [] });
  appendFileSync(program, 'late\n');
  closeSync(program);
  const inner = await memory.store();
  const killed = (): never => {
    throw new Error('killed');
  };
  const { portable: journal } = inner.journals;
  await expect(bringBackSaves({ ...inner, state: { ...inner.state, advance: killed } }, journal)).rejects.toThrow(
    'killed',
  );
  await memory.perform({ kind: 'tag', id, add: ['after'], remove: [] });
  const shown = await memory.show(id);
  expect(shown).toMatchObject({ answer: { body: 'one\nlate\n', tags: ['since', 'after'] } });
});

it('recovers what a program writes long after its file was replaced, even by an earlier process', async () => {
  const { memory } = store;
  const { id, path = '' } = await writeNote(memory, { body: 'one\n' });
  const program = openSync(path, 'a');
  await memory.perform({ kind: 'tag', id, add: ['since'], remove: [] });
  await store.close();
  store = openStore({ home });
  await store.memory.perform({ kind: 'tag', id, add: ['again'], remove: [] });
  await store.close();
  appendFileSync(program, 'TYPED\n');
  closeSync(program);
  store = openStore({ home });
  await store.memory.perform({ kind: 'tag', id, add: ['after'], remove: [] });
  expect(await store.memory.show(id)).toMatchObject({
    answer: { body: 'one\nTYPED\n', tags: ['since', 'again', 'after'] },
  });
});

it('keeps a late save even if a person has saved the path again since', async () => {
  const { memory } = store;
  const { id, path = '' } = await writeNote(memory, { body: 'one\n' });
  const program = openSync(path, 'r+');
  const opened = readFileSync(path, 'utf8');
  await memory.perform({ kind: 'tag', id, add: ['since'], remove: [] });
  writeFileSync(program, opened.replace('one\n', 'late\n'));
  closeSync(program);
  writeFileSync(path, readFileSync(path, 'utf8').replace('one\n', 'saved anew\n'));
  await memory.perform({ kind: 'tag', id, add: ['after'], remove: [] });
  await store.close();
  store = openStore({ home });
  const { notes } = await store.memory.list({}, 100);
  const shown = await Promise.all(notes.map((note) => store.memory.show(note.id)));
  const bodies = shown.map((note) => (note.ok ? note.answer.body : ''));
  expect(bodies.join('')).toContain('late\n');
  expect(bodies.join('')).toContain('saved anew\n');
});

it('merges the lines of programs that only append, without a conflict', async () => {
  const { memory } = store;
  const { id, path = '' } = await writeNote(memory, { body: 'one\n' });
  for (const turn of [1, 2, 3, 4]) {
    const program = openSync(path, 'a');
    const other = openSync(path, 'a');
    await memory.perform({ kind: 'tag', id, add: [`tag-${turn}`], remove: [] });
    appendFileSync(path, `here ${turn}\n`);
    await memory.perform({ kind: 'tag', id, add: [`more-${turn}`], remove: [] });
    appendFileSync(program, `first ${turn}\n`);
    await memory.perform({ kind: 'tag', id, add: [`then-${turn}`], remove: [] });
    appendFileSync(other, `second ${turn}\n`);
    await memory.perform({ kind: 'tag', id, add: [`last-${turn}`], remove: [] });
    closeSync(program);
    closeSync(other);
  }
  const shown = await memory.show(id);
  const lines = [1, 2, 3, 4].flatMap((turn) => [`first ${turn}`, `here ${turn}`, `second ${turn}`]);
  const body = shown.ok ? (shown.answer.body ?? '') : '';
  expect(body.trim().split('\n').sort()).toEqual([...lines, 'one'].sort());
  expect(await memory.list({}, 100)).toMatchObject({ total: 1 });
});

it('deletes a replaced file that contained a secret immediately', async () => {
  const { memory } = store;
  const { id, path = '' } = await writeNote(memory, { body: 'one\n' });
  appendFileSync(path, `ghp_${'aB3'.repeat(12)}\n`);
  await memory.perform({ kind: 'tag', id, add: ['since'], remove: [] });
  const folder = join(home, 'memory', '.git', 'anamnesis-replaced');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(texts.filter((text) => text.includes('ghp_'))).toEqual([]);
});
