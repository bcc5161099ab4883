/**
 * Writes notes one after another to a shared store, once a line arrives on standard input. Prints when each write
 * began, in epoch milliseconds, and how long it took.
 */
import { once } from 'node:events';
import { Memory } from '../../src/store/memory.js';

const [home = '', name = '', countText = '100'] = process.argv.slice(2);
const memory = new Memory({ home, machine: name, user: 'self' });
await memory.initialise();
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const waits: (readonly [number, number])[] = [];
for (let at = 0; at < Number(countText); at += 1) {
  const started = performance.now();
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
  waits.push([performance.timeOrigin + started, performance.now() - started]);
  if (outcome.status !== 'recorded') throw new Error(JSON.stringify(outcome));
}
await memory.finish();
process.stdout.write(`${JSON.stringify(waits)}\n`);
process.stdin.destroy();
