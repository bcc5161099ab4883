/** A remote that disconnects, lies or is damaged: it is never reported as success, and syncs work again afterwards. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replayStore } from '../../src/maintenance/replaying.js';
import { Memory } from '../../src/store/memory.js';
import { setRemote } from '../../src/sync/remote.js';
import { syncStore } from '../../src/sync/syncing.js';
import { personsGit, temporaryFolder, writeNote } from '../support/store.js';

let folder: string;
let bare: string;
const opened: Memory[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  bare = join(folder, 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
});
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.finish();
  delete process.env['GIT_SSH_COMMAND'];
  rmSync(folder, { recursive: true, force: true });
});

const open = async (machine: string, address = bare): Promise<Memory> => {
  const memory = new Memory({ home: join(folder, machine), machine, user: 'self' });
  opened.push(memory);
  await memory.initialise();
  await setRemote(memory, address);
  return memory;
};

/** Installs a hook in the remote, where git runs it. */
const hook = (name: string, script: string): void => {
  const path = join(bare, 'hooks', name);
  mkdirSync(join(bare, 'hooks'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
};

/** Sets an ssh for git that runs the command here and passes on at most this many bytes of its output. */
const cuttingSsh = (bytes: number | undefined): void => {
  const path = join(folder, 'ssh');
  // The shell itself must not keep open the pipe that git reads.
  const run = bytes === undefined ? 'exec sh -c "$last"' : `{ sh -c "$last" | head -c ${bytes}; } <&0 & exec >&-; wait`;
  writeFileSync(path, `#!/bin/sh\nfor last; do :; done\n${run}\n`);
  chmodSync(path, 0o755);
  process.env['GIT_SSH_COMMAND'] = path;
};

const headOf = (repository: string): string => {
  try {
    return personsGit(repository, 'rev-parse', '--verify', '--quiet', 'refs/heads/main').trim();
  } catch {
    return '';
  }
};
const isWhole = async (memory: Memory): Promise<void> => {
  expect((await replayStore(memory, { verify: true, workers: 1 })).differs ?? []).toEqual([]);
  personsGit(memory.journals.portable.folder, 'fsck', '--full', '--no-dangling');
};

describe('a remote', () => {
  it('that dies during a push is reported, and the next sync publishes', async () => {
    const one = await open('one');
    await writeNote(one, { title: 'First' });
    hook('pre-receive', 'kill -9 $PPID');
    const failed = await syncStore(one);
    expect(failed.outcome).not.toBe('synced');
    expect(failed).toMatchObject({ pushed: 0, trouble: { message: expect.stringMatching(/./) } });
    expect(headOf(bare)).toBe('');
    rmSync(join(bare, 'hooks'), { recursive: true });
    expect(await syncStore(one)).toMatchObject({ outcome: 'synced', pushed: 1 });
    expect(headOf(bare)).toBe(one.journals.portable.head());
    await isWhole(one);
  });

  it('that accepts a push and then resets its branch is found out by asking it again', async () => {
    const one = await open('one');
    await writeNote(one, { title: 'First' });
    await syncStore(one);
    const before = headOf(bare);
    hook('post-receive', `git update-ref refs/heads/main ${before}`);
    await writeNote(one, { title: 'Second' });
    const lied = await syncStore(one);
    expect(lied).toMatchObject({ outcome: 'refused', pushed: 0, trouble: { code: 'damaged' } });
    expect(lied.detail).toContain('does not have the commits');
    rmSync(join(bare, 'hooks'), { recursive: true });
    expect(await syncStore(one)).toMatchObject({ outcome: 'synced', pushed: 1 });
    await isWhole(one);
  });

  it('that rejects a push is reported, and its notes have been pulled all the same', async () => {
    const one = await open('one');
    const two = await open('two');
    await writeNote(one, { title: 'Of one' });
    await syncStore(one);
    hook('pre-receive', 'echo "this repository is closed" >&2; exit 1');
    await writeNote(two, { title: 'Of two' });
    expect(await syncStore(two)).toMatchObject({
      outcome: 'refused',
      pulled: 1,
      pushed: 0,
      trouble: { code: 'refused' },
    });
    expect((await two.list({}, 10)).notes.map(({ title }) => title).sort()).toEqual(['Of one', 'Of two']);
    await isWhole(two);
  });

  it('that disconnects while sending changes nothing here', async () => {
    const one = await open('one');
    for (let at = 0; at < 20; at += 1) await writeNote(one, { title: `Note ${at}`, body: `${at}`.repeat(3000) });
    await syncStore(one);
    const two = await open('two', `host:${bare}`);
    for (const bytes of [0, 100, 600, 2000, 5000]) {
      cuttingSsh(bytes);
      const failed = await syncStore(two);
      expect(failed.outcome, `${bytes} bytes`).not.toBe('synced');
      expect(two.journals.portable.head()).toBeUndefined();
    }
    cuttingSsh(undefined);
    expect(await syncStore(two)).toMatchObject({ outcome: 'synced', pulled: 20 });
    await isWhole(two);
  });

  it('whose pack is damaged is reported, and nothing is pulled from it', async () => {
    const one = await open('one');
    for (let at = 0; at < 20; at += 1) await writeNote(one, { title: `Note ${at}`, body: `${at}`.repeat(3000) });
    await syncStore(one);
    personsGit(bare, 'repack', '-adq');
    const packs = join(bare, 'objects', 'pack');
    const pack = readdirSync(packs).find((name) => name.endsWith('.pack')) ?? '';
    chmodSync(join(packs, pack), 0o600);
    truncateSync(join(packs, pack), 2000);
    const two = await open('two');
    const failed = await syncStore(two);
    expect(failed.outcome).not.toBe('synced');
    expect(failed.trouble?.message).toMatch(/./);
    expect(two.journals.portable.head()).toBeUndefined();
    // A machine that still has every note can publish to a new remote.
    rmSync(bare, { recursive: true });
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
    expect(await syncStore(one, { seed: true })).toMatchObject({ outcome: 'synced', pushed: 20 });
    expect(await syncStore(two)).toMatchObject({ outcome: 'synced', pulled: 20 });
  });

  it('whose branch names a missing commit is not mistaken for an empty one', async () => {
    const one = await open('one');
    await writeNote(one, { title: 'First' });
    await syncStore(one);
    writeFileSync(join(bare, 'refs', 'heads', 'main'), `${'1'.repeat(40)}\n`);
    await writeNote(one, { title: 'Second' });
    const failed = await syncStore(one);
    expect(failed.outcome).not.toBe('synced');
    expect(failed.pushed).toBe(0);
    await isWhole(one);
  });

  it('whose branch a killed git left locked is reported, and gets everything once the lock is gone', async () => {
    const one = await open('one');
    await writeNote(one);
    await syncStore(one);
    const { title } = await writeNote(one, { title: 'Waits for the lock' });
    const lock = join(bare, 'refs', 'heads', 'main.lock');
    writeFileSync(lock, '');
    const answer = await syncStore(one);
    expect(answer).toMatchObject({ outcome: 'refused', pushed: 0 });
    expect(answer.trouble?.next).toContain('refs/heads/main.lock');
    rmSync(lock);
    expect(await syncStore(one)).toMatchObject({ outcome: 'synced', pushed: 1 });
    expect(personsGit(bare, 'log', '-1', '--format=%s', 'main')).toContain(title);
  });
});
