import { appendFileSync, closeSync, openSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bringBackSaves } from '../../src/commands/saved-late.js';
import { openStore, type TestStore, temporaryFolder, writeNote } from '../support/store.js';

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

it('a late save stays an edit of the version it was made on when it is killed while it is brought back', async () => {
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
  const { memory: journal } = inner.journals;
  expect(() => bringBackSaves({ ...inner, state: { ...inner.state, advance: killed } }, journal, 0)).toThrow('killed');
  await memory.perform({ kind: 'tag', id, add: ['after'], remove: [] });
  const shown = await memory.show(id);
  expect(shown).toMatchObject({ answer: { body: 'one\nlate\n', tags: ['since', 'after'] } });
});
