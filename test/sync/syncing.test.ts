import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { undoEvent } from '../../src/app/undoing.js';
import { isRefusal } from '../../src/files/settings-file.js';
import { importPath } from '../../src/import/importing.js';
import { replayStore } from '../../src/maintenance/replaying.js';
import type { Memory } from '../../src/store/memory.js';
import { setRemote } from '../../src/sync/remote.js';
import { syncStore } from '../../src/sync/syncing.js';
import { copyJournals, copyRemote } from '../support/copied-repositories.js';
import { openStore, personsGit, type TestStore, temporaryFolder, writeNote } from '../support/store.js';

/** Two machines and a bare repository between them. */
let folder: string;
let bare: string;
const open: TestStore[] = [];

const machine = async (name: string, remote: string | null = bare): Promise<Memory> => {
  const home = join(folder, name);
  if (!existsSync(home)) await copyJournals(home);
  const store = openStore({ home, machine: name });
  open.push(store);
  await store.memory.initialise();
  if (remote !== null) {
    const set = await setRemote(store.memory, remote);
    if (isRefusal(set)) throw new Error(set.message);
  }
  return store.memory;
};

beforeEach(() => {
  folder = temporaryFolder();
  bare = join(folder, 'remote.git');
  copyRemote(bare);
});
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const digests = async (...machines: readonly Memory[]): Promise<readonly string[]> => {
  const all: string[] = [];
  for (const memory of machines) {
    const answer = await replayStore(memory, { verify: true, workers: 1 });
    expect(answer.differs ?? []).toEqual([]);
    all.push(answer.digest);
  }
  return all;
};

const titles = async (memory: Memory): Promise<readonly string[]> =>
  (await memory.list({}, 100)).notes.map(({ title }) => title).sort();

const bodyOf = async (memory: Memory, id: string): Promise<string> => {
  const found = await memory.show(id);
  if (!found.ok) throw new Error('not there');
  return found.answer.body ?? '';
};

const edit = (memory: Memory, id: string, set: object) => memory.perform({ kind: 'edit', id, set } as never);

describe('a first sync', () => {
  test('fills an empty remote from a full store, and an empty store from that remote', async () => {
    const one = await machine('one');
    const note = await writeNote(one, { title: 'Ports', body: 'The API listens on 8080.\n' });
    expect(await syncStore(one)).toMatchObject({ outcome: 'synced', pushed: 1, pulled: 0 });
    const two = await machine('two');
    expect(await syncStore(two)).toMatchObject({ outcome: 'synced', pushed: 0, pulled: 1, indexed: 1 });
    expect(await bodyOf(two, note.id)).toBe('The API listens on 8080.\n');
    expect(
      readFileSync(join(two.journals.portable.folder, `semantic/${note.id.slice(-2)}/${note.id}.md`), 'utf8'),
    ).toContain('8080');
    expect(new Set(await digests(one, two)).size).toBe(1);
  });

  test('joins the histories of two stores that began apart', async () => {
    const one = await machine('one');
    const two = await machine('two');
    await writeNote(one, { title: 'Of one' });
    await writeNote(two, { title: 'Of two' });
    await syncStore(one);
    expect(await syncStore(two)).toMatchObject({ outcome: 'synced', pushed: 1, pulled: 1, conflicted: 0 });
    await syncStore(one);
    expect(await titles(one)).toEqual(['Of one', 'Of two']);
    expect(new Set(await digests(one, two)).size).toBe(1);
  });

  test('without a remote says that the notes stay here', async () => {
    const one = await machine('one', null);
    await writeNote(one);
    expect(await syncStore(one)).toMatchObject({ outcome: 'local-only', pushed: 0 });
  });
});

