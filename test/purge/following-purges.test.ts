import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { purgeEverywhere } from '../../src/app/purge-everywhere.js';
import { replayStore } from '../../src/maintenance/replaying.js';
import { verifyStore } from '../../src/maintenance/verifying.js';
import { type PurgeAsked, purgeStore } from '../../src/purge/purging.js';
import { syncStore } from '../../src/sync/syncing.js';
import { openStore, personsGit, type TestStore, temporaryFolder, writeNote } from '../support/store.js';
import { sync, useTwoMachines } from './support/two-machines.js';

const secret = 'correct-horse-battery';
const literal: PurgeAsked = { what: { kind: 'literal', text: secret } };

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
const events = async ({ memory }: TestStore): Promise<readonly string[]> =>
  (await memory.events({}, 100)).map(({ id }) => id).sort();
const purge = async ({ memory }: TestStore, asked: PurgeAsked = literal): Promise<void> => {
  const done = await purgeEverywhere(memory, asked, { environment: {} });
  expect(done).toMatchObject({ ok: true, answer: { clean: true, remote: { published: true } } });
};
const expectInSync = async (): Promise<void> => {
  await sync(laptop);
  await sync(desk);
  await sync(laptop);
  expect(new Set([headOf(remote), headOf(memoryOf(laptop)), headOf(memoryOf(desk))]).size).toBe(1);
  const digests = await Promise.all([laptop, desk].map(({ memory }) => replayStore(memory, { verify: true })));
  expect(digests.map(({ verified }) => verified)).toEqual([true, true]);
  expect(digests[0]?.digest).toBe(digests[1]?.digest);
  for (const { memory } of [laptop, desk]) expect((await verifyStore(memory)).problems).toEqual([]);
};

