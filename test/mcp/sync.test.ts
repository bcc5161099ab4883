import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setRemote } from '../../src/sync/remote.js';
import { syncStore } from '../../src/sync/syncing.js';
import { openStore, writeNote } from '../support/store.js';
import { connect, serverArguments, temporaryHome } from './support/server.js';

const args = serverArguments();
let home = '';
let remove: () => void;
let bare: string;
beforeEach(() => {
  ({ home, remove } = temporaryHome());
  mkdirSync(home, { recursive: true });
  bare = join(home, '..', `remote-${process.pid}.git`);
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
});
afterEach(() => {
  execFileSync('rm', ['-rf', bare]);
  remove();
});

/** Publishes a note from another machine. */
const publishElsewhere = async (title: string): Promise<void> => {
  const other = openStore();
  await setRemote(other.memory, bare);
  await writeNote(other.memory, { title });
  await syncStore(other.memory);
  await other.close();
};

describe('memory_sync', () => {
  it('fetches what another machine published and says how much', async () => {
    await publishElsewhere('Learned elsewhere');
    writeFileSync(join(home, 'config.json'), JSON.stringify({ remote: bare }));
    const server = await connect(args, home);
    expect(await server.ask('memory_sync', {})).toMatchObject({ pulled: 1, pushed: 0, conflicted: 0, indexed: 1 });
    const { hits } = await server.ask('memory_search', { query: 'learned elsewhere' });
    expect(hits).toHaveLength(1);
    await server.close();
  });

  it('of a store without a remote says that it is local only', async () => {
    const server = await connect(args, home);
    await server.ask('memory_write', { type: 'semantic', title: 'Here', body: 'only here' });
    expect(await server.ask('memory_sync', { force: true })).toMatchObject({ outcome: 'local-only', pushed: 0 });
    await server.close();
  });
});

describe('a running server', () => {
  it('syncs in both directions without being asked', async () => {
    writeFileSync(join(home, 'config.json'), JSON.stringify({ remote: bare, sync_seconds: 1 }));
    const server = await connect(args, home);
    await server.ask('memory_write', { type: 'semantic', title: 'From here', body: 'goes out' });
    await publishElsewhere('From there');
    const found = async (): Promise<boolean> =>
      (await server.ask('memory_search', { query: 'from there' })).hits.some(
        ({ title }: { title: string }) => title === 'From there',
      );
    const published = (): boolean =>
      execFileSync('git', ['-C', bare, 'log', '--format=%s', 'main'], { encoding: 'utf8' }).includes('From here');
    for (let wait = 0; wait < 200 && !((await found()) && published()); wait += 1) await sleep(100);
    expect(await found()).toBe(true);
    expect(published()).toBe(true);
    await server.close();
  });
});