describe('when both sides wrote', () => {
  test('both machines get the notes of both, and a second sync has nothing to do', async () => {
    const one = await machine('one');
    const two = await machine('two');
    await writeNote(one, { title: 'First' });
    await syncStore(one);
    await syncStore(two);
    await writeNote(one, { title: 'Of one' });
    await writeNote(two, { title: 'Of two' });
    await syncStore(one);
    expect(await syncStore(two)).toMatchObject({ outcome: 'synced', pushed: 1, pulled: 1 });
    expect(await syncStore(one)).toMatchObject({ outcome: 'synced', pushed: 0, pulled: 1 });
    expect(await syncStore(one)).toMatchObject({ outcome: 'synced', pushed: 0, pulled: 0, indexed: 0 });
    expect(await titles(one)).toEqual(['First', 'Of one', 'Of two']);
    expect(new Set(await digests(one, two)).size).toBe(1);
  });

  test('changes to different lines and keys of one note are merged', async () => {
    const one = await machine('one');
    const two = await machine('two');
    const { id } = await writeNote(one, { title: 'Steps', body: 'first\n\nsecond\n\nthird\n', tags: ['a'] });
    await syncStore(one);
    await syncStore(two);
    await edit(one, id, { body: 'first, on one\n\nsecond\n\nthird\n', tags: ['a', 'one'] });
    await edit(two, id, { body: 'first\n\nsecond\n\nthird, on two\n', tags: ['a', 'two'] });
    await syncStore(one);
    expect(await syncStore(two)).toMatchObject({ merged: 1, conflicted: 0, pushed: 1 });
    await syncStore(one);
    for (const memory of [one, two]) {
      expect(await bodyOf(memory, id)).toBe('first, on one\n\nsecond\n\nthird, on two\n');
      const found = await memory.show(id);
      expect(found.ok && [...found.answer.tags].sort()).toEqual(['a', 'one', 'two']);
    }
    expect(new Set(await digests(one, two)).size).toBe(1);
  });

  test('when texts clash, the newer one stays, and the other is kept whole in a note beside it', async () => {
    const one = await machine('one');
    const two = await machine('two');
    const { id } = await writeNote(one, { title: 'Port', body: 'It is 80.\n' });
    await syncStore(one);
    await syncStore(two);
    await edit(one, id, { body: 'It is 8080.\n' });
    await edit(two, id, { body: 'It is 9090.\n' });
    await edit(two, id, { body: 'It is 9191.\n' });
    await syncStore(one);
    expect(await syncStore(two)).toMatchObject({ conflicted: 1 });
    await syncStore(one);
    for (const memory of [one, two]) {
      expect(await bodyOf(memory, id)).toBe('It is 9191.\n');
      const copy = (await memory.list({}, 100)).notes.find(({ title }) => title.includes('conflicting'));
      expect(copy === undefined ? '' : await bodyOf(memory, copy.id)).toBe('It is 8080.\n');
      expect(await memory.events({ kind: 'machines.merged' }, 10)).toHaveLength(1);
    }
    expect(new Set(await digests(one, two)).size).toBe(1);
  });

  test('a note that both brought back after a removal, at different paths, is one note with what both wrote', async () => {
    const one = await machine('one');
    const two = await machine('two');
    const three = await machine('three');
    const { id } = await writeNote(one, { title: 'Ports', body: 'It is 80.\n' });
    for (const memory of [one, two, three]) await syncStore(memory);
    await edit(two, id, { body: 'It is 80 on two.\n' });
    await edit(three, id, { type: 'episodic', body: 'It is 80 on two.\n' });
    await one.perform({ kind: 'forget', id, reason: undefined } as never);
    await syncStore(one);
    // Two applies the removal and brings its edit back, which the remote rejects for now.
    const hook = join(bare, 'hooks', 'update');
    writeFileSync(hook, '#!/bin/sh\ntest "$1" != refs/heads/main\n', { mode: 0o755 });
    expect(await syncStore(two)).toMatchObject({ pulled: 1, pushed: 0 });
    rmSync(hook);
    await syncStore(three);
    await syncStore(two);
    for (const memory of [one, two, three]) await syncStore(memory);
    for (const memory of [one, two, three]) {
      const { notes } = await memory.list({}, 10);
      expect(notes).toMatchObject([{ id, type: 'episodic' }]);
      expect(await bodyOf(memory, id)).toBe('It is 80 on two.\n');
      expect(
        personsGit(memory.journals.portable.folder, 'ls-tree', '-r', '--name-only', 'main').split('\n').filter(Boolean),
      ).toHaveLength(1);
    }
    expect(new Set(await digests(one, two, three)).size).toBe(1);
  });

  test('an edit wins over a removal, whichever side made it', async () => {
    const one = await machine('one');
    const two = await machine('two');
    const a = await writeNote(one, { title: 'A', body: 'a\n' });
    const b = await writeNote(one, { title: 'B', body: 'b\n' });
    await syncStore(one);
    await syncStore(two);
    await one.perform({ kind: 'forget', id: a.id, reason: undefined } as never);
    await edit(one, b.id, { body: 'b, edited\n' });
    await edit(two, a.id, { body: 'a, edited\n' });
    await two.perform({ kind: 'forget', id: b.id, reason: undefined } as never);
    await syncStore(one);
    await syncStore(two);
    await syncStore(one);
    for (const memory of [one, two]) {
      expect(await bodyOf(memory, a.id)).toBe('a, edited\n');
      expect(await bodyOf(memory, b.id)).toBe('b, edited\n');
    }
    expect(new Set(await digests(one, two)).size).toBe(1);
  });
});

