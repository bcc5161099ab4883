import { describe, expect, it } from 'vitest';
import { printOf as bytesOf, wordsOfPrint } from '../../../../src/projections/prints/print.js';
import { formScores } from '../../../../src/projections/search/word-scores.js';

const printOf = (parts: readonly string[]): Uint32Array => wordsOfPrint(bytesOf(parts));
const total = 1000;
const go = { word: 'go', notes: 40, forms: [{ word: 'went', notes: 5 }] };
const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit';
/** Returns the scores added for bodies of about equal length. */
const added = (...bodies: readonly string[]): readonly number[] =>
  formScores(
    [go],
    total,
    bodies.map((body) => printOf(['title', `${body} ${filler}`, ''])),
  );

describe('the score added for other forms', () => {
  it('is 0 where no word has other forms, for a note without them, and for a note without a print', () => {
    const print = printOf(['title', 'go went', '']);
    expect(formScores([{ word: 'go', notes: 40 }], total, [print])).toEqual([0]);
    expect(added('pool')).toEqual([0]);
    expect(formScores([go], total, [undefined])).toEqual([undefined].map(() => 0));
  });

  it('is 0 for a note with only the word itself', () => {
    expect(added('go')[0]).toBeCloseTo(0);
  });

  it('lowers a rarer form to a little less than the word itself', () => {
    const idf = Math.log((total - 40 + 0.5) / 40.5);
    const rare = Math.log((total - 5 + 0.5) / 5.5);
    const saturate = (count: number): number => (count * 2.2) / (count + 1.2);
    expect(added('went')[0]).toBeCloseTo(idf * saturate(0.6) - 0.5 * rare * saturate(1), 5);
  });

  it('subtracts nothing from a rare word whose other form is common', () => {
    const knowledge = { word: 'knowledge', notes: 3, forms: [{ word: 'know', notes: 900 }] };
    const print = printOf(['title', `knowledge ${filler}`, '']);
    expect(formScores([knowledge], total, [print])).toEqual([0]);
  });

  it('counts both in one note as the word twice, and no more', () => {
    const [both = 0] = added('go went');
    expect(both).toBeLessThan(0);
  });

  it('counts a title twice, as the index does', () => {
    const [inTitle = 0] = formScores([go], total, [printOf(['went', filler, ''])]);
    const [inBody = 0] = formScores([go], total, [printOf(['lorem', `went ${filler}`, ''])]);
    expect(inTitle).not.toBeCloseTo(inBody);
    const withoutTitle = formScores([go], total, [printOf(['', `went ${filler}`, ''])])[0];
    expect(withoutTitle).toBeCloseTo(inBody, 2);
  });
});
