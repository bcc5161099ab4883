import { describe, expect, it } from 'vitest';
import { queryCoverage } from '../../../src/projections/search/query-coverage.js';

const text = {
  title: 'Alpha release',
  body: 'The paymentsApi runs on port 8080.',
  tags: ['deploy'],
  keywords: ['検索設定'],
};
const share = (
  counts: Readonly<Record<string, number>>,
  more: Partial<Parameters<typeof queryCoverage>[0]> = {},
): number => {
  const counted = Object.entries(counts).map(([word, notes]) => ({ word, notes }));
  return queryCoverage({ counted, corrections: [], typed: Object.keys(counts), total: 100, ...more }, text);
};

describe('the share of a query that a note contains', () => {
  it('is 1 where every word occurs in title, body, tags or keywords, in any form', () => {
    expect(share({ alpha: 3, ports: 5, deploying: 9 })).toBe(1);
  });
  it('falls with each missing word, the more the rarer it is', () => {
    expect(share({ alpha: 3, common: 40 })).toBeGreaterThan(0.85);
    expect(share({ alpha: 40, rare: 1 })).toBeLessThan(0.1);
  });
  it('counts a word that no note has in full', () => {
    expect(share({ wombat: 0, alpha: 1, zeppelin: 0, quantum: 0 })).toBeLessThan(0.25);
    expect(share({ wombat: 0, alpha: 1 })).toBeLessThan(share({ wombat: 1, alpha: 1 }));
  });
  it('counts the parts of a name, and scripts without spaces by their pairs', () => {
    expect(share({ payments: 2, 検索: 1 })).toBe(1);
  });
  it('counts a word whose parts the note has', () => {
    expect(share({ port8080: 0 })).toBe(1);
    expect(share({ port9090: 0 })).toBe(0);
  });
  it('is halved for other wordings where the note has no word as typed', () => {
    const other = { word: 'alpha', notes: 3, isOther: true };
    expect(share({}, { counted: [{ word: 'wombat', notes: 1 }, other], typed: ['wombat'] })).toBe(0.5);
    expect(share({}, { counted: [{ word: 'port', notes: 1 }, other], typed: ['port'] })).toBe(1);
  });
  it('counts a corrected word, but not derived forms, other wordings or a stem twice', () => {
    expect(share({ alpha: 3 }, { typed: ['alhpa'], corrections: [{ typed: 'alhpa', instead: 'alpha' }] })).toBe(1);
    expect(share({ alpha: 3, alphaport: 0 }, { typed: ['alpha'] })).toBe(1);
    expect(share({ port: 3, ports: 0 })).toBe(1);
    const counted = [
      { word: 'alpha', notes: 3 },
      { word: 'wombat', notes: 0, isOther: true },
    ];
    expect(share({}, { counted, typed: ['alpha', 'wombat'] })).toBe(1);
  });
  it('counts a word whose other form the note has', () => {
    const went = { word: 'went', notes: 0, forms: [{ word: 'run', notes: 3 }] };
    expect(share({}, { counted: [went], typed: ['went'] })).toBe(1);
    expect(share({}, { counted: [{ ...went, forms: [{ word: 'walk', notes: 3 }] }], typed: ['went'] })).toBe(0);
  });
  it('is 1 for a query whose words most notes have', () => {
    expect(share({ alpha: 90 })).toBe(1);
  });
  it('is 1 for a query without words, whose conditions every hit meets', () => {
    expect(share({})).toBe(1);
  });
});
