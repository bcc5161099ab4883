import { describe, expect, it } from 'vitest';
import { textPassages } from '../../src/embedding/static-passages.js';

describe('the passages of a note as text', () => {
  it('are 96 words each, with the title before them, and contain all of the text', () => {
    const words = Array.from({ length: 200 }, (_, at) => `w${at}`);
    const passages = textPassages({ title: 'T', body: words.join(' ') });
    expect(passages).toHaveLength(3);
    for (const passage of passages) expect(passage).toMatch(/^T\n/);
    expect(passages.flatMap((passage) => passage.slice(2).split(' '))).toEqual(words);
  });

  it('are one without text, and a single cut one for a word that does not end', () => {
    expect(textPassages({ title: 'T', body: '' })).toEqual(['T']);
    const [only = '', ...others] = textPassages({ title: '', body: 'x'.repeat(100_000) });
    expect(others).toEqual([]);
    expect(only).toHaveLength(96 * 64);
  });

  it('count each character of a script without spaces as a word', () => {
    expect(textPassages({ title: '', body: '数据库迁移计划'.repeat(40) })).toHaveLength(3);
  });

  it('are at most 32', () => {
    expect(textPassages({ title: 'T', body: 'word '.repeat(50_000) })).toHaveLength(32);
  });
});
