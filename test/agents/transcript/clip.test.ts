import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, clip, clipMiddle, clipStart } from '../../../src/agents/transcript/clip.js';
import { processorMs } from '../../support/processor-time.js';

const cuts = [clip, clipStart, clipMiddle] as const;
const anyText = fc.string({ unit: fc.constantFrom('a', ' ', '\n', 'é', '😀', '👩‍👩‍👧', 'Ж', '.'), maxLength: 200 });

describe('cutting', () => {
  it('never passes the limit, never halves a character and leaves short texts alone', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 120 }), (text, limit) => {
        for (const cut of cuts) {
          const short = cut(text, limit);
          expect(short.length).toBeLessThanOrEqual(Math.max(limit, 0));
          expect(short.isWellFormed()).toBe(true);
          if (text.length <= limit) expect(short).toBe(text);
        }
      }),
    );
  });

  it('ends at a word if one ends nearby', () => {
    expect(clip('the quick brown fox jumps over', 18)).toBe('the quick brown…');
    expect(clip('x'.repeat(30), 10)).toBe(`${'x'.repeat(9)}…`);
    expect(clipStart('the quick brown fox jumps over', 14)).toBe('…jumps over');
  });

  it('drops a separator that a cut leaves at the end', () => {
    expect(clip('one thing · another thing that is long', 14)).toBe('one thing…');
  });

  it('keeps both ends of a text that is cut in the middle', () => {
    const cut = clipMiddle(`begin ${'x '.repeat(500)}end`, 100);
    expect(cut.startsWith('begin')).toBe(true);
    expect(cut.endsWith('end')).toBe(true);
    expect(cut.length).toBeLessThanOrEqual(100);
  });

  it('masks a secret that it would cut in half', () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    const text = `${'word '.repeat(6)}${secret} ${'word '.repeat(30)}`;
    for (let limit = 20; limit < 100; limit += 1) expect(clip(text, limit)).not.toMatch(/ghp_|a1B2/);
    expect(clipStart(`${secret} ${'word '.repeat(6)}`, 40)).not.toContain('J0');
  });
});

describe('cleaning', () => {
  it('removes terminal codes and control characters', () => {
    expect(cleanText('\u001b[31mred\u001b[0m \u0000\u0007bell\r\nnext\u2028line\ufeff', 100)).toBe(
      'red bell\nnext\nline',
    );
    expect(cleanText('\u001b]0;title\u0007shown', 100)).toBe('shown');
  });

  it('replaces half characters', () => {
    expect(cleanText('a\ud83d', 10)).toBe('a\ufffd');
    expect(cleanText('😀😀', 3).isWellFormed()).toBe(true);
  });

  it('takes no longer for a huge text', () => {
    const started = processorMs();
    cleanText('\u001b[1;'.repeat(5_000_000), 5000);
    expect(processorMs() - started).toBeLessThan(200);
  });
});
