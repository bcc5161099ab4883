import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { workerFlags } from '../../../src/agents/hooks/start-worker.js';
import { startChild } from '../../support/children.js';
import { newFolder, putTranscript, Transcript, typicalTranscript } from '../../support/transcripts.js';

type Read = {
  readonly turns: number;
  readonly bytes: number;
  readonly ms: number;
  readonly parsedMs: number;
  readonly peakMiB: number;
};

const readInChild = async (file: string, folder: string): Promise<Read> => {
  const child = join(folder, 'read-child.mjs');
  await build({
    entryPoints: [join(process.cwd(), 'test/agents/capture/read-child.ts')],
    outfile: child,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  const { code, stdout, stderr } = await startChild(child, [file], workerFlags).ended;
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

/** A megabyte of an agent's work: prompts, long outputs, edits, failures, and texts in several scripts. */
const megabyte = (): Buffer => {
  const t = typicalTranscript({ seed: 0xabcdef });
  for (let i = 0; t.bytes < 1_000_000; i += 1) {
    if (i % 12 === 0) t.prompt(`Prompt ${i}: please look at the checkout again. Пожалуйста, ещё раз. 😀`);
    t.reply(`I look at part ${i}. ${'It is slow because of the totals. '.repeat(20)}`);
    t.tool('Read', { file_path: `/work/shop/src/${i}.ts` }, { result: 'const line = 1;\n'.repeat((i % 40) * 20) });
    t.tool('Edit', { file_path: `/work/shop/src/${i % 30}.ts`, new_string: 'x'.repeat(2000) }, { toolUseResult: {} });
    t.run(`npm test -- ${i % 7}`, i % 5 === 0 ? `Exit code 1\n${'error: broken\n'.repeat(300)}` : undefined);
  }
  return Buffer.from(t.text());
};

/** Writes the megabyte repeatedly, each time with new uuids, and a 4 MiB image after every 40th. */
const writeTranscript = (file: string, bytes: number): void => {
  const part = megabyte();
  const places: number[] = [];
  for (let at = part.indexOf('00abcdef-'); at !== -1; at = part.indexOf('00abcdef-', at + 1)) places.push(at);
  const image = new Transcript({ seed: 0xfedcba });
  image.prompt([
    { type: 'image', source: { data: 'A'.repeat(4 * 1024 * 1024) } },
    { type: 'text', text: 'See?' },
  ]);
  const imageLine = Buffer.from(image.text().replaceAll('00fedcba-', '00abcdef-'));
  const handle = openSync(file, 'w');
  for (let written = 0, round = 0; written < bytes; round += 1) {
    const seed = round.toString(16).padStart(8, '0');
    for (const at of places) part.write(seed, at, 'latin1');
    written += writeSync(handle, part);
    if (round % 40 !== 39) continue;
    imageLine.write(`f${seed.slice(1)}`, imageLine.indexOf('"uuid":"') + 8, 'latin1');
    written += writeSync(handle, imageLine);
  }
  closeSync(handle);
};

it('reads a transcript of 500 MB in less than 80 MiB', async () => {
  const folder = newFolder();
  const file = join(folder, 'session-1.jsonl');
  writeTranscript(file, 500_000_000);
  const read = await readInChild(file, folder);
  // 80 MiB is the limit for a Node that uses 45 MiB when idle; newer versions use more.
  const { peakMiB: bare } = await readInChild(putTranscript('', 'empty.jsonl', folder), folder);
  const limit = 80 + Math.max(0, bare - 45);
  const speed = read.bytes / 1e6 / (read.ms / 1000);
  console.log(
    `500 MB: ${Math.round(speed)} MB/s, peak ${Math.round(read.peakMiB)} MiB (an empty one: ${Math.round(bare)})`,
  );
  expect(read.bytes).toBe(statSync(file).size);
  expect(read.turns).toBe(1000);
  expect(read.peakMiB).toBeGreaterThan(20);
  expect(read.peakMiB).toBeLessThan(limit);
}, 180_000);

it('reads a transcript of 10 MB in a fraction of a second', async () => {
  const folder = newFolder();
  const file = join(folder, 'session-1.jsonl');
  writeTranscript(file, 10_000_000);
  const read = await readInChild(file, folder);
  const times = read.ms / read.parsedMs;
  console.log(
    `10 MB: ${Math.round(read.ms)} ms, ${times.toFixed(1)} times as long as parsing alone, peak ${Math.round(read.peakMiB)} MiB`,
  );
  expect(read.bytes).toBe(statSync(file).size);
  // Usually 8 to 13 times as long: a fraction of a second where parsing alone takes 30 ms.
  expect(times).toBeLessThan(25);
});
