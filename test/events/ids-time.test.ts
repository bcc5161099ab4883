import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ulidGenerator } from '../../src/events/ids.js';
import { formatTime, parseTime } from '../../src/events/time.js';
import { derivedUlid, isUlid, timeOfUlid } from '../../src/events/ulid-form.js';
import { anyTime } from '../support/arbitraries.js';

const anyMs = fc.nat({ max: 2 ** 48 - 1 });

describe('a ULID', () => {
  it.each([
    ['01J0000000000000000000000A', true],
    ['7ZZZZZZZZZZZZZZZZZZZZZZZZZ', true],
    ['8ZZZZZZZZZZZZZZZZZZZZZZZZZ', false],
    ['01j0000000000000000000000a', false],
    ['01J000000000000000000000A', false],
    ['01J0000000000000000000000AA', false],
    ['01J0000000000000000000000I', false],
    ['01J0000000000000000000000L', false],
    ['01J0000000000000000000000O', false],
    ['01J0000000000000000000000U', false],
    ['01J0000000000000000000000A\n', false],
    [' 01J0000000000000000000000A', false],
    ['../../../../../../etc/passw', false],
    ['', false],
  ])('is validated: %j gives %s', (text, valid) => {
    expect(isUlid(text)).toBe(valid);
  });

  it('is new and greater each time, even in one millisecond and when the clock goes back', () => {
    const newUlid = ulidGenerator();
    const ids = [
      ...Array.from({ length: 500 }, () => newUlid(1_782_000_000_000)),
      newUlid(1_781_999_000_000),
      newUlid(1_782_000_000_001),
    ];
    expect(ids.every(isUlid)).toBe(true);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it('uses the clock of its own store, not that of another store in this process', () => {
    ulidGenerator()(1_782_000_000_000);
    expect(timeOfUlid(ulidGenerator()(1_781_999_000_000))).toBe(1_781_999_000_000);
  });

  it('contains the time of its creation', () => {
    expect(timeOfUlid('01KVXEGHNR0000000000000000')).toBe(Date.UTC(2026, 5, 24, 18, 33, 7));
  });
});

describe('a derived ULID', () => {
  it('is a valid ULID with the given time', () => {
    fc.assert(
      fc.property(anyMs, fc.array(fc.string(), { minLength: 1, maxLength: 3 }), (ms, parts) => {
        const id = derivedUlid(ms, ...parts);
        expect(isUlid(id)).toBe(true);
        expect(timeOfUlid(id)).toBe(ms);
        expect(derivedUlid(ms, ...parts)).toBe(id);
      }),
    );
  });

  it('differs when any part differs or the parts are split elsewhere', () => {
    const ids = [['a', 'b'], ['ab'], ['', 'ab'], ['ab', ''], ['b', 'a'], ['a'], ['A', 'b']].map((parts) =>
      derivedUlid(0, ...parts),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is valid for a time outside the range of a ULID', () => {
    expect(timeOfUlid(derivedUlid(-1, 'x'))).toBe(0);
    expect(timeOfUlid(derivedUlid(2 ** 50, 'x'))).toBe(2 ** 48 - 1);
    expect(isUlid(derivedUlid(1.5, 'x'))).toBe(true);
  });

  it('is the same in every version of Anamnesis', () => {
    expect(derivedUlid(0, 'jsonl:notes/1')).toBe('0000000000HQY3KMSX986AR33Y');
  });
});

describe('a time', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(anyTime, (text) => {
        expect(formatTime(parseTime(text)!)).toBe(text);
      }),
    );
  });

  it.each([
    ['2026-06-24T18:33:07+00:00', '2026-06-24T18:33:07.000Z'],
    ['2026-06-24T18:33:07Z', '2026-06-24T18:33:07.000Z'],
    ['2026-06-24t18:33:07z', '2026-06-24T18:33:07.000Z'],
    ['2026-06-24 18:33:07', '2026-06-24T18:33:07.000Z'],
    ['2026-06-24 18:33:07 +02:00', '2026-06-24T16:33:07.000Z'],
    ['2026-06-24T18:33:07+0530', '2026-06-24T13:03:07.000Z'],
    ['2026-06-24T18:33:07-08', '2026-06-25T02:33:07.000Z'],
    ['2026-06-24T18:33', '2026-06-24T18:33:00.000Z'],
    ['2026-06-24T18:33:07.5', '2026-06-24T18:33:07.500Z'],
    ['2026-06-24T18:33:07.123456+00:00', '2026-06-24T18:33:07.123Z'],
    ['2026-06-24', '2026-06-24T00:00:00.000Z'],
    [' 2026-06-24\n', '2026-06-24T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('is read from %j', (text, iso) => {
    expect(new Date(parseTime(text)!).toISOString()).toBe(iso);
  });

  it.each([
    '',
    'yesterday',
    '1782325987',
    '2026',
    '2026-06',
    '24.06.2026',
    '06/24/2026',
    '2026-13-01',
    '2026-00-01',
    '2026-06-31',
    '2025-02-29',
    '2026-06-24T25:00',
    '2026-06-24T18:60',
    '2026-06-24T18:33:07+25:00',
    '2026-06-24T18:33:07 CET',
    '2026-6-24',
    '12026-06-24',
    '2026-06-24T',
    '2026-06-24x',
    '-2026-06-24',
    '２０２６-06-24',
  ])('is not read from %j', (text) => {
    expect(parseTime(text)).toBeUndefined();
  });

  it('is written without a fraction of a second', () => {
    expect(formatTime(Date.UTC(2026, 5, 24, 18, 33, 7, 999))).toBe('2026-06-24T18:33:07+00:00');
  });

  it('can be read again after any number of milliseconds was written', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyMs,
          fc.maxSafeInteger().filter((ms) => Math.abs(ms) < 8.64e15),
        ),
        (ms) => {
          expect(parseTime(formatTime(ms))).toBeDefined();
        },
      ),
    );
  });
});