describe('a purge with a remote', () => {
  it.each([false, true])(
    'publishes no secret that a person committed meanwhile (desk wrote too: %s)',
    async (meanwhile) => {
      const token = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;
      await writeNote(laptop.memory, { title: 'Bad', body: `it is ${secret}\n` });
      const { id, path = '' } = await writeNote(laptop.memory, { title: 'Token', body: 'none yet\n' });
      await sync(laptop);
      await sync(desk);
      await laptop.memory.finish();
      appendFileSync(path, `it is ${token}\n`);
      personsGit(memoryOf(laptop), 'commit', '-qam', `token ${token}`);
      expect(await purgeStore(laptop.memory, literal)).toMatchObject({ ok: true });
      if (meanwhile) {
        await writeNote(desk.memory, { title: 'Of the desk' });
        await sync(desk);
      }
      const answer = await syncStore(laptop.memory, { environment: {} });
      expect(answer.outcome).toBe('synced');
      expect(answer.masked_in).toContainEqual(expect.objectContaining({ note: id }));
      expect(allObjects(remote)).not.toContain(token);
      expect(personsGit(remote, 'log', '-p', 'main')).not.toContain(secret);
      expect(personsGit(remote, 'log', '-p', 'main')).toContain('[REDACTED:github-token]');
      await expectInSync();
    },
  );

  it.each(['desk', 'laptop'])('changes nothing there when the note was purged before (by the %s)', async (again) => {
    const { id } = await writeNote(laptop.memory, { title: 'Bad', body: `it is ${secret}\n` });
    await sync(laptop);
    await sync(desk);
    await purge(laptop, { what: { kind: 'note', id } });
    await sync(desk);
    const head = headOf(remote);
    await purge(again === 'desk' ? desk : laptop, { what: { kind: 'note', id } });
    expect(headOf(remote)).toBe(head);
    await expectInSync();
  });

  it('replaces the history there, and another machine follows it with its own unpublished events on top', async () => {
    await writeNote(laptop.memory, { title: 'First' });
    const bad = await writeNote(laptop.memory, { title: 'Bad', body: `it is ${secret}\n` });
    await sync(laptop);
    await sync(desk);
    const own = await writeNote(desk.memory, { title: 'Of the desk', body: `again ${secret}\n` });
    await desk.memory.perform({ kind: 'edit', id: bad.id, set: { tags: ['seen'] } });
    const local = await writeNote(desk.memory, { title: 'Here', body: `${secret}\n`, scope: 'machine-local' });
    const before = await events(desk);
    await purge(laptop);
    expect(personsGit(remote, 'log', '-p', 'main')).not.toContain(secret);
    const answer = await syncStore(desk.memory, { environment: {} });
    expect(answer).toMatchObject({ outcome: 'synced', purged: [{ notes: [], texts: 1, local: [local.id] }] });
    expect(answer.detail).toContain(
      `another machine purged 1 text: erased here too, except from the machine-local note ${local.id}`,
    );
    expect(allObjects(memoryOf(desk))).not.toContain(secret);
    for (const id of before) expect(await events(desk)).toContain(id);
    const shownOwn = await desk.memory.show(own.id);
    expect(shownOwn.ok && shownOwn.answer.body).toContain('[PURGED]');
    expect(await desk.memory.show(local.id)).toMatchObject({ answer: { body: `${secret}\n` } });
    const shown = await desk.memory.show(bad.id);
    expect(shown.ok && shown.answer).toMatchObject({ body: 'it is [PURGED]\n', tags: ['seen'] });
    expect(readFileSync(join(desk.home, 'logs', 'anamnesis.log'), 'utf8')).toMatch(
      /purge: followed .*\n.*purge: nothing found in memory: git objects/,
    );
    await expectInSync();
    expect(allObjects(memoryOf(laptop))).not.toContain(secret);
  });
  it('removes a note from what another machine has not published yet', async () => {
    const note = await writeNote(laptop.memory, { title: 'Salaries of all', body: 'one\ntwo\n' });
    await sync(laptop);
    await sync(desk);
    await desk.memory.perform({ kind: 'edit', id: note.id, set: { title: 'Wages of all people' } });
    await purge(laptop, { what: { kind: 'note', id: note.id } });
    await sync(desk);
    expect(allObjects(memoryOf(desk))).not.toMatch(/Salaries|Wages/);
    expect((await desk.memory.show(note.id)).ok).toBe(false);
    await expectInSync();
  });
  it('is followed when one event id stands twice in the history', async () => {
    const folder = memoryOf(laptop);
    await writeNote(laptop.memory, { title: 'First', body: `it is ${secret}\n` });
    const first = headOf(folder);
    await writeNote(laptop.memory, { title: 'Second' });
    await laptop.memory.finish();
    personsGit(folder, 'commit', '-q', '--allow-empty', '-C', first);
    await writeNote(laptop.memory, { title: 'Third', body: `${secret}\n` });
    await sync(laptop);
    await sync(desk);
    await writeNote(desk.memory, { title: 'Of the desk', body: `${secret}\n` });
    await purge(laptop);
    await sync(desk);
    expect(allObjects(memoryOf(desk))).not.toContain(secret);
    await expectInSync();
  });
  it('is published by the next sync when it was not published before', async () => {
    await writeNote(laptop.memory, { title: 'Bad', body: `${secret}\n` });
    await sync(laptop);
    await sync(desk);
    await purgeStore(laptop.memory, literal);
    await writeNote(laptop.memory, { title: 'Since' });
    expect(personsGit(remote, 'log', '-p', 'main')).toContain(secret);
    await sync(laptop);
    expect(personsGit(remote, 'log', '-p', 'main')).not.toContain(secret);
    expect(allObjects(memoryOf(laptop))).not.toContain(secret);
    await expectInSync();
  });
  it('keeps what another machine published in between', async () => {
    await writeNote(laptop.memory, { title: 'Bad', body: `${secret}\n` });
    await sync(laptop);
    await sync(desk);
    await purgeStore(laptop.memory, literal);
    const between = await writeNote(desk.memory, { title: 'In between', body: `${secret} and more\n` });
    await sync(desk);
    await sync(laptop);
    const shown = await laptop.memory.show(between.id);
    expect(shown.ok && shown.answer.body).toBe('[PURGED] and more\n');
    expect(personsGit(remote, 'log', '-p', 'main')).not.toContain(secret);
    expect(allObjects(memoryOf(laptop))).not.toContain(secret);
    await expectInSync();
    expect(allObjects(memoryOf(desk))).not.toContain(secret);
  });
  it('is followed when two come in a row, and by each machine from the other in turn', async () => {
    await writeNote(laptop.memory, { title: 'Bad', body: `${secret} and other-secret-text\n` });
    await sync(laptop);
    await sync(desk);
    await writeNote(desk.memory, { title: 'Mine', body: 'other-secret-text\n' });
    await purge(laptop);
    await purge(laptop, { what: { kind: 'literal', text: 'other-secret-text' } });
    await sync(desk);
    expect(allObjects(memoryOf(desk))).not.toMatch(/correct-horse|other-secret/);
    await expectInSync();
    await writeNote(desk.memory, { title: 'Third', body: 'a third-secret here\n' });
    await sync(desk);
    await sync(laptop);
    await purge(desk, { what: { kind: 'literal', text: 'third-secret' } });
    await expectInSync();
    expect(allObjects(memoryOf(laptop))).not.toMatch(/third-secret/);
  });
  it.each([
    'purge:scan',
    'purge:made-portable',
    'purge:refs-portable',
    'purge:moved-portable',
    'purge:index',
    'purge:git-portable',
  ])('is followed to its end by the next sync when the first one stopped at %s', async (last) => {
    await writeNote(laptop.memory, { title: 'Bad', body: `${secret}\n` });
    await sync(laptop);
    await sync(desk);
    await writeNote(desk.memory, { title: 'Mine', body: `${secret}\n` });
    const before = await events(desk);
    await purge(laptop);
    await desk.memory.finish();
    const stopped = openStore({
      home: desk.home,
      machine: 'desk',
      step: (name) => {
        if (name === last) throw new Error('stopped');
      },
    });
    await expect(syncStore(stopped.memory, { environment: {} })).rejects.toThrow('stopped');
    await stopped.memory.finish();
    await sync(desk);
    expect(allObjects(memoryOf(desk))).not.toContain(secret);
    for (const id of before) expect(await events(desk)).toContain(id);
    await expectInSync();
  });
  it('is not followed without its record, nor when another note changed', async () => {
    await writeNote(laptop.memory, { title: 'Kept', body: 'one\n' });
    await writeNote(laptop.memory, { title: 'Bad', body: `${secret}\n` });
    await sync(laptop);
    await sync(desk);
    await purge(laptop);
    const [record = ''] = personsGit(remote, 'for-each-ref', '--format=%(refname)', 'refs/anamnesis/purges')
      .trim()
      .split('\n');
    const id = personsGit(remote, 'rev-parse', record).trim();
    personsGit(remote, 'update-ref', '-d', record);
    const before = headOf(memoryOf(desk));
    expect(await syncStore(desk.memory, { environment: {} })).toMatchObject({
      outcome: 'refused',
      trouble: { code: 'remote-rewritten' },
    });
    expect(headOf(memoryOf(desk))).toBe(before);
    personsGit(remote, 'update-ref', record, id);
    const clone = temporaryFolder();
    personsGit(clone, 'clone', '-q', remote, '.');
    const files = personsGit(clone, 'ls-files', '*.md').trim().split('\n');
    const kept = files.find((path) => readFileSync(join(clone, path), 'utf8').includes('title: Kept')) ?? '';
    personsGit(clone, 'filter-branch', '-f', '--tree-filter', `sed -i s/one/won/ ${kept} || true`, '--', 'main');
    personsGit(clone, 'push', '-q', '-f', 'origin', 'main');
    expect(await syncStore(desk.memory, { environment: {} })).toMatchObject({
      outcome: 'refused',
      trouble: { code: 'remote-rewritten' },
    });
    expect(headOf(memoryOf(desk))).toBe(before);
    rmSync(clone, { recursive: true, force: true });
  });

  it('is followed even by a machine that was told to rejoin, and the purged note stays gone', async () => {
    await writeNote(laptop.memory, { title: 'Kept' });
    const bad = await writeNote(laptop.memory, { title: 'Bad', body: `it is ${secret}\n` });
    await sync(laptop);
    await sync(desk);
    const own = await writeNote(desk.memory, { title: 'Of the desk' });
    await purge(laptop, { what: { kind: 'note', id: bad.id } });
    const answer = await syncStore(desk.memory, { rejoin: true, environment: {} });
    expect(answer).toMatchObject({ outcome: 'synced', pushed: 1, purged: [{ notes: [bad.id] }] });
    await expectInSync();
    expect(personsGit(remote, 'log', '-p', 'main')).not.toContain(secret);
    expect((await laptop.memory.show(own.id)).ok).toBe(true);
  });

  it('counts as a rewritten history for a machine told to rejoin when its record is missing', async () => {
    await writeNote(laptop.memory, { title: 'Bad', body: `it is ${secret}\n` });
    await sync(laptop);
    await sync(desk);
    await purge(laptop);
    const record = personsGit(remote, 'for-each-ref', '--format=%(refname)', 'refs/anamnesis/purges').trim();
    personsGit(remote, 'update-ref', '-d', record);
    const answer = await syncStore(desk.memory, { rejoin: true, environment: {} });
    expect(answer).toMatchObject({ outcome: 'synced', purged: [] });
    expect(personsGit(memoryOf(desk), 'for-each-ref', 'refs/anamnesis/rescue')).not.toBe('');
  });

  it('says that the remote does not let its history be replaced, and is published once it does', async () => {
    await writeNote(laptop.memory, { title: 'Bad', body: `${secret}\n` });
    await sync(laptop);
    personsGit(remote, 'config', 'receive.denyNonFastForwards', 'true');
    const done = await purgeEverywhere(laptop.memory, literal, { environment: {} });
    expect(done).toMatchObject({ ok: true, answer: { clean: true, remote: { published: false } } });
    expect(done.ok && done.answer.remote?.detail).toContain('does not let its history be replaced');
    personsGit(remote, 'config', 'receive.denyNonFastForwards', 'false');
    await sync(laptop);
    expect(personsGit(remote, 'log', '-p', 'main')).not.toContain(secret);
  });
});

