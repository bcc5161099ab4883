/** A remote's purge may remove only proven text before a `…`, and from the words of commits. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { purgeEverywhere } from '../../src/app/purge-everywhere.js';
import { syncStore } from '../../src/sync/syncing.js';
import { personsGit, type TestStore, writeNote } from '../support/store.js';
import { sync, useTwoMachines } from './support/two-machines.js';

const secret = 'correct-horse-battery-staple';
const long = `begin ${'of what one machine alone wrote '.repeat(9)}end`;

let remote = '';
let laptop: TestStore;
let desk: TestStore;
useTwoMachines((machines) => {
  ({ remote, laptop, desk } = machines);
});
const headOf = ({ home }: TestStore): string => personsGit(join(home, 'memory'), 'rev-parse', 'main').trim();
const purge = async (text: string): Promise<void> => {
  const done = await purgeEverywhere(desk.memory, { what: { kind: 'literal', text } }, { environment: {} });
  expect(done).toMatchObject({ ok: true, answer: { remote: { published: true } } });
};
/** Rewrites the history that a purge published once more, as anyone who may push could. */
const rewrite = (...how: readonly string[]): void => {
  const work = join(remote, '..', 'work');
  personsGit(remote, 'clone', '-q', remote, work);
  personsGit(work, 'filter-branch', '-f', ...how, '--', 'main');
  personsGit(work, 'push', '-q', '-f', 'origin', 'main');
};
const expectRefused = async (): Promise<void> => {
  const before = headOf(laptop);
  expect(await syncStore(laptop.memory, { environment: {} })).toMatchObject({
    outcome: 'refused',
    trouble: { code: 'remote-rewritten' },
    purged: [],
  });
  expect(headOf(laptop)).toBe(before);
};

/** Purges a text that only the desk wrote, once both machines have it. */
const purgeLongText = async (): Promise<void> => {
  await sync(laptop);
  await sync(desk);
  await writeNote(desk.memory, { title: 'Of the desk', body: `${long}\n` });
  await sync(desk);
  await sync(laptop);
  await purge(long);
};

describe('a text before a …', () => {
  it('is not removed because a longer text was purged elsewhere', async () => {
    const { id } = await writeNote(laptop.memory, { title: 'Rules', body: 'No deploys on Friday… ask Ana\n' });
    await purgeLongText();
    rewrite('--tree-filter', `sed -i 's/^No deploys on Friday…/[PURGED]…/' semantic/*/${id}.md || true`);
    await expectRefused();
    expect(await laptop.memory.show(id)).toMatchObject({ answer: { body: 'No deploys on Friday… ask Ana\n' } });
  });

  it('stays in the words of a commit too', async () => {
    const { id } = await writeNote(laptop.memory, { title: 'Rules' });
    await laptop.memory.perform({ kind: 'forget', id, reason: 'No deploys on Friday… ask Ana' });
    await writeNote(laptop.memory, { title: `Of Friday ${'and on '.repeat(20)}` });
    await purgeLongText();
    const purged = headOf(desk);
    rewrite('--msg-filter', "sed 's/^Reason: No deploys.*/Reason: [PURGED]/'");
    await expectRefused();
    rmSync(join(remote, '..', 'work'), { recursive: true, force: true });
    personsGit(remote, 'fetch', '-q', join(desk.home, 'memory'), `+${purged}:refs/heads/main`);
    rewrite('--msg-filter', "sed 's/Of Friday.*…/[PURGED]/'");
    await expectRefused();
  });

  it('is removed when it begins a purged text that stood whole elsewhere', async () => {
    const cut = secret.slice(0, 15);
    const prompt = await writeNote(laptop.memory, { title: `Asked: "it is ${cut}…"`, body: `and ${cut}… was it\n` });
    await writeNote(laptop.memory, { title: `${'a b c '.repeat(14)}${secret} is long`, body: `it is ${secret}\n` });
    await sync(laptop);
    await sync(desk);
    await purge(secret);
    await sync(laptop);
    expect(headOf(laptop)).toBe(headOf(desk));
    expect(await laptop.memory.show(prompt.id)).toMatchObject({
      answer: { title: 'Asked: "it is [PURGED]…"', body: 'and [PURGED]… was it\n' },
    });
    const folder = join(laptop.home, 'memory');
    expect(personsGit(folder, 'cat-file', '--batch-all-objects', '--batch', '--buffer')).not.toContain(cut);
  });

  it('is removed from a subject that only its event cuts', async () => {
    await laptop.memory.finish();
    const folder = join(laptop.home, 'memory');
    await writeNote(laptop.memory, { title: 'Here', body: `it is ${secret}\n` });
    await laptop.memory.finish();
    personsGit(
      folder,
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      `${'a word '.repeat(13)}${secret} and ${'more '.repeat(20)}`,
    );
    await sync(laptop);
    await sync(desk);
    await purge(secret);
    await sync(laptop);
    expect(headOf(laptop)).toBe(headOf(desk));
    expect(personsGit(folder, 'log', '--format=%B')).not.toContain(secret);
  });
});

describe('a file whose path held a purged text', () => {
  it('keeps its content', async () => {
    const { path = '' } = await writeNote(laptop.memory, { title: 'Rules', body: 'one\n' });
    await laptop.memory.finish();
    const folder = join(laptop.home, 'memory');
    const place = path.slice(folder.length + 1);
    const moved = place.replace('/', `/${secret}-`);
    mkdirSync(join(folder, moved, '..'), { recursive: true });
    personsGit(folder, 'mv', place, moved);
    personsGit(folder, 'commit', '-qm', 'moved');
    await writeNote(laptop.memory, { title: 'Here', body: `it is ${secret}\n` });
    await sync(laptop);
    await sync(desk);
    await purge(secret);
    rewrite('--tree-filter', "sed -i 's/^one$/two/' semantic/*PURGED*/*.md || true");
    await expectRefused();
    personsGit(remote, 'fetch', '-q', join(desk.home, 'memory'), '+main:refs/heads/main');
    await sync(laptop);
    expect(headOf(laptop)).toBe(headOf(desk));
  });
});
