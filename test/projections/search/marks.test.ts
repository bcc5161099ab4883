import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showWords, snippetFrom } from '../../../src/projections/search/snippet.js';

const show = (body: string, words: readonly string[]) => showWords({ title: '', body, lists: [] }, words);
const markedIn = ({ snippet, marks }: ReturnType<typeof snippetFrom>): readonly string[] =>
  marks.map(([begin, end]) => snippet.slice(begin, end));

describe('the marks of a snippet', () => {
  it('are where it has words of the query, in any form', () => {
    expect(markedIn(show('Queries are cached, each query once.', ['query', 'caching']))).toEqual([
      'Queries',
      'cached',
      'query',
    ]);
  });

  it('leave out words that only begin like one', () => {
    expect(markedIn(show('The username is useful.', ['use']))).toEqual(['useful']);
  });

  it('cover only the part of an identifier that is the word', () => {
    expect(markedIn(show('call RetryRequest(max_retries)', ['retry', 'max']))).toEqual(['Retry', 'max', 'retries']);
    // Whatever else is in the text: a long one is cut with a … in it.
    expect(markedIn(show('“RetryRequest” – größer …', ['retry']))).toEqual(['Retry']);
  });

  it('cover scripts without spaces, and words beyond ASCII', () => {
    expect(markedIn(show('数据库迁移失败', ['迁移']))).toEqual(['迁移']);
    expect(markedIn(show('Die Straßen der Städte', ['straße', 'städte']))).toEqual(['Straßen', 'Städte']);
  });

  it('refer to the part that is shown, if the text is cut', () => {
    const body = `${'lorem ipsum '.repeat(40)}the pool is small ${'lorem ipsum '.repeat(40)}`;
    const shown = show(body, ['pool', 'small']);
    expect(shown.snippet).toMatch(/^….*…$/);
    expect(markedIn(shown)).toEqual(['pool', 'small']);
  });

  it('are in order, do not overlap, and enclose only letters inside the snippet', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('needle', 'Needles', 'needlework', '迁移', 'x迁移', 'İneedle', '_needle_', 'pool', 'poolPool'),
    );
    const words = fc.subarray(['needle', 'pool', '迁移', 'needles', 'po']);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom(' ', '\n', ''), words, (pieces, gap, asked) => {
        const { snippet, marks } = show(pieces.join(gap), asked);
        let done = 0;
        for (const [begin, end] of marks) {
          expect(begin).toBeGreaterThanOrEqual(done);
          expect(end).toBeGreaterThan(begin);
          expect(end).toBeLessThanOrEqual(snippet.length);
          expect(snippet.slice(begin, end)).toMatch(/^[\p{L}\p{N}\p{M}\p{Co}]+$/u);
          done = end;
        }
      }),
    );
  });
});

describe('the part of a body from a given place', () => {
  it('begins there, on one line, with its marks', () => {
    const body = `${'lorem ipsum '.repeat(30)}\nthe vehicle\nruns ${'dolor sit '.repeat(40)}`;
    const part = snippetFrom(body, body.indexOf('the vehicle'), ['runs']);
    expect(part.snippet).toMatch(/^…the vehicle runs dolor .*…$/);
    expect(markedIn(part)).toEqual(['runs']);
  });

  it('is the whole body if that is short', () => {
    expect(snippetFrom('a short\nbody', 3, []).snippet).toBe('a short\nbody');
  });
});
