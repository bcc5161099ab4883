/** An unpublished text that clashes with a published one, and clashes again before it could be published itself. */
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replayStore } from '../../src/maintenance/replaying.js';
import { lostValues } from '../../src/projections/index/conflicts.js';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { newMachines } from '../support/machines.js';
import { personsGit, writeNote } from '../support/store.js';

const eventsOf = ({ journals }: Memory): readonly string[] =>
  personsGit(journals.portable.folder, 'log', '--format=%(trailers:key=Event,valueonly,separator=%x20)', 'main')
    .split('\n')
    .filter(Boolean);

it.each([
  ['text', (said: string) => ({ body: said })],
  ['title', (said: string) => ({ title: said })],
  ['text and title', (said: string) => ({ body: said, title: said })],
] as const)('a clashing %s is kept each time, and each clash is an event of its own', async (_, set) => {
  const machines = newMachines();
  const [one, two] = [await machines.open('one'), await machines.open('two')];
  const { id } = await writeNote(one, { title: 'Port', body: 'It is 80.\n' });
  await machines.sync(one, two);
  const say = (memory: Memory, said: string) => memory.perform({ kind: 'edit', id, set: set(said) });
  await say(one, 'It is 443.');
  await say(two, 'It is 8080.');
  await machines.sync(one);
  const hook = join(machines.folder, 'remote.git', 'hooks', 'pre-receive');
  writeFileSync(hook, '#!/bin/sh\nexit 1\n');
  chmodSync(hook, 0o755);
  expect((await syncStore(two)).outcome).not.toBe('synced');
  rmSync(hook);
  await say(one, 'It is 8443.');
  await machines.sync(one, two, one);
  for (const memory of [one, two]) {
    const events = eventsOf(memory);
    expect(events.filter((event, at) => events.indexOf(event) !== at)).toEqual([]);
    expect(await replayStore(memory, { verify: true })).toMatchObject({ verified: true });
    const { notes } = await memory.list({}, 10);
    const shown = await Promise.all(notes.map((note) => memory.show(note.id)));
    const lost = await memory.liveIndex.ask((database) => lostValues(database, {}, 20));
    const said = JSON.stringify([shown, lost]);
    for (const port of ['8080', '8443']) expect(said).toContain(port);
  }
});
