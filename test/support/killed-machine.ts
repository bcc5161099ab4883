/**
 * One of several machines: runs the commands and syncs of its task, and kills itself (SIGKILL) at the n-th step. Prints
 * one JSON line after each of them.
 */
import { writeSync } from 'node:fs';
import { undoEvent } from '../../src/app/undoing.js';
import { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import type { ChildLine, ChildTask } from '../faults/support/machines-sync.js';

const task: ChildTask = JSON.parse(process.argv[2] ?? '');
const startedMs = Date.now();
let steps = 0;
const memory = new Memory(
  { home: task.home, machine: task.machine, user: 'self' },
  {
    nowMs: () => task.nowMs + Date.now() - startedMs,
    step: () => {
      steps += 1;
      if (steps === task.killAt) process.kill(process.pid, 'SIGKILL');
    },
  },
);
const print = (line: ChildLine): void => {
  writeSync(1, `${JSON.stringify(line)}\n`);
};

for (const [at, action] of task.actions.entries()) {
  if (action.kind === 'sync') {
    const { outcome, detail } = await syncStore(memory);
    print({ at, status: 'recorded', outcome, detail });
  } else if (action.kind === 'adopt') {
    await memory.adopt('hold');
    print({ at, status: 'recorded', outcome: 'adopted' });
  } else if (action.kind === 'take-back') {
    const found = await undoEvent(memory, action.event);
    print({ at, status: 'recorded', outcome: found.ok ? found.answer.answer.status : found.refusal.code });
  } else {
    const answer = await memory.perform(action);
    if (answer.status === 'refused') print({ at, status: 'refused', code: answer.refusal.code });
    else {
      const { status, event, note } = answer;
      print({ at, status, eventId: event?.id, noteId: note?.id, scope: note?.scope });
    }
  }
}
await memory.finish();
