import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askByRule, ruleTypes } from '../../src/eval/case-rules.js';
import { splitWords } from '../../src/projections/search/words.js';

const note = {
  title: 'Why the payment deploys hang at the migration lock',
  body: 'The migration waits for `pg_advisory_lock`.\n\n```\nlong code that nobody would ever type as a question here\n```\n\nRestart the bouncer pods before another colleague releases something.\n\n- `Error: lock timeout after 30 s` is printed.\n',
};

describe('askByRule', () => {
  it('asks with some words of the title, in order and without stop words', () => {
    const words = askByRule('title', note, 1)?.split(' ') ?? [];
    expect(words.length).toBeGreaterThanOrEqual(2);
    expect(words.length).toBeLessThan(6);
    const all = splitWords(note.title);
    expect(words.map((word) => all.indexOf(word))).toEqual(
      words.map((word) => all.indexOf(word)).toSorted((a, b) => a - b),
    );
    expect(words).not.toContain('the');
    expect(askByRule('title', { title: 'VPN', body: '' }, 1)).toBeUndefined();
  });

  it('asks with words of the text that are not in the title, and not with code', () => {
    expect(askByRule('body', note, 1)).toBe('restart bouncer pods another colleague releases something');
    expect(askByRule('body', { title: 'x', body: 'Too short.' }, 1)).toBeUndefined();
  });

  it('asks for an identifier, for an error and with a typo', () => {
    expect(askByRule('identifier', note, 1)).toBe('pg_advisory_lock');
    expect(askByRule('error', note, 1)).toBe('Error: lock timeout after 30 s is printed.');
    const typed = askByRule('typo', note, 1);
    expect(typed).not.toBe(askByRule('title', note, 1));
    expect(typed?.split(' ').length).toBe(askByRule('title', note, 1)?.split(' ').length);
    for (const type of ['identifier', 'error'] as const) {
      expect(askByRule(type, { title: 'x', body: 'plain words' }, 1)).toBeUndefined();
    }
  });

  it.each([
    ['The fix is in handleTrackingEvent, not above it.', 'handleTrackingEvent'],
    ['We take pg_try_advisory_lock(7) first.', 'pg_try_advisory_lock'],
    ['See billing/total.go:42.', 'billing/total.go'],
    ['Set DATABASE_URL=postgres://x before the start.', 'DATABASE_URL'],
    ['The class is TrackingEventHandler.', 'TrackingEventHandler'],
    ['First handleEvent, but `retry_all` in code.', 'retry_all'],
  ])('asks for a name from code, even if it has no backticks: %s', (body, name) => {
    expect(askByRule('identifier', { title: 'x', body }, 1)).toBe(name);
  });

  it.each([
    'GitHub, JavaScript and macOS on an iPhone and/or eBay',
    'https://example.com/some_path/file.html and me_too@example.com',
    'on 2026/06/24, e.g. at 10:30, client/server, well-known',
    'v1.2.3 of Node.js',
  ])('does not take a product, an address, a date or a pair of words for a name from code: %s', (body) => {
    expect(askByRule('identifier', { title: 'x', body }, 1)).toBeUndefined();
  });

  it('asks the same non-empty line for the same note and seed, whatever the note', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'grapheme', maxLength: 400 }), fc.nat(), (title, body, seed) => {
        for (const type of ruleTypes) {
          const query = askByRule(type, { title, body }, seed);
          expect(askByRule(type, { title, body }, seed)).toBe(query);
          if (query !== undefined) expect(query.trim()).toMatch(/^[^\n]+$/);
        }
      }),
    );
  });
});
