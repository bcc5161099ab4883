import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parsePhrase } from '../../src/cli/time-phrase.js';
import { readExpiry, readPoint, readTime } from '../../src/cli/typed-time.js';

const zoneBefore = process.env['TZ'];
beforeEach(() => {
  process.env['TZ'] = 'Europe/Berlin';
});
afterEach(() => {
  process.env['TZ'] = zoneBefore;
});

/** A Sunday, 16:00 in Berlin. */
const now = Date.parse('2026-11-22T15:00:00Z');
const read = (text: string, lean: 'past' | 'future' = 'past'): string | undefined => {
  const found = parsePhrase(text, now, lean);
  return found === undefined ? undefined : new Date(found.ms).toISOString().slice(0, 16);
};

describe('the time that a filter begins at', () => {
  it.each([
    ['2026', '2025-12-31T23:00'],
    ['2026-06', '2026-05-31T22:00'],
    [' 2026-06 ', '2026-05-31T22:00'],
    ['2026-06-24', '2026-06-23T22:00'],
  ])('is the beginning of %s', async (text, time) => {
    expect(new Date(await readTime(text, '--after')).toISOString().slice(0, 16)).toBe(time);
  });
  it.each(['2026-13', '2026-00', '20261'])('is refused for %s', async (text) => {
    await expect(readTime(text, '--after')).rejects.toThrow(`--after is not a time: ${text}`);
  });
});

describe('a time in words', () => {
  it.each([
    ['7d', '2026-11-15T15:00'],
    ['2w', '2026-11-08T15:00'],
    ['3h', '2026-11-22T12:00'],
    ['7 days ago', '2026-11-15T15:00'],
    ['yesterday', '2026-11-20T23:00'],
    ['Yesterday 14:00', '2026-11-21T13:00'],
    ['last monday', '2026-11-15T23:00'],
    ['monday', '2026-11-15T23:00'],
    ['today', '2026-11-21T23:00'],
    ['june', '2026-05-31T22:00'],
    ['december', '2025-11-30T23:00'],
    ['25 dec', '2025-12-24T23:00'],
  ])('%s is %s in UTC', (text, time) => {
    expect(read(text)).toBe(time);
  });
  it('leans to the future when that is meant', () => {
    expect(read('30d', 'future')).toBe('2026-12-22T15:00');
    expect(read('friday', 'future')).toBe('2026-11-26T23:00');
  });
  it.each([
    ['next friday', '2026-11-26T23:00'],
    ['next friday 14:00', '2026-11-27T13:00'],
    ['Friday next week', '2026-11-26T23:00'],
    ['this monday', '2026-11-22T23:00'],
    ['last friday', '2026-11-19T23:00'],
    ['last sunday', '2026-11-14T23:00'],
    ['past sunday', '2026-11-14T23:00'],
    ['this morning', '2026-11-21T23:00'],
  ])('%s is the same day whichever way it leans', (text, time) => {
    expect(read(text)).toBe(time);
    expect(read(text, 'future')).toBe(time);
  });
  it.each(['2026-13-01', '2026/13/01', '2026-13-01 10:00', '2026-02-30', '2026-06-31', 'june 31', '2026-00-10'])(
    '%s is not a time, because there is no such day',
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );
  it.each(['last mnday', 'deploy', 'see you on monday', '12', '06/07/2026', '1.6.2026', '', 'x7d'])(
    '%j is not a time',
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );
});

describe('an ISO time', () => {
  it('without a zone is read by the clock of this machine, summer and winter', async () => {
    expect(await readTime('2026-06-24', '--after')).toBe(Date.parse('2026-06-23T22:00:00Z'));
    expect(await readTime('2026-12-24 08:30', '--after')).toBe(Date.parse('2026-12-24T07:30:00Z'));
    expect(await readTime('0050-06-24', '--after')).toBeLessThan(Date.parse('0051-01-01T00:00:00Z'));
  });
  it('keeps its own zone', async () => {
    expect(await readTime('2026-06-24T18:33:07Z', '--after')).toBe(Date.parse('2026-06-24T18:33:07Z'));
    expect(await readTime('2026-06-24 18:33 +05:30', '--after')).toBe(Date.parse('2026-06-24T13:03:00Z'));
  });
  it('that does not exist is refused', async () => {
    await expect(readTime('2026-13-45', '--after')).rejects.toThrow('--after is not a time: 2026-13-45');
  });
});

describe('a point of the history', () => {
  it('is the last second of a day, even when the clock changes on it', async () => {
    expect(await readPoint('2026-06-24')).toBe('2026-06-24T21:59:59+00:00');
    expect(await readPoint('2026-10-25')).toBe('2026-10-25T22:59:59+00:00');
    expect(await readPoint('2026-06-24 12:00')).toBe('2026-06-24T10:00:00+00:00');
  });
  it.each(['HEAD', 'HEAD~3', '4f1c2ab', '12345678', '01M7YJ8X3PS3DMBBH5GRVSGSSJ', 'nonsense'])(
    'stays %s as given',
    async (text) => {
      expect(await readPoint(text)).toBe(text);
    },
  );
});

describe('the expiry of a note', () => {
  it.each(['today', '2026-11-22', 'tonight'])('is the end of the day for %s', async (text) => {
    expect(await readExpiry(text, now)).toBe('2026-11-22T22:59:59+00:00');
  });
  it('is the end of any other day, or a time as given', async () => {
    expect(await readExpiry('tomorrow', now)).toBe('2026-11-23T22:59:59+00:00');
    expect(await readExpiry('next friday', now)).toBe('2026-11-27T22:59:59+00:00');
    expect(await readExpiry('2026-11-21', now)).toBe('2026-11-21T22:59:59+00:00');
    expect(await readExpiry('today 18:00', now)).toBe('2026-11-22T17:00:00+00:00');
  });
});
