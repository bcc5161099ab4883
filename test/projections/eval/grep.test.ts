import { describe, expect, it } from 'vitest';
import { openGrep } from '../../../src/projections/eval/metrics.js';

const grep = openGrep([
  { id: 'a', project: 'p', text: 'Pool of connections. The pool is small.' },
  { id: 'b', project: 'p', text: 'A carpool, a whirlpool, a POOL: pool.' },
  { id: 'c', project: 'q', text: 'pool' },
  { id: 'd', project: 'q', text: 'The cache has a size.' },
  { id: 'e', project: 'q', text: 'The cache has a name.' },
]);

describe('openGrep', () => {
  it('ranks first the note that has the words most often, also inside other words and in capitals', () => {
    expect(grep('Pool', undefined, 10)).toEqual(['b', 'a', 'c']);
  });

  it('searches the project for each word except stop words, and returns at most as many notes as asked for', () => {
    expect(grep('what is the pool size', 'q', 10)).toEqual(['c', 'd']);
    expect(grep('the cache', 'q', 1)).toEqual(['d']);
  });

  it('neither stems words nor corrects typos', () => {
    expect(grep('pools poool', undefined, 10)).toEqual([]);
    expect(grep('', undefined, 10)).toEqual([]);
  });
});
