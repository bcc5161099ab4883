import { appendFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { purgeEverywhere } from '../../src/app/purge-everywhere.js';
import { verifyStore } from '../../src/maintenance/verifying.js';
import type { PurgeRequest } from '../../src/purge/rule/request.js';
import { type SyncOptions, syncStore } from '../../src/sync/syncing.js';
import { openStore, personsGit, type TestStore, writeNote } from '../support/store.js';
import { sync, useTwoMachines } from './support/two-machines.js';

const secret = 'correct-horse-battery';
const literal: PurgeRequest = { what: { kind: 'literal', text: secret } };

let remote = '';
let laptop: TestStore;
let desk: TestStore;
useTwoMachines((machines) => {
  ({ remote, laptop, desk } = machines);
});
const memoryOf = ({ home }: TestStore): string => join(home, 'memory');
const headOf = (folder: string): string => personsGit(folder, 'rev-parse', 'main').trim();
/** Every object, even unreachable ones. */
const allObjects = (folder: string): string =>
  personsGit(folder, 'cat-file', '--batch-all-objects', '--batch', '--buffer');
const published = (): string => personsGit(remote, 'log', '-p', 'main');
const purge = ({ memory }: TestStore, request: PurgeRequest = literal) =>
  purgeEverywhere(memory, request, { environment: {} });
const purgeHere = ({ memory }: TestStore) => purgeEverywhere(memory, literal, { environment: {}, hereOnly: true });
const done = { ok: true, answer: { status: 'purged', clean: true, remote: { published: true } } };
const syncWith = ({ memory }: TestStore, options: SyncOptions = {}) =>
  syncStore(memory, { environment: {}, ...options });
const bodyOf = async ({ memory }: TestStore, id: string): Promise<string | undefined> => {
  const shown = await memory.show(id);
  return shown.ok ? shown.answer.body : undefined;
};
/** Stops with an error at the step. */
const stoppedAt = (last: string): TestStore =>
  openStore({
    home: laptop.home,
    machine: 'laptop',
    step: (name) => {
      if (name === last) throw new Error('stopped');
    },
  });

describe('a purge with a remote', () => {
  it('replaces the history there, from the first commit with the text, and no other machine can restore it', async () => {
    await writeNote(laptop.memory, { title: 'First' });
    const first = headOf(memoryOf(laptop));
    await writeNote(laptop.memory, { title: 'Bad', body: `it is ${secret}\n` });
    await sync(laptop);
    await sync(desk);
    expect(await purge(laptop)).toMatchObject(done);
    expect(published()).not.toContain(secret);
    expect(personsGit(remote, 'rev-list', 'main')).toContain(first);
    expect(headOf(remote)).toBe(headOf(memoryOf(laptop)));
    await writeNote(desk.memory, { title: 'Of the desk' });
    expect(await syncWith(desk)).toMatchObject({ outcome: 'refused', trouble: { code: 'remote-rewritten' } });
    expect(published()).not.toContain(secret);
    expect(await syncWith(laptop)).toMatchObject({ outcome: 'synced' });
  });
  it('fetches and merges first, so that what others published is purged too and stays', async () => {
    await sync(laptop);
    await sync(desk);
    await writeNote(laptop.memory, { title: 'Bad', body: `it is ${secret}\n` });
    const theirs = await writeNote(desk.memory, { title: 'Of the desk', body: `${secret} and more\n` });
    await sync(desk);
    expect(await purge(laptop)).toMatchObject(done);
    expect(published()).not.toContain(secret);
    expect(await bodyOf(laptop, theirs.id)).toBe('[PURGED] and more\n');
    expect((await verifyStore(laptop.memory)).problems).toEqual([]);
  });
  it('begins again when another machine publishes just before its push', async () => {
    await writeNote(laptop.memory, { title: 'Bad', body: `it is ${secret}\n` });
    await sync(laptop);
    await sync(desk);
    const between = await writeNote(desk.memory, { title: 'In between', body: `${secret} and more\n` });
    await desk.memory.finish();
    await laptop.memory.finish();
    const hurried = openStore({
      home: laptop.home,
      machine: 'laptop',
      step: (name) => {
        if (name === 'purge:scan' && headOf(remote) !== headOf(memoryOf(desk)))
          personsGit(memoryOf(desk), 'push', '-q', remote, 'main');
      },
    });
    expect(await purge(hurried)).toMatchObject(done);
    expect(published()).not.toContain(secret);
    expect(await bodyOf(hurried, between.id)).toBe('[PURGED] and more\n');
    await hurried.memory.finish();
  });
  it('is refused, and nothing is changed, when the remote cannot be reached', async () => {
    await writeNote(laptop.memory, { title: 'Bad', body: `it is ${secret}\n` });
    await sync(laptop);
    const before = headOf(memoryOf(laptop));
    renameSync(remote, `${remote}.away`);
    expect(await purge(laptop)).toMatchObject({
      ok: false,
      refusal: {
        message: expect.stringContaining('nothing was purged'),
        next: expect.stringContaining('--here-only'),
      },
    });
    expect(headOf(memoryOf(laptop))).toBe(before);
  });
  it('is refused, and nothing is changed, when the remote does not let its history be replaced', async () => {
    await writeNote(laptop.memory, { title: 'Bad', body: `it is ${secret}\n` });
    await sync(laptop);
    const before = headOf(memoryOf(laptop));
    personsGit(remote, 'config', 'receive.denyNonFastForwards', 'true');
    expect(await purge(laptop)).toMatchObject({ ok: false, refusal: { code: 'refused' } });
    expect(headOf(memoryOf(laptop))).toBe(before);
    expect(await syncWith(laptop)).toMatchObject({ outcome: 'synced' });
    personsGit(remote, 'config', 'receive.denyNonFastForwards', 'false');
    expect(await purge(laptop)).toMatchObject(done);
  });
  it.each(['purge:pushed', 'purge:refs-portable', 'purge:moved-portable', 'purge:git-portable'])(
    'is finished by repeating it after it stopped at %s, with what was written meanwhile',
    async (last) => {
      await writeNote(laptop.memory, { title: 'Bad', body: `it is ${secret}\n` });
      await sync(laptop);
      await laptop.memory.finish();
      const stopped = stoppedAt(last);
      await expect(purge(stopped)).rejects.toThrow('stopped');
      await stopped.memory.finish();
      const since = await writeNote(laptop.memory, { title: 'Since' });
      expect(await purge(laptop)).toMatchObject({ ok: true, answer: { clean: true, remote: { published: true } } });
      expect(published()).not.toContain(secret);
      expect(published()).toContain(since.id);
      expect(headOf(remote)).toBe(headOf(memoryOf(laptop)));
    },
  );
  it('does not put an older text back there when another one is purged after one that stopped', async () => {
    await writeNote(laptop.memory, { title: 'Bad', body: `it is ${secret} and another-secret\n` });
    await sync(laptop);
    await laptop.memory.finish();
    const stopped = stoppedAt('purge:pushed');
    await expect(purge(stopped)).rejects.toThrow('stopped');
    await stopped.memory.finish();
    expect(await purge(laptop, { what: { kind: 'literal', text: 'another-secret' } })).toMatchObject({ ok: false });
    expect(published()).not.toContain(secret);
  });
  it('publishes nothing while a person’s commit holds another secret, and everything once that is purged too', async () => {
    const token = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;
    await writeNote(laptop.memory, { title: 'Bad', body: `it is ${secret}\n` });
    const { path = '' } = await writeNote(laptop.memory, { title: 'Token', body: 'none yet\n' });
    await sync(laptop);
    await laptop.memory.finish();
    appendFileSync(path, `it is ${token}\n`);
    personsGit(memoryOf(laptop), 'commit', '-qam', `token ${token}`);
    expect(await purge(laptop)).toMatchObject({ ok: true, answer: { remote: { published: false } } });
    expect(allObjects(remote)).not.toContain(token);
    const other: PurgeRequest = { what: { kind: 'literal', text: token } };
    await purgeEverywhere(laptop.memory, other, { environment: {}, hereOnly: true });
    await sync(laptop);
    expect(allObjects(remote)).not.toContain(token);
    expect(published()).not.toContain(secret);
  });
  it('of a text that was not published yet leaves the history there as it is', async () => {
    await writeNote(laptop.memory, { title: 'First' });
    await sync(laptop);
    await writeNote(laptop.memory, { title: 'Bad', body: `${secret}\n` });
    await purgeHere(laptop);
    const before = headOf(remote);
    await sync(laptop);
    expect(personsGit(remote, 'rev-list', 'main')).toContain(before);
    expect(allObjects(remote)).not.toContain(secret);
  });
});

describe('a purge on this machine only', () => {
  it('is published by the next sync before anything else, with what was written since', async () => {
    await writeNote(laptop.memory, { title: 'Bad', body: `${secret}\n` });
    await sync(laptop);
    renameSync(remote, `${remote}.away`);
    expect(await purgeHere(laptop)).toMatchObject({ ok: true, answer: { clean: true, remote: { published: false } } });
    expect(allObjects(memoryOf(laptop))).not.toContain(secret);
    const since = await writeNote(laptop.memory, { title: 'Since' });
    renameSync(`${remote}.away`, remote);
    await sync(laptop);
    expect(published()).not.toContain(secret);
    expect(published()).toContain(since.id);
    expect(headOf(remote)).toBe(headOf(memoryOf(laptop)));
  });
  it('stays refused when the remote has moved on, and is repeated after taking that in', async () => {
    await writeNote(laptop.memory, { title: 'Bad', body: `${secret}\n` });
    await sync(laptop);
    await sync(desk);
    await purgeHere(laptop);
    const theirs = await writeNote(desk.memory, { title: 'Of the desk' });
    await sync(desk);
    const ours = await writeNote(laptop.memory, { title: 'Of the laptop' });
    expect(await syncWith(laptop)).toMatchObject({
      outcome: 'refused',
      trouble: { next: expect.stringContaining('anamnesis sync --accept-rewrite') },
    });
    expect(await syncWith(laptop, { acceptRewrite: true })).toMatchObject({ outcome: 'synced' });
    expect(await purge(laptop)).toMatchObject(done);
    expect(published()).not.toContain(secret);
    for (const { id } of [theirs, ours]) expect(published()).toContain(id);
    expect(headOf(remote)).toBe(headOf(memoryOf(laptop)));
  });
});

describe('a purged note that another program brings back', () => {
  it('is named by sync and status with the command', async () => {
    const { id } = await writeNote(laptop.memory, { title: 'Salaries of all', body: 'one\ntwo\n' });
    await sync(laptop);
    await sync(desk);
    expect(await purge(laptop, { what: { kind: 'note', id } })).toMatchObject(done);
    const { path = '' } = await writeNote(desk.memory, { title: 'Unused' });
    expect(path).not.toBe('');
    personsGit(memoryOf(laptop), 'fetch', '-q', memoryOf(desk), 'main');
    personsGit(memoryOf(laptop), 'checkout', '-q', 'FETCH_HEAD', '--', '.');
    personsGit(memoryOf(laptop), 'commit', '-qm', 'from an old clone');
    expect((await syncWith(laptop)).detail).toContain(`anamnesis purge ${id}`);
  });
});
