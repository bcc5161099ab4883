/** A remote that publishes other contents under the ids of our events: nothing of ours is dropped for an id alone. */
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { derivedUlid } from '../../src/events/ulid-form.js';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { type Machines, newMachines } from '../support/machines.js';
import { personsGit, writeNote } from '../support/store.js';

const bareOf = (machines: Machines): string => join(machines.folder, 'remote.git');
const titles = async (memory: Memory): Promise<readonly string[]> =>
  (await memory.list({}, 10)).notes.map(({ title }) => title).sort();
const bodyOf = async (memory: Memory, id: string): Promise<string | undefined> => {
  const found = await memory.show(id);
  return found.ok ? found.answer.body : undefined;
};

/** The messages of our unpublished events, as a server reads them in a push that it rejects. */
const unpublishedMessages = async (machines: Machines, one: Memory): Promise<readonly string[]> => {
  const hook = join(bareOf(machines), 'hooks', 'pre-receive');
  writeFileSync(hook, '#!/bin/sh\nexit 1\n');
  chmodSync(hook, 0o755);
  expect((await syncStore(one)).outcome).not.toBe('synced');
  rmSync(hook);
  const published = personsGit(bareOf(machines), 'rev-parse', 'main').trim();
  return messagesOf(one.journals.portable.folder, `${published}..main`);
};
const messagesOf = (folder: string, range: string): readonly string[] =>
  personsGit(folder, 'log', '--reverse', '-z', '--format=%B', range).split('\0').filter(Boolean);

/** Commits that change nothing, on top of `parent` or as a history of their own. */
const publishEmpty = (bare: string, messages: readonly string[], parent: string | undefined): void => {
  const tree =
    parent === undefined
      ? execFileSync('git', ['-C', bare, 'mktree'], { input: '', encoding: 'utf8' }).trim()
      : `${parent}^{tree}`;
  const head = messages.reduce<string | undefined>((on, message) => {
    const parents = on === undefined ? [] : ['-p', on];
    return personsGit(bare, 'commit-tree', tree, ...parents, '-m', message).trim();
  }, parent);
  personsGit(bare, 'update-ref', 'refs/heads/main', head ?? '');
};

it.each([false, true])(
  'an unpublished note is kept when its id is reused, with a forged conflict: %s',
  async (forged) => {
    const machines = newMachines();
    const [one, two] = [await machines.open('one'), await machines.open('two')];
    await writeNote(one, { title: 'First' });
    await machines.sync(one);
    const { id } = await writeNote(one, { title: 'Second', body: 'typed\n' });
    const messages = [...(await unpublishedMessages(machines, one))];
    if (forged) {
      const seconds = Number(personsGit(one.journals.portable.folder, 'log', '-1', '--format=%ct'));
      const event = /^Event: (.*)$/m.exec(messages[0] ?? '')?.[1] ?? '';
      const conflict = derivedUlid(seconds * 1000, 'conflict.recorded', event, id);
      const trailers = `Format: 1\nEvent: ${conflict}\nKind: conflict.recorded\nAt: 2026-01-01T00:00:00+00:00`;
      messages.push(`conflict.recorded: x\n\n${trailers}\nNote: ${id}\nMachine: one\n`);
    }
    publishEmpty(bareOf(machines), messages, 'main');
    await machines.sync(one, two, one);
    for (const memory of [one, two]) {
      expect(await titles(memory)).toEqual(['First', 'Second']);
      expect(await bodyOf(memory, id)).toBe('typed\n');
    }
  },
);

it('a forgotten note and a removed line stay gone when the ids of their events are reused', async () => {
  const machines = newMachines();
  const [one, two] = [await machines.open('one'), await machines.open('two')];
  const { id } = await writeNote(one, { title: 'Edited', body: 'keep\nwrong\n' });
  const other = await writeNote(one, { title: 'Forgotten' });
  await machines.sync(one, two);
  await one.perform({ kind: 'edit', id, set: { body: 'keep\n' } });
  await one.perform({ kind: 'forget', id: other.id });
  publishEmpty(bareOf(machines), await unpublishedMessages(machines, one), 'main');
  await machines.sync(one, two);
  for (const memory of [one, two]) {
    expect(await titles(memory)).toEqual(['Edited']);
    expect(await bodyOf(memory, id)).toBe('keep\n');
  }
});

it('rejoining a history that reuses our ids keeps all notes on every machine, and names the former head', async () => {
  const machines = newMachines();
  const [one, two] = [await machines.open('one'), await machines.open('two')];
  const { id } = await writeNote(one, { title: 'Of one', body: 'a\n' });
  const gone = await writeNote(one, { title: 'Gone' });
  await machines.sync(one, two);
  await writeNote(two, { title: 'Of two' });
  await two.perform({ kind: 'edit', id, set: { body: 'a\nb\n' } });
  await two.perform({ kind: 'edit', id, set: { body: 'b\nc\n' } });
  await two.perform({ kind: 'forget', id: gone.id });
  await machines.sync(two, one);
  publishEmpty(bareOf(machines), messagesOf(bareOf(machines), 'main'), undefined);
  for (const memory of [one, two]) {
    expect((await syncStore(memory)).outcome).toBe('refused');
    const before = personsGit(memory.journals.portable.folder, 'rev-parse', 'main');
    const answer = await syncStore(memory, { rejoin: true });
    expect(answer).toMatchObject({ outcome: 'synced', conflicted: 0 });
    expect(answer.detail).toContain(answer.rescued);
    expect(personsGit(memory.journals.portable.folder, 'rev-parse', answer.rescued ?? '')).toBe(before);
    expect(await titles(memory)).toEqual(['Of one', 'Of two']);
    expect(await bodyOf(memory, id)).toBe('b\nc\n');
  }
  expect(await syncStore(two)).toMatchObject({ pushed: 0, pulled: 0 });
});

it('a store restored to before its last sync does not append again an event whose clashing text is in a note already', async () => {
  const machines = newMachines();
  const [one, two] = [await machines.open('one'), await machines.open('two')];
  const { id } = await writeNote(one, { title: 'Ports', body: 'one\n' });
  await machines.sync(one, two);
  await two.perform({ kind: 'edit', id, set: { body: 'of two\n' } });
  await two.finish();
  const before = personsGit(two.journals.portable.folder, 'rev-parse', 'main').trim();
  await one.perform({ kind: 'edit', id, set: { body: 'of one\n' } });
  await machines.sync(one, two);
  personsGit(two.journals.portable.folder, 'update-ref', 'refs/heads/main', before);
  personsGit(two.journals.portable.folder, 'update-ref', '-d', 'refs/anamnesis/remote');
  expect(await syncStore(two)).toMatchObject({ outcome: 'synced', pushed: 0, conflicted: 0 });
  expect(await bodyOf(two, id)).toBe('of one\n');
  expect((await two.list({}, 10)).notes).toHaveLength(2);
});
