/** `local/` is gone, as on a disk that isn't mounted, so that nothing tells which notes are machine-local. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { newMachines } from '../support/machines.js';
import { openStore, personsGit, writeNote } from '../support/store.js';

const fileOf = async (memory: Memory, id: string): Promise<string> => {
  const shown = await memory.show(id);
  if (!shown.ok || shown.answer.path === undefined) throw new Error(`${id} has no file`);
  return shown.answer.path;
};
const secret = 'typed on this machine only';

/** A machine-local note, and a copy of its file in memory/. */
const lostWithCopy = async () => {
  const machines = newMachines();
  const one = await machines.open('one');
  const portable = await writeNote(one, { title: 'Portable', body: 'text\n' });
  const { id } = await writeNote(one, { title: 'Private', body: `${secret}\n`, scope: 'machine-local' });
  const home = join(machines.folder, 'one');
  const text = readFileSync(await fileOf(one, id), 'utf8').replace(/^scope:.*\n/m, '');
  const copy = join(home, 'memory', 'semantic', 'copies', `${id}.md`);
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(copy, text);
  await machines.sync(one);
  await one.finish();
  renameSync(join(home, 'local'), join(home, 'elsewhere'));
  const { memory, close } = openStore({ home, machine: 'one' });
  const published = (): string => personsGit(join(machines.folder, 'remote.git'), 'log', '-p', 'main');
  return { memory, close, home, id, portable: portable.id, copy, published };
};

describe('while local/ is lost', () => {
  it('a new file in memory/ is neither adopted nor published, and is named', async () => {
    const { memory, id, published } = await lostWithCopy();
    await memory.store();
    expect((await memory.adopt('hold')).portable.left).toEqual([
      { path: `semantic/copies/${id}.md`, reason: expect.stringContaining('local/, which is gone') },
    ]);
    for (let round = 0; round < 2; round += 1) expect((await syncStore(memory)).outcome).toBe('synced');
    await writeNote(memory, { title: 'Later' });
    expect((await syncStore(memory)).outcome).toBe('synced');
    expect(published()).not.toContain(secret);
    expect(published()).toContain('Later');
    await memory.finish();
  });

  it('a file put over a portable note’s file is not published', async () => {
    const { memory, portable, copy, published } = await lostWithCopy();
    renameSync(copy, await fileOf(memory, portable));
    expect((await syncStore(memory)).outcome).toBe('synced');
    await memory.adopt('hold');
    expect((await syncStore(memory)).outcome).toBe('synced');
    expect(published()).not.toContain(secret);
    await memory.finish();
  });

  it('a file that was left is adopted once a person gives the machine-local notes up', async () => {
    const { memory, id } = await lostWithCopy();
    await memory.adopt('hold');
    expect((await memory.show(id)).ok).toBe(false);
    await memory.acceptLostLocal();
    await memory.adopt('hold');
    expect(await memory.show(id)).toMatchObject({ ok: true, answer: { body: `${secret}\n` } });
    await memory.finish();
  });
});
