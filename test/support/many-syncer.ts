/**
 * Syncs a store over and over until a line arrives on standard input; with the argument `writes`, writes a note before
 * each sync. Prints when each sync began and ended, in epoch milliseconds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Memory } from '../../src/store/memory.js';
import { setRemote } from '../../src/sync/remote.js';
import { syncStore } from '../../src/sync/syncing.js';

const [home = '', name = '', remote = '', writes = ''] = process.argv.slice(2);
const memory = new Memory({ home, machine: name, user: 'self' });
await memory.initialise();
await setRemote(memory, remote);
let isOver = false;
process.stdin.once('data', () => {
  isOver = true;
});
process.stdout.write('ready\n');

const syncs: (readonly [number, number])[] = [];
for (let at = 0; !isOver; at += 1) {
  if (writes === 'writes') {
    const outcome = await memory.submit({
      kind: 'write',
      type: 'semantic',
      title: `${name} note ${at}`,
      body: `written by ${name}, number ${at}\n`,
      project: 'p',
      scope: 'portable',
      tags: [],
      keywords: [],
      supersedes: [],
    });
    if (outcome.status !== 'recorded') throw new Error(JSON.stringify(outcome));
  }
  const began = Date.now();
  const { outcome, detail } = await syncStore(memory);
  syncs.push([began, Date.now()]);
  if (outcome !== 'synced') throw new Error(`${outcome}: ${detail}`);
  await sleep(50);
}
await memory.finish();
process.stdout.write(`${JSON.stringify(syncs)}\n`);
process.stdin.destroy();