test('files that two machines imported become one note each, without a conflict', async () => {
  const machines = [await machine('one'), await machine('two')];
  const notes = join(folder, 'notes');
  mkdirSync(notes);
  for (const name of ['ports', 'hosts']) writeFileSync(join(notes, `${name}.md`), `# ${name}\n\nAll of them.\n`);
  for (const memory of machines)
    expect(await importPath(memory, notes)).toMatchObject({ answer: { status: 'recorded' } });
  for (const memory of [...machines, ...machines]) expect(await syncStore(memory)).toMatchObject({ conflicted: 0 });
  for (const memory of machines) {
    expect(await titles(memory)).toEqual(['hosts', 'ports']);
    expect(await memory.events({ kind: 'conflict.recorded' }, 10)).toEqual([]);
  }
  expect(new Set(await digests(...machines)).size).toBe(1);
});

describe('a file that is not a note', () => {
  test('keeps a name that is not UTF-8 when it is published after the notes of others', async () => {
    const one = await machine('one');
    const two = await machine('two');
    await writeNote(one);
    await syncStore(one);
    await syncStore(two);
    await writeNote(one, { title: 'Theirs' });
    await syncStore(one);
    // Its refresh of git's index would wait for the person's git below, which blocks this process.
    await two.finish();
    const { folder: place } = two.journals.portable;
    const name = Buffer.from('caf\xe9 \u00fc "\xff".txt', 'latin1');
    writeFileSync(Buffer.concat([Buffer.from(`${place}/`), name]), 'Au lait.\n');
    personsGit(place, 'add', '-A');
    personsGit(place, 'commit', '-qm', 'a name in latin1');
    await syncStore(two);
    const listed = execFileSync('git', ['ls-tree', '-z', '--name-only', 'main'], { cwd: bare });
    expect(listed.toString('latin1').split('\0')).toContain(name.toString('latin1'));
  });

  test("is checked out on the other machines, and survives a person's commit there", async () => {
    const one = await machine('one');
    const two = await machine('two');
    await writeNote(one);
    await syncStore(one);
    await syncStore(two);
    // Their refreshes of git's index would wait for the person's git below, which blocks this process.
    await one.finish();
    await two.finish();
    const [here, there] = [one, two].map(({ journals }) => journals.portable.folder);
    const readme = 'READ ME "first".md';
    writeFileSync(join(here ?? '', readme), 'What is in here.\n');
    personsGit(here ?? '', 'add', '-A');
    personsGit(here ?? '', 'commit', '-qm', 'says what is in here');
    await syncStore(one);
    const three = await machine('three');
    for (const memory of [two, three]) {
      const { folder: place } = memory.journals.portable;
      await syncStore(memory);
      await memory.finish();
      expect(personsGit(place, 'status', '--porcelain')).toBe('');
      expect(readFileSync(join(place, readme), 'utf8')).toBe('What is in here.\n');
    }
    personsGit(there ?? '', 'add', '-A');
    personsGit(there ?? '', 'commit', '-q', '--allow-empty', '-m', 'mine');
    await syncStore(two);
    expect(personsGit(bare, 'show', `main:${readme}`)).toBe('What is in here.\n');
  });
});

describe('a write made while a sync applies what it fetched', () => {
  /** `write` begins when the merge was made, and ends before the branch moves. */
  const whileSyncing = async (
    write: (memory: Memory, first: string) => Promise<unknown>,
  ): Promise<readonly Memory[]> => {
    const one = await machine('one');
    const { id: first } = await writeNote(one, { title: 'First' });
    await syncStore(one);
    let writing: Promise<unknown> | undefined;
    const store = openStore({
      home: join(folder, 'two'),
      machine: 'two',
      step: (name) => {
        if (name === 'sync:merged') writing ??= write(two, first);
      },
    });
    const two = store.memory;
    open.push(store);
    await setRemote(two, bare);
    await syncStore(two);
    await edit(one, first, { tags: ['theirs'] });
    await syncStore(one);
    await writeNote(two, { title: 'Unpublished' });
    expect(await syncStore(two)).toMatchObject({ outcome: 'synced', pulled: 1 });
    expect(writing).toBeDefined();
    await writing;
    await syncStore(two);
    await syncStore(one);
    return [one, two];
  };

  test('is carried over, and both machines end up alike', async () => {
    const machines = await whileSyncing(async (memory) => {
      for (const title of ['Meanwhile', 'Meanwhile too']) await writeNote(memory, { title });
    });
    for (const memory of machines)
      expect(await titles(memory)).toEqual(['First', 'Meanwhile', 'Meanwhile too', 'Unpublished']);
    expect(new Set(await digests(...machines)).size).toBe(1);
  });

  test('is merged when it changes a note that the sync brought', async () => {
    const machines = await whileSyncing((memory, first) => edit(memory, first, { tags: ['mine'] }));
    for (const memory of machines) {
      const first = (await memory.list({}, 10)).notes.find(({ title }) => title === 'First');
      expect([...(first?.tags ?? [])].sort()).toEqual(['mine', 'theirs']);
    }
    expect(new Set(await digests(...machines)).size).toBe(1);
  });
});

