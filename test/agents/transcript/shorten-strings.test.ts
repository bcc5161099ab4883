import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Shortening } from '../../../src/agents/transcript/shorten-strings.js';

/** The most bytes kept of a string, plus a few if a character would be halved. */
const keptBytes = 16 * 1024;

const shortenInChunks = (bytes: Buffer, sizes: readonly number[]): Buffer | undefined => {
  const shortening = new Shortening();
  let at = 0;
  for (let i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % Math.max(1, sizes.length)] ?? bytes.length;
    shortening.add(bytes.subarray(at, at + size));
    at += size;
  }
  return shortening.take();
};

const chunkSizes = fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 5 });

describe('shortening JSON', () => {
  it('leaves a value of short strings alone, however it is chunked', () => {
    fc.assert(
      fc.property(fc.json(), chunkSizes, (json, sizes) => {
        expect(shortenInChunks(Buffer.from(json), sizes)?.toString()).toBe(json);
      }),
    );
  });

  it('keeps the beginning of a long string and everything after the string', () => {
    const text = fc.array(fc.constantFrom('a'.repeat(900), 'Ж', '😀', '"', '\\', '\\\\"', '\n', '\u0001', 'é'), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, fc.boolean(), chunkSizes, (parts, isEscaped, sizes) => {
        const long = parts.join('').padEnd(3000, 'x').repeat(9);
        const json = JSON.stringify({ before: 1, long, after: ['last', { "it's": true }] });
        const written = isEscaped ? escapeAll(json) : json;
        const value = JSON.parse(shortenInChunks(Buffer.from(written), sizes)?.toString() ?? '');
        expect(value.after).toEqual(['last', { "it's": true }]);
        // Marks that it was cut.
        expect(value.long.endsWith('\0')).toBe(true);
        const kept = String(value.long)
          .slice(0, -1)
          .replace(/[\ud800-\udbff]$/, '');
        expect(long.startsWith(kept)).toBe(true);
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(keptBytes + 8);
        expect(kept.length).toBeGreaterThan(2000);
      }),
    );
  });

  it('does not close a string that is never closed', () => {
    const shortened = shortenInChunks(Buffer.from(`{"image":"${'A'.repeat(300_000)}`), [1000]);
    expect(() => JSON.parse(shortened?.toString() ?? '')).toThrow();
  });

  it('finds the end of a long string after an escaped quote that two chunks share', () => {
    const json = `{"a":"${'x'.repeat(20_000)}\\"${'y'.repeat(100)}\\\\","b":2}`;
    const split = json.indexOf('\\"') + 1;
    expect(JSON.parse(shortenInChunks(Buffer.from(json), [split])?.toString() ?? '').b).toBe(2);
  });

  it('gives up on a value that stays large, and then starts afresh', () => {
    const shortening = new Shortening();
    shortening.add(Buffer.from(JSON.stringify(Array.from({ length: 50_000 }, (_, i) => `item ${i}`))));
    expect(shortening.take()).toBeUndefined();
    shortening.add(Buffer.from('{"a":1}'));
    expect(shortening.take()?.toString()).toBe('{"a":1}');
  });
});

const escapeAll = (json: string): string =>
  json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
