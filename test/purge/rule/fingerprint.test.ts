/** A record gives the length and sum of each text, and its author may choose those that cost the most. */
import { describe, expect, it } from 'vitest';
import { gatherTexts, openProof } from '../../../src/purge/proof-texts.js';
import {
  findPrints,
  fingerprintMatcher,
  fingerprintOf,
  isSpent,
  openBudget,
} from '../../../src/purge/rule/fingerprint.js';
import { formatRecords, type PurgeRecord, parseRecords } from '../../../src/purge/rule/record.js';

const salt = '01J00000000000000000000001';
const recordOf = (texts: PurgeRecord['texts']): PurgeRecord => ({
  ...{ purge: salt, oldHead: 'a'.repeat(40), notes: [], texts, pattern: undefined, places: 1 },
});
/** A fingerprint with the sum of one text and the hash of another. */
const misleading = (text: string) => ({ ...fingerprintOf(salt, text), sha256: '0'.repeat(64) });

describe('the texts of a record', () => {
  it('are searched for together, once for each length', () => {
    const looks = openBudget(1_000_000);
    const prints = Array.from({ length: 300 }, (_, at) => fingerprintOf(salt, `secret-${1000 + at}`));
    const found = findPrints(Buffer.from(`${'x'.repeat(987)}secret-1042 y`), salt, prints, looks);
    expect(found.map(({ print, start }) => [print, start])).toEqual([[prints[42], 987]]);
    expect(looks.slid).toBe(999_000);
  });
  it('are told apart from one another', () => {
    const [one, other] = [fingerprintOf(salt, 'secret-one'), fingerprintOf(salt, 'secret-two')];
    const proof = openProof([recordOf([one, other])]);
    gatherTexts(proof, 'a secret-one and a secret-two, a secret-two', 'a secret-one and a secret-two, a [PURGED]');
    expect([...proof.texts]).toEqual([[other, 'secret-two']]);
  });
  it('give no overlapping spans, like the purge that recorded them', () => {
    const matcher = fingerprintMatcher(salt, [fingerprintOf(salt, 'abababab')]);
    expect(matcher.spans('ü abababababab ü')).toEqual([{ start: 2, end: 10 }]);
  });
  it('are no longer searched for once too much with their sums was hashed, and then nothing is proven', () => {
    const looks = openBudget(Number.POSITIVE_INFINITY, 100_000);
    const real = fingerprintOf(salt, 'a real secret');
    const proof = openProof([recordOf([misleading('A'.repeat(4000)), real])], looks);
    gatherTexts(proof, `${'A'.repeat(80_000)} a real secret`, '[PURGED]');
    expect(isSpent(looks)).toBe(true);
    expect(looks.inVain).toBeGreaterThan(-6000);
    expect(proof.texts.size).toBe(0);
  });
  it('are no longer searched for once too much was read for it', () => {
    const looks = openBudget(1000);
    const lengths = Array.from({ length: 100 }, (_, at) => fingerprintOf(salt, 'x'.repeat(20 + at)));
    gatherTexts(openProof([recordOf(lengths)], looks), 'y'.repeat(300), '');
    expect(looks.slid).toBe(-200);
  });
  it('number a thousand at most', () => {
    const texts = (count: number) => Array.from({ length: count }, (_, at) => fingerprintOf(salt, `secret-${at}`));
    expect(parseRecords(formatRecords([recordOf(texts(1000))]))).toHaveLength(1);
    expect(parseRecords(formatRecords([recordOf(texts(1001))]))).toEqual([]);
  });
});
