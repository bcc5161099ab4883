import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { showPast } from '../../src/app/past.js';
import { purgeEverywhere } from '../../src/app/purge-everywhere.js';
import type { Command } from '../../src/commands/handlers.js';
import { isRefusal } from '../../src/files/settings-file.js';
import type { Memory } from '../../src/store/memory.js';
import { setRemote } from '../../src/sync/remote.js';
import { syncStore } from '../../src/sync/syncing.js';
import { copyRemote } from '../support/copied-repositories.js';
import { openStore, personsGit, type TestStore, temporaryFolder, writeNote } from '../support/store.js';

let folder: string;
let bare: string;
const open: TestStore[] = [];

const machine = async (name: string): Promise<Memory> => {
  const store = openStore({ home: join(folder, name), machine: name });
  open.push(store);
  await store.memory.initialise();
  const set = await setRemote(store.memory, bare);
  if (isRefusal(set)) throw new Error(set.message);
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

const titles = async (memory: Memory): Promise<readonly string[]> =>
  (await memory.list({}, 100)).notes.map(({ title }) => title).sort();
const edit = (memory: Memory, id: string, title: string) =>
  memory.perform({ kind: 'edit', id, set: { title } } as Command);

/** Two machines have three notes; then somebody replaces the remote's history by one without the first commit's note. */
const rewritten = async () => {
  const [here, there] = [await machine('here'), await machine('there')];
  const gone = await writeNote(here, { title: 'Gone' });
  const kept = await writeNote(here, { title: 'Kept' });
  await syncStore(here);
  await syncStore(there);
  await there.finish();
  const git = (...args: readonly string[]): string => personsGit(there.journals.portable.folder, ...args).trim();
  const path = `semantic/${gone.id.slice(-2)}/${gone.id}.md`;
  return { here, there, gone, kept, git, path };
};

describe('a remote whose history was rewritten', () => {
  it('is refused, and nothing changes here', async () => {
    const { here, git, path } = await rewritten();
    git('checkout', '-q', '--orphan', 'new');
    git('rm', '-q', '--cached', path);
    git('commit', '-q', '-m', 'all anew');
    git('push', '-q', '--force', bare, 'new:main');
    const head = here.journals.portable.head();
    const answer = await syncStore(here);
    expect(answer).toMatchObject({ outcome: 'refused', trouble: { code: 'remote-rewritten' } });
    expect(answer.trouble?.next).toContain('anamnesis sync --accept-rewrite');
    expect(here.journals.portable.head()).toBe(head);
  });

  it('is taken with what only this machine has on top; a note is gone only if an event there says so', async () => {
    const { here, kept, git, path } = await rewritten();
    await edit(here, kept.id, 'Edited here');
    await writeNote(here, { title: 'New here' });
    git('checkout', '-q', '--orphan', 'new');
    git('rm', '-q', '--cached', path);
    git('commit', '-q', '-m', 'all anew');
    git('push', '-q', '--force', bare, 'new:main');
    await syncStore(here);
    const old = here.journals.portable.head() ?? '';
    const answer = await syncStore(here, { acceptRewrite: true });
    expect(answer).toMatchObject({ outcome: 'synced', pushed: 1, rescued: expect.stringContaining('rescue') });
    expect(await titles(here)).toEqual(['Edited here', 'Gone', 'New here']);
    const isOnTop = await here.journals.portable.contains(personsGit(bare, 'rev-parse', 'main').trim(), old);
    expect(isOnTop).toBe(false);
    await here.finish();
    expect(personsGit(here.journals.portable.folder, 'status', '--porcelain').trim()).toBe('');
  });

  it('takes its text of a note that it says was purged, and names ours', async () => {
    const { here, gone, git, path } = await rewritten();
    await edit(here, gone.id, 'Edited here');
    git('checkout', '-q', '--orphan', 'new');
    git('rm', '-q', '--cached', path);
    const purge = `notes.purged: a note\n\nFormat: 1\nEvent: 01K00000000000000000000000\nKind: notes.purged\nAt: 2026-06-24T18:33:07+00:00\nNote: ${gone.id}\nMachine: there\n`;
    git('commit', '-q', '-m', 'all anew');
    git('commit', '-q', '--allow-empty', '-m', purge);
    git('push', '-q', '--force', bare, 'new:main');
    const refused = await syncStore(here);
    expect(refused.trouble?.message).toContain(`there purged`);
    expect(refused.trouble?.message).toContain(gone.id);
    expect(await syncStore(here, { acceptRewrite: true })).toMatchObject({ outcome: 'synced', purged: [gone.id] });
    expect(await titles(here)).toEqual(['Kept']);
  });

  it('leaves nothing of the old history when that is asked for', async () => {
    const { here, kept, git, path } = await rewritten();
    const old = here.journals.portable.head() ?? '';
    git('checkout', '-q', '--orphan', 'new');
    git('rm', '-q', '--cached', path);
    git('commit', '-q', '-m', 'all anew');
    git('push', '-q', '--force', bare, 'new:main');
    const asked = { acceptRewrite: true, dropOld: true };
    const answer = await syncStore(here, asked);
    expect(answer).toMatchObject({ outcome: 'synced' });
    expect(answer.detail).not.toContain('is kept as');
    expect(() => personsGit(here.journals.portable.folder, 'cat-file', '-e', old)).toThrow();
    expect(await titles(here)).toContain('Kept');
    expect((await here.show(kept.id)).ok).toBe(true);
  });

  describe('by a purge of a text', () => {
    const secret = 'Hunter-Wombat-77';
    /** Returns the objects of the machine's journal that hold the secret. */
    const holding = (memory: Memory): readonly string[] => {
      const run = (...args: readonly string[]): string => personsGit(memory.journals.portable.folder, ...args);
      const ids = run('cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)')
        .trim()
        .split('\n');
      return ids.filter(
        (line) => line.endsWith('blob') && run('cat-file', '-p', line.split(' ')[0] ?? '').includes(secret),
      );
    };
    const purged = async () => {
      const [here, there] = [await machine('here'), await machine('there')];
      const note = await writeNote(there, { title: 'Runbook', body: `one\npassword ${secret}\nthree\n` });
      await syncStore(there);
      await syncStore(here);
      // A merge that was built here names the old history.
      await writeNote(here, { title: 'Own' });
      await writeNote(there, { title: 'Other' });
      await syncStore(there);
      await syncStore(here);
      await syncStore(there);
      return { here, there, note };
    };
    const purge = async (memory: Memory): Promise<void> => {
      const done = await purgeEverywhere(memory, { what: { kind: 'literal', text: secret } });
      expect(done).toMatchObject({ ok: true, answer: { status: 'purged', clean: true } });
    };

    it('leaves no object with that text on a machine that drops the old history', async () => {
      const { here, there } = await purged();
      await purge(there);
      expect((await syncStore(here)).trouble?.next).toContain('--accept-rewrite --drop-old');
      expect(await syncStore(here, { acceptRewrite: true, dropOld: true })).toMatchObject({ outcome: 'synced' });
      expect(holding(here)).toEqual([]);
    });

    it('keeps the old head while only it has what was changed here, until it is dropped', async () => {
      const { here, there, note } = await purged();
      await here.perform({ kind: 'edit', id: note.id, set: { body: `one\npassword ${secret}\nthree\nfour\n` } });
      await purge(there);
      const answer = await syncStore(here, { acceptRewrite: true, dropOld: true });
      expect(answer).toMatchObject({
        outcome: 'synced',
        purged: [note.id],
        rescued: expect.stringContaining('rescue'),
      });
      expect(answer.detail).toContain(`anamnesis show ${note.id} --at ${answer.rescued}`);
      const old = await showPast(here, note.id, answer.rescued ?? '', {});
      expect(old).toMatchObject({ ok: true, answer: { body: expect.stringContaining('four') } });
      await syncStore(here, { dropOld: true });
      expect(holding(here)).toEqual([]);
    });
  });

  it('gets ours again when it is an older state of it', async () => {
    const { here } = await rewritten();
    personsGit(bare, 'update-ref', 'refs/heads/main', personsGit(bare, 'rev-parse', 'main~1').trim());
    expect(await syncStore(here)).toMatchObject({ trouble: { code: 'remote-rewritten' } });
    expect(await syncStore(here, { acceptRewrite: true })).toMatchObject({ outcome: 'synced', pushed: 1 });
    expect(personsGit(bare, 'rev-parse', 'main').trim()).toBe(here.journals.portable.head());
  });
});
