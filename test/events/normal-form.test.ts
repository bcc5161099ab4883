import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalForm } from '../../src/events/normal-form.js';
import { printOf } from '../../src/projections/prints/print.js';
import { showWords } from '../../src/projections/search/snippet.js';

describe('the normal form of a text', () => {
  it('equals that of Unicode', () => {
    const forms = fc.constantFrom('NFC' as const, 'NFD' as const, 'NFKC' as const, 'NFKD' as const);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), forms, (text, form) => {
        expect(normalForm(text, form)).toBe(text.normalize(form));
      }),
    );
    expect(normalForm(`e\u0301${'\u0316'.repeat(29)}`)).toBe(`e\u0301${'\u0316'.repeat(29)}`.normalize('NFC'));
  });

  it('keeps the first 30 of more marks in a row', () => {
    expect(normalForm(`a${'\u0316'.repeat(31)}b${'\u0316'.repeat(500)}c`)).toBe(
      `a${'\u0316'.repeat(30)}b${'\u0316'.repeat(30)}c`,
    );
  });

  it('recognises the marks of every script', () => {
    const marks = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((letter) => /\p{M}/u.test(letter));
    expect(marks.length).toBeGreaterThan(2000);
    expect(marks.filter((mark) => normalForm(mark.repeat(31)) === mark.repeat(31).normalize())).toEqual([]);
  });

  it('takes no quadratic time for a mebibyte of marks, nor do prints and snippets', () => {
    const text = `a${'\u0301\u0316\u0323\u0327'.repeat(1 << 18)} deploy`;
    expect(normalForm(text)).toHaveLength(37);
    expect(printOf([text]).length).toBe(8);
    expect(showWords({ title: '', body: text, lists: [] }, ['deploy']).found).toEqual(['deploy']);
  });
});