describe('a remote that changed or went away', () => {
  test('is refused when its history was rewritten, and taken with what is ours on top, with our old head kept', async () => {
    const one = await machine('one');
    await writeNote(one, { title: 'Ours' });
    await syncStore(one);
    rmSync(bare, { recursive: true });
    copyRemote(bare);
    const other = await machine('other');
    await writeNote(other, { title: 'Theirs' });
    await syncStore(other);
    const refused = await syncStore(one);
    expect(refused).toMatchObject({ outcome: 'refused', trouble: { code: 'remote-rewritten' } });
    expect(await titles(one)).toEqual(['Ours']);
    const old = one.journals.portable.head();
    expect(await syncStore(one, { acceptRewrite: true })).toMatchObject({ outcome: 'synced', pushed: 1 });
    expect(personsGit(one.journals.portable.folder, 'for-each-ref', 'refs/anamnesis/rescue')).toContain(old);
    expect(await titles(one)).toEqual(['Ours', 'Theirs']);
  });

  test('is refused when it lost its branch, unless it is seeded again', async () => {
    const one = await machine('one');
    await writeNote(one, { title: 'Ours' });
    await syncStore(one);
    personsGit(bare, 'update-ref', '-d', 'refs/heads/main');
    expect(await syncStore(one)).toMatchObject({ outcome: 'refused', trouble: { code: 'remote-lost' } });
    expect(await syncStore(one, { seed: true })).toMatchObject({ outcome: 'synced', pushed: 1 });
  });

  test('is no error when it cannot be reached, and the background leaves it alone for a while', async () => {
    const one = await machine('one');
    await writeNote(one);
    await syncStore(one);
    renameSync(bare, `${bare}.away`);
    await writeNote(one, { title: 'Later' });
    expect(await syncStore(one)).toMatchObject({ outcome: 'offline' });
    expect(await syncStore(one, { background: true })).toMatchObject({ outcome: 'waiting' });
    renameSync(`${bare}.away`, bare);
    expect(await syncStore(one)).toMatchObject({ outcome: 'synced', pushed: 1 });
  });
});

describe('a note that is forgotten here and changed elsewhere', () => {
  const forget = (memory: Memory, id: string) => memory.perform({ kind: 'forget', id, reason: undefined } as never);

  test('is named by the sync that brings it back, whoever synced first', async () => {
    const [one, two] = [await machine('one'), await machine('two')];
    const notes = [await writeNote(one, { title: 'First' }), await writeNote(one, { title: 'Second' })] as const;
    await syncStore(one);
    await syncStore(two);
    await forget(two, notes[0].id);
    await edit(one, notes[0].id, { body: 'Changed.\n' });
    await syncStore(one);
    const early = await syncStore(two);
    expect(early.returned).toEqual([{ id: notes[0].id, short_id: notes[0].id.slice(-6), title: 'First' }]);
    expect(early.detail).toContain(
      `forgotten on one machine but edited on another, ${notes[0].id.slice(-6)} (First) was kept`,
    );
    await syncStore(one);
    await forget(two, notes[1].id);
    await syncStore(two);
    await edit(one, notes[1].id, { body: 'Changed.\n' });
    expect(await syncStore(one)).toMatchObject({ returned: [{ id: notes[1].id }] });
    expect(await syncStore(two)).toMatchObject({ returned: [{ id: notes[1].id }] });
    expect(await syncStore(two)).toMatchObject({ returned: [] });
  });

  test('leaves a bare undo nothing to take back', async () => {
    const [one, two] = [await machine('one'), await machine('two')];
    const note = await writeNote(one, { title: 'First' });
    await syncStore(one);
    await syncStore(two);
    await forget(two, note.id);
    await edit(one, note.id, { body: 'Changed.\n' });
    await syncStore(one);
    await syncStore(two);
    const undone = await undoEvent(two, undefined);
    expect(undone).toMatchObject({
      ok: true,
      answer: { undone: { kind: 'note.forgotten' }, answer: { status: 'unchanged' } },
    });
  });
});
