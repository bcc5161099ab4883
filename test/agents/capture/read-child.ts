/** A child process that measures reading a transcript against only parsing its lines. */
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { readSession } from '../../../src/agents/capture/read-session.js';

const [file = ''] = process.argv.slice(2);
const started = performance.now();
const session = await readSession(file);
const ms = performance.now() - started;

/** In KiB, from the kernel's own counter if there is one: maxRSS also counts what the parent had when it forked. */
const peak = (): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
};

const peakMiB = peak() / 1024;

/** Reads line by line: the whole file may be longer than a string can be. */
const parseLines = async (): Promise<number> => {
  const from = performance.now();
  for await (const line of createInterface({ input: createReadStream(file) })) JSON.parse(line);
  return performance.now() - from;
};

const parsedMs = await parseLines();
process.stdout.write(JSON.stringify({ turns: session.turns.length, bytes: session.bytes, ms, parsedMs, peakMiB }));
