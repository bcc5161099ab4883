import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { markRef, writeMark } from '../../src/events/git/remote/machine-marks.js';
import { replayStore } from '../../src/maintenance/replaying.js';
import { readFleet } from '../../src/sync/fleet.js';
import { newMachines } from '../support/machines.js';
import { openStore, personsGit, temporaryFolder, writeNote } from '../support/store.js';

const removedAfter = (folder: string): string => {
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const secondsOf = (time: string | null): number => Date.parse(time ?? '') / 1000;

it('names every machine that wrote, this one first, and what each did last', async () => {
  const machines = newMachines();
  const one = await machines.open('one');
  const two = await machines.open('two', { nowMs: () => Date.now() + 60_000 });
  const { id } = await writeNote(one, { title: 'Ports' });
  await machines.sync(one, two);
  await two.perform({ kind: 'edit', id, set: { title: 'Ports of the API' } });
  await writeNote(two, { title: 'Of two' });
  await machines.sync(two, one);
  const fleet = await readFleet(one);
  expect(fleet.map(({ machine }) => machine)).toEqual(['one', 'two']);
  expect(fleet).toMatchObject([
    { this_machine: true, notes: 1, events: 1, last_event: { kind: 'note.written', subject: 'Ports' }, behind: 0 },
    { this_machine: false, notes: 1, events: 2, last_event: { kind: 'note.written', subject: 'Of two' }, behind: 0 },
  ]);
  expect((await readFleet(two)).map(({ machine }) => machine)).toEqual(['two', 'one']);
});

it('counts the events that a machine has not seen, as of its last sync', async () => {
  const machines = newMachines();
  const one = await machines.open('one');
  const two = await machines.open('two');
  await writeNote(one, { title: 'Before' });
  await machines.sync(one, two, one);
  for (const title of ['First', 'Second', 'Third']) await writeNote(one, { title });
  // The other machine can't have what isn't published yet either.
  expect((await readFleet(one)).map(({ machine, behind }) => [machine, behind])).toEqual([
    ['one', 0],
    ['two', 3],
  ]);
  await machines.sync(one, two, one);
  expect((await readFleet(one)).map(({ behind }) => behind)).toEqual([0, 0]);
});

it('counts as git does, even around a person’s merge', async () => {
  const { memory, close } = openStore({ machine: 'laptop' });
  const { folder, folders } = memory.journals.portable;
  for (const title of ['One', 'Two']) await writeNote(memory, { title });
  personsGit(folder, 'reset', '--quiet', '--hard');
  personsGit(folder, 'switch', '--quiet', '-c', 'side');
  personsGit(folder, 'commit', '--quiet', '--allow-empty', '-m', 'aside');
  personsGit(folder, 'switch', '--quiet', 'main');
  await writeNote(memory, { title: 'Three' });
  personsGit(folder, 'reset', '--quiet', '--hard');
  personsGit(folder, 'merge', '--quiet', '--no-ff', '-m', 'together', 'side');
  await writeNote(memory, { title: 'Four' });
  const commits = personsGit(folder, 'rev-list', 'main').trim().split('\n');
  expect(commits).toHaveLength(6);
  for (const [at, head] of commits.entries())
    await writeMark(folders, { machine: `m${at}`, head, at: '2026-06-24T18:33:07+00:00' });
  const fleet = new Map((await readFleet(memory)).map(({ machine, behind }) => [machine, behind]));
  for (const [at, head] of commits.entries())
    expect([head, fleet.get(`m${at}`)]).toEqual([
      head,
      Number(personsGit(folder, 'rev-list', '--count', 'main', `^${head}`)),
    ]);
  await close();
});

it('says when each machine last synced', async () => {
  const machines = newMachines();
  const one = await machines.open('one');
  const two = await machines.open('two', { nowMs: () => Date.parse('2030-01-02T03:04:05Z') });
  await writeNote(one, { title: 'Ports' });
  await machines.sync(one, two, one);
  const [ours, other] = await readFleet(one);
  expect(Math.abs(secondsOf(ours?.last_sync ?? null) - Date.now() / 1000)).toBeLessThan(300);
  expect(other?.last_sync).toBe('2030-01-02T03:04:05+00:00');
  expect(other).toMatchObject({ machine: 'two', events: 0, notes: 0, last_event: null });
});

it('does not say how far behind a machine is that never synced or whose head is not here', async () => {
  const home = removedAfter(temporaryFolder());
  const laptop = openStore({ home, machine: 'laptop' });
  await writeNote(laptop.memory, { title: 'Ports' });
  await laptop.close();
  const tower = openStore({ home, machine: 'tower' });
  await writeNote(tower.memory, { title: 'Disks' });
  const { folders } = tower.memory.journals.portable;
  await writeMark(folders, { machine: 'lost', head: 'ab'.repeat(20), at: '2026-06-24T18:33:07+00:00' });
  expect(await readFleet(tower.memory)).toMatchObject([
    { machine: 'tower', this_machine: true, behind: 0, last_sync: null },
    { machine: 'laptop', behind: null, last_sync: null },
    { machine: 'lost', behind: null, last_sync: '2026-06-24T18:33:07+00:00' },
  ]);
  personsGit(tower.memory.journals.portable.folder, 'update-ref', '-d', markRef('lost'));
  await tower.close();
});

it('counts no note twice and none that was superseded or forgotten, even after a replay', async () => {
  const { memory, close } = openStore({ machine: 'laptop' });
  const old = await writeNote(memory, { title: 'Old' });
  const gone = await writeNote(memory, { title: 'Gone' });
  await writeNote(memory, { title: 'New', supersedes: [old.id] });
  await memory.perform({ kind: 'forget', id: gone.id });
  const before = await readFleet(memory);
  expect(before).toMatchObject([{ machine: 'laptop', notes: 1, events: 4, last_event: { kind: 'note.forgotten' } }]);
  await replayStore(memory, { workers: 1 });
  expect(await readFleet(memory)).toEqual(before);
  await close();
});

it('is empty when there is no store, and reading it makes none', async () => {
  const home = join(removedAfter(temporaryFolder()), 'none');
  const { memory, close } = openStore({ home });
  expect(await readFleet(memory)).toEqual([]);
  expect(memory.exists()).toBe(false);
  await close();
});
