/** Purges a text and kills itself (SIGKILL) at the n-th step. Prints the steps that it reached. */
import { writeSync } from 'node:fs';
import { purgeStore } from '../../src/purge/purging.js';
import { Memory } from '../../src/store/memory.js';

const [home = '', text = '', stepText = '0'] = process.argv.slice(2);

let steps = 0;
const memory = new Memory(
  { home, machine: 'killbox', user: 'self' },
  {
    step: (name) => {
      steps += 1;
      writeSync(1, `${name}\n`);
      if (steps === Number(stepText)) process.kill(process.pid, 'SIGKILL');
    },
  },
);
const done = await purgeStore(memory, { what: { kind: 'literal', text } });
writeSync(1, `${done.ok && done.answer.clean ? 'clean' : 'not clean'}\n`);
await memory.finish();
