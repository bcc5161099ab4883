import { readFileSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
let other: TestStore;
beforeEach(() => {
  store = openStore();
  other = openStore({ home: store.home });
});
afterEach(async () => {
  await other.close();
  await store.close();
});

it('shows the text that a person saved before, during and after its adoption, here and in another process', async () => {
  const { id, path = '' } = await writeNote(store.memory, { title: 'Before', body: 'one\n' });
  for (const saved of ['one by hand\n', 'one by hand again\n', 'one at last\n']) {
    writeFileSync(path, readFileSync(path, 'utf8').replace(/\none.*\n/, `\n${saved}`));
    let isAdopting = true;
    const adopting = store.memory.adopt('hold').finally(() => {
      isAdopting = false;
    });
    const seen: unknown[] = [];
    do {
      for (const { memory } of [store, other]) {
        await memory.events({ note: id }, 10);
        seen.push(await memory.show(id));
      }
      await nextTurn();
    } while (isAdopting);
    expect((await adopting).portable.event).toBeDefined();
    for (const shown of seen) expect(shown).toMatchObject({ ok: true, answer: { body: saved } });
  }
});
