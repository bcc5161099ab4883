import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readLines } from '../../../src/agents/transcript/lines.js';
import { newFolder, putTranscript } from '../../support/transcripts.js';

type Seen = { readonly offset: number; readonly end: number; readonly hasLineFeed: boolean; readonly text: string };

const linesOf = async (content: string | Buffer, from = 0): Promise<readonly Seen[]> => {
  const seen: Seen[] = [];
  await readLines(putTranscript(content), from, ({ bytes, ...line }) => seen.push({ ...line, text: bytes.toString() }));
  return seen;
};

it('returns each line with its byte offsets', async () => {
  expect(await linesOf('один\n\nb')).toEqual([
    { offset: 0, end: 9, hasLineFeed: true, text: 'один' },
    { offset: 9, end: 10, hasLineFeed: true, text: '' },
    { offset: 10, end: 11, hasLineFeed: false, text: 'b' },
  ]);
  expect(await linesOf('')).toEqual([]);
});

it('stops where the file ended when it was opened, even if lines are appended as fast as they are read', async () => {
  const file = putTranscript('a\nb\nhal');
  const seen: string[] = [];
  await readLines(file, 0, ({ bytes }) => {
    seen.push(bytes.toString());
    if (seen.length < 1000) appendFileSync(file, 'f\nnext\n');
  });
  expect(seen).toEqual(['a', 'b', 'hal']);
});

it('starts at the given offset', async () => {
  expect((await linesOf('ab\ncd\n', 3)).map(({ text }) => text)).toEqual(['cd']);
  expect(await linesOf('ab\n', 50)).toEqual([]);
});

it('joins lines that span several chunks', async () => {
  const lines = Array.from({ length: 4000 }, (_, i) => `${i}:${'x'.repeat((i * 37) % 700)}`);
  const seen = await linesOf(lines.map((line) => `${line}\n`).join(''));
  expect(seen.map(({ text }) => text)).toEqual(lines);
  expect(seen.every(({ offset }, i) => offset === (seen[i - 1]?.end ?? 0))).toBe(true);
});

it.each([
  ['a little over the limit', 257 * 1024],
  ['longer than any buffer', 3 * 1024 * 1024],
])('shortens a line %s and keeps its offsets', async (_, bytes) => {
  const long = JSON.stringify({ type: 'user', data: 'A'.repeat(bytes), uuid: 'u' });
  const [first, second, third, ...rest] = await linesOf(`{"a":1}\n${long}\n{"b":2}\n`);
  expect(first?.text).toBe('{"a":1}');
  expect(second?.text.length).toBeLessThan(20_000);
  expect(JSON.parse(second?.text ?? '')).toMatchObject({ type: 'user', uuid: 'u' });
  expect(second).toMatchObject({ offset: 8, end: 8 + long.length + 1, hasLineFeed: true });
  expect(third).toMatchObject({ text: '{"b":2}', offset: 8 + long.length + 1 });
  expect(rest).toEqual([]);
});

it('shortens a long last line even without a line feed', async () => {
  const long = JSON.stringify({ data: 'A'.repeat(1024 * 1024), uuid: 'u' });
  const [line] = await linesOf(long);
  expect(line).toMatchObject({ offset: 0, end: long.length, hasLineFeed: false });
  expect(JSON.parse(line?.text ?? '')).toMatchObject({ uuid: 'u' });
});

it('returns an empty text for a long line that cannot be shortened', async () => {
  const [long, next] = await linesOf(`${'[1],'.repeat(200_000)}\nnext\n`);
  expect(long).toMatchObject({ text: '', end: 800_001 });
  expect(next?.text).toBe('next');
});

it('throws for a missing file and for a folder', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'a.jsonl'));
  await expect(readLines(join(folder, 'none.jsonl'), 0, () => undefined)).rejects.toThrow('ENOENT');
  await expect(readLines(join(folder, 'a.jsonl'), 0, () => undefined)).rejects.toThrow('not a regular file');
});