describe('a purge that a remote claims', () => {
  /** Rewrites the remote's history with other words in its first commit, and adds a purge of what the lines name. */
  const claim = (purged: readonly string[], change: (folder: string) => void = () => undefined): void => {
    const work = join(remote, '..', 'work');
    personsGit(remote, 'clone', '-q', remote, work);
    const id = '01J00000000000000000000ZZZ';
    const old = headOf(work);
    personsGit(work, 'filter-branch', '-f', '--msg-filter', 'cat; echo "Mood: fine"', 'main');
    change(work);
    const record = [`Purge: ${id}`, `Old-Head: ${old}`, ...purged.map((line) => `Purged: ${line}`), 'Places: 1'];
    const told = ['Format: 1', `Event: ${id}`, 'Kind: notes.purged', 'At: 2026-06-24T18:33:07+00:00', ...record];
    personsGit(work, 'commit', '-q', '--allow-empty', '-m', `notes.purged: x\n\n${told.join('\n')}`);
    const tree = personsGit(work, 'hash-object', '-t', 'tree', '-w', '/dev/null').trim();
    const words = ['Format: 1', ...record, `New-Head: ${headOf(work)}`].join('\n');
    const ref = personsGit(work, 'commit-tree', '-m', `purge.recorded: ${id}\n\n${words}`, tree).trim();
    personsGit(work, 'push', '-q', '-f', 'origin', 'main', `${ref}:refs/anamnesis/purges/${id}`);
  };

  it('removes no machine-local note, nor a text that the shared history never lost', async () => {
    const shared = await writeNote(laptop.memory, { title: 'Shared', body: `it is ${secret}\n` });
    const local = await writeNote(laptop.memory, { title: 'Here', body: `${secret}\n`, scope: 'machine-local' });
    await sync(laptop);
    const { fingerprintOf, formatFingerprint } = await import('../../src/purge/rule/fingerprint.js');
    const text = `text ${formatFingerprint(fingerprintOf('01J00000000000000000000ZZZ', secret))}`;
    claim([`note ${local.id}`, text]);
    const answer = await syncStore(laptop.memory, { environment: {} });
    expect(answer).toMatchObject({ outcome: 'refused', trouble: { code: 'remote-rewritten' }, purged: [] });
    expect(await laptop.memory.show(local.id)).toMatchObject({ answer: { body: `${secret}\n` } });
    expect(await laptop.memory.show(shared.id)).toMatchObject({ answer: { body: `it is ${secret}\n` } });
  });

  it('is followed as far as the shared history proves it, and no further', async () => {
    const one = await writeNote(laptop.memory, { title: 'One', body: 'it is abcdefghij here\n' });
    const local = await writeNote(laptop.memory, { title: 'Here', body: 'abcdefghij\n', scope: 'machine-local' });
    const other = await writeNote(laptop.memory, { title: 'Other', scope: 'machine-local' });
    await sync(laptop);
    const path = `semantic/${one.id.slice(-2)}/${one.id}.md`;
    const { fingerprintOf, formatFingerprint } = await import('../../src/purge/rule/fingerprint.js');
    const text = `text ${formatFingerprint(fingerprintOf('01J00000000000000000000ZZZ', 'abcdefghij'))}`;
    claim([`note ${other.id}`, text], (work) => {
      const replace = `sed -i s/abcdefghij/[PURGED]/ ${path}`;
      personsGit(work, 'filter-branch', '-f', '--tree-filter', replace, 'main');
    });
    const answer = await syncStore(laptop.memory, { environment: {} });
    expect(answer).toMatchObject({ outcome: 'synced', purged: [{ notes: [], texts: 1, local: [local.id] }] });
    expect(await laptop.memory.show(one.id)).toMatchObject({ answer: { body: 'it is [PURGED] here\n' } });
    expect(await laptop.memory.show(local.id)).toMatchObject({ answer: { body: 'abcdefghij\n' } });
    expect((await laptop.memory.show(other.id)).ok).toBe(true);
  });

  it('is not followed for a text of only a few characters', async () => {
    const one = await writeNote(laptop.memory, { title: 'One', body: 'it is abcdefg here\n' });
    await sync(laptop);
    const path = `semantic/${one.id.slice(-2)}/${one.id}.md`;
    const { fingerprintOf, formatFingerprint } = await import('../../src/purge/rule/fingerprint.js');
    const text = `text ${formatFingerprint(fingerprintOf('01J00000000000000000000ZZZ', 'abcdefg'))}`;
    claim([text], (work) => {
      const replace = `sed -i s/abcdefg/[PURGED]/ ${path}`;
      personsGit(work, 'filter-branch', '-f', '--tree-filter', replace, 'main');
    });
    expect(await syncStore(laptop.memory, { environment: {} })).toMatchObject({ outcome: 'refused', purged: [] });
    expect(await laptop.memory.show(one.id)).toMatchObject({ answer: { body: 'it is abcdefg here\n' } });
  });
});
