/** Reads a transcript in a process of its own and says what that took. */
import { readFileSync } from 'node:fs';
import { readSession } from '../../../src/agents/capture/read-session.js';

const [file = ''] = process.argv.slice(2);
const started = performance.now();
const session = await readSession(file);
const ms = performance.now() - started;

/** KiB. The kernel's own counter where there is one: maxRSS also counts what the parent had when it forked. */
const peak = (): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
};

process.stdout.write(JSON.stringify({ turns: session.turns.length, bytes: session.bytes, ms, peakMiB: peak() / 1024 }));
