import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptedHead, acceptHead, buildCommits } from '../../../src/events/git/branch.js';
import { openStore, type TestStore, writeNote } from '../../support/store.js';

describe('the lock of a ref below refs/anamnesis', () => {
  let store: TestStore;
  let lock = '';
  beforeEach(async () => {
    store = openStore();
    await writeNote(store.memory);
    lock = join(store.memory.journals.portable.folders.gitDir, 'refs', 'anamnesis', 'remote.lock');
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, '');
  });
  afterEach(async () => {
    await store.close();
  });

  it('is removed once it is so old that the git process that took it must have been killed', async () => {
    const { folders, head } = store.memory.journals.portable;
    const old = new Date(Date.now() - 11_000);
    utimesSync(lock, old, old);
    await acceptHead(folders, head() ?? '');
    expect(acceptedHead(folders)).toBe(head());
    expect(statSync(lock, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('is waited for while the git process that took it may still be running', async () => {
    const { folders, head } = store.memory.journals.portable;
    const accepted = acceptHead(folders, head() ?? '');
    await sleep(300);
    expect(acceptedHead(folders)).toBeUndefined();
    rmSync(lock);
    await accepted;
    expect(acceptedHead(folders)).toBe(head());
  });

  it('does not stop commits from being built', async () => {
    const { folders, head } = store.memory.journals.portable;
    const building = join(dirname(lock), 'building.lock');
    writeFileSync(building, '');
    const old = new Date(Date.now() - 11_000);
    utimesSync(building, old, old);
    const commit = { message: 'again\n', machine: 'box', epochMs: 0, changes: [] };
    expect(await buildCommits(folders, [commit], head())).toEqual([expect.stringMatching(/^[0-9a-f]{40}$/)]);
  });
});
