import { afterEach, describe, expect, it } from 'vitest';
import { localDay, localTime, timeColumn, withLocalTimes } from '../../src/cli/local-time.js';
import { formatTable } from '../../src/cli/table.js';

const zoneBefore = process.env['TZ'];
afterEach(() => {
  process.env['TZ'] = zoneBefore;
});
const inZone = (zone: string): void => {
  process.env['TZ'] = zone;
};

describe('a time', () => {
  it.each([
    ['UTC', '2026-06-24 22:33 UTC', '2026-06-24'],
    ['Europe/Berlin', '2026-06-25 00:33 +02:00', '2026-06-25'],
    ['America/St_Johns', '2026-06-24 20:03 -02:30', '2026-06-24'],
  ])('is shown by the clock of %s, with the zone', (zone, time, day) => {
    inZone(zone);
    expect(localTime('2026-06-24T22:33:07+00:00')).toBe(time);
    expect(localDay('2026-06-24T22:33:07+00:00')).toBe(day);
  });
  it('inside a sentence is shown by the same clock', () => {
    inZone('Asia/Tokyo');
    expect(withLocalTimes('synced 2026-11-22T19:19:49+00:00; since 2026-11-22T19:19:49Z')).toBe(
      'synced 2026-11-23 04:19 +09:00; since 2026-11-23 04:19 +09:00',
    );
  });
  it('that cannot be parsed is shown as it is', () => {
    expect(localTime('never')).toBe('never');
  });
});

describe('a column of times', () => {
  const shown = (...times: readonly (string | null)[]): string =>
    formatTable([timeColumn('AT', times, (time) => time, { missing: 'never' })], times);
  it('has the zone in its head when all rows share it', () => {
    inZone('Europe/Berlin');
    expect(shown('2026-06-24T18:33:07+00:00', null)).toBe('AT (+02:00)\n2026-06-24 20:33\nnever\n');
  });
  it('has the zone in each row when the clock changed between them', () => {
    inZone('Europe/Berlin');
    expect(shown('2026-06-24T18:33:07+00:00', '2026-12-24T18:33:07+00:00')).toBe(
      'AT\n2026-06-24 20:33 +02:00\n2026-12-24 19:33 +01:00\n',
    );
  });
});
