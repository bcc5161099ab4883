import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitLines } from '../../src/import/lines.js';

const split = async (chunks: readonly Buffer[], maxBytes: number) => {
  const lines: (string | undefined)[] = [];
  for await (const { line, bytes } of splitLines(stream(chunks), maxBytes)) {
    lines.push(bytes?.toString('latin1'));
    expect(line).toBe(lines.length);
  }
  return lines;
};

async function* stream(chunks: readonly Buffer[]) {
  yield* chunks;
}

it('splits at line feeds however the bytes are cut into chunks', async () => {
  const chunk = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r') });
  await fc.assert(
    fc.asyncProperty(fc.array(chunk), async (texts) => {
      const expected = texts.join('').split('\n');
      if (expected.at(-1) === '') expected.pop();
      const chunks = texts.map((text) => Buffer.from(text));
      expect(await split(chunks, 1000)).toEqual(expected);
    }),
  );
});

it('gives a line that is too long without its bytes', async () => {
  expect(await split([Buffer.from('abc\nab'), Buffer.from('cd\n'), Buffer.from('abc')], 3)).toEqual([
    'abc',
    undefined,
    'abc',
  ]);
});
