import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readStatus } from '../../../src/app/status.js';
import { formatNoteFile, newNoteFile } from '../../../src/events/note/note-file.js';
import { replayStore } from '../../../src/maintenance/replaying.js';
import { makeNote } from '../../support/arbitraries.js';
import { openStore, temporaryFolder, writeNote } from '../../support/store.js';

it.each([
  ['replay', async (memory) => (await replayStore(memory, {})).notes],
  ['status', async (memory) => (await readStatus(memory)).total],
] as const satisfies readonly (readonly [string, (memory: Parameters<typeof readStatus>[0]) => Promise<number>])[])(
  '%s counts the notes of a journal folder that is not a repository yet',
  async (_, count) => {
    const home = temporaryFolder();
    const first = openStore({ home });
    await writeNote(first.memory);
    await first.close();
    const note = makeNote({ scope: 'machine-local' });
    rmSync(join(home, 'local', '.git'), { recursive: true });
    mkdirSync(join(home, 'local', 'semantic'), { recursive: true });
    writeFileSync(join(home, 'local', 'semantic', `${note.id}.md`), formatNoteFile(newNoteFile(note)));
    const store = openStore({ home });
    expect(await count(store.memory)).toBe(2);
    expect((await readStatus(store.memory)).total).toBe(2);
    await store.close();
    rmSync(home, { recursive: true });
  },
);

it('status does not create a store', async () => {
  const home = temporaryFolder();
  const store = openStore({ home });
  expect((await readStatus(store.memory)).total).toBe(0);
  expect(store.memory.journals.portable.exists()).toBe(false);
  await store.close();
  rmSync(home, { recursive: true });
});
