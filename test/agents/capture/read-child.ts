/** Reads a transcript in a process of its own and says what that took, beside parsing its lines and nothing else. */
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
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

const peakMiB = peak() / 1024;

/** Lines at a time, never the whole file: it may be larger than a string. */
const parseLines = async (): Promise<number> => {
  const from = performance.now();
  for await (const line of createInterface({ input: createReadStream(file) })) JSON.parse(line);
  return performance.now() - from;
};

const parsedMs = await parseLines();
process.stdout.write(JSON.stringify({ turns: session.turns.length, bytes: session.bytes, ms, parsedMs, peakMiB }));
