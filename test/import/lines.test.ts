import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitLines } from '../../src/import/files.js';

const split = async (chunks: readonly Buffer[], maxBytes: number) => {
  const lines: (readonly [number, string | undefined])[] = [];
  for await (const { line, bytes } of splitLines(stream(chunks), maxBytes))
    lines.push([line, bytes?.toString('latin1')]);
  return lines;
};

async function* stream(chunks: readonly Buffer[]) {
  yield* chunks;
}

it('splits at line feeds however the bytes are cut into chunks, and skips blank lines', async () => {
  const chunk = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', ' ', '\t') });
  await fc.assert(
    fc.asyncProperty(fc.array(chunk), async (texts) => {
      const numbered = texts
        .join('')
        .split('\n')
        .map((text, at) => [at + 1, text]);
      const chunks = texts.map((text) => Buffer.from(text));
      expect(await split(chunks, 1000)).toEqual(numbered.filter(([, text]) => `${text}`.trim() !== ''));
    }),
  );
});

it('yields a line that is too long without its bytes', async () => {
  expect(await split([Buffer.from('abc\nab'), Buffer.from('cd\n '), Buffer.from(' \n\nabc')], 3)).toEqual([
    [1, 'abc'],
    [2, undefined],
    [5, 'abc'],
  ]);
});
