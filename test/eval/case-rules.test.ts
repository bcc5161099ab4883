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

  it('asks with a typo', () => {
    const typed = askByRule('typo', note, 1);
    expect(typed).not.toBe(askByRule('title', note, 1));
    expect(typed?.split(' ').length).toBe(askByRule('title', note, 1)?.split(' ').length);
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
