import { describe, expect, it } from 'vitest';
import { agreedIn, planLines, refusedIn } from '../../../../src/agents/capture/statements/agreement.js';

const options = [
  'There are three ways:',
  '',
  '**A) Postgres** - one more service',
  '**B) SQLite** - no service at all',
  '3. Keep the files',
  '',
  'Which one do you want?',
].join('\n');
const proposal = [
  '## Plan',
  '1. Move the totals into a cache',
  '- ✅ fast',
  '```ts',
  'use(this);',
  '```',
  '**Store**: Redis, because it expires keys',
  "I'll add a test for it.",
  '',
  'Does this work for you?',
].join('\n');
const textsOf = (prompt: string, reply: string, before = ''): readonly string[] =>
  agreedIn(prompt, reply, before).map(({ text }) => text);

describe('what a person agrees to', () => {
  it.each([
    ['B', ['SQLite - no service at all']],
    ["let's go with b", ['SQLite - no service at all']],
    ['option A please', ['Postgres - one more service']],
    ['Implement A, B and 3.', ['Postgres - one more service', 'SQLite - no service at all', 'Keep the files']],
  ])('is the part that %s names', (prompt, expected) => {
    expect(textsOf(prompt, options)).toEqual(expected);
  });

  it('may be in the reply before the last', () => {
    expect(textsOf('A', 'I think so too.', options)).toEqual(['Postgres - one more service']);
  });

  it.each(['ok', 'Yes, please.', 'sure. but keep the tests', 'sounds good!', 'ja', "d'accord", 'vale'])(
    'is what the plan does and why, after %s',
    (prompt) => {
      expect(textsOf(prompt, proposal)).toEqual([
        'Move the totals into a cache',
        'Store: Redis, because it expires keys',
        "I'll add a test for it",
      ]);
    },
  );

  it.each([
    ['no, use files', proposal],
    ['thanks', proposal],
    ['okra is a plant', proposal],
    ['ok', 'All 12 tests pass. Everything is committed.'],
    ['add a test for 3', options],
    ['A', 'There is nothing to choose from.'],
  ])('is nothing if no one agrees or nothing was proposed: %s', (prompt, reply) => {
    expect(textsOf(prompt, reply)).toEqual([]);
  });
});

describe('an answer that rejects a proposal', () => {
  it.each([
    'right, but no: backups are sacred',
    'ok but I said redis stays, leave it',
    'Sure, except for the cache',
    'yes. wait, keep the files for now',
    "good idea, but I don't want another service",
    'great, use files instead',
    'no: backups are sacred',
    'ja, aber nicht mit Redis',
  ])('is the decision itself, and agrees to nothing: %s', (prompt) => {
    expect(textsOf(prompt, proposal)).toEqual([]);
    expect(refusedIn(prompt, proposal)).toMatchObject({ by: 'user', text: prompt });
  });

  it.each([
    ['ok', proposal],
    ['yes, no problem', proposal],
    ["sounds good, and don't forget the tests", proposal],
    ['sure. but keep the tests', proposal],
    ['ok, but not now', 'All 12 tests pass. Everything is committed.'],
    ['no, it still fails with the same error', proposal],
    ['ok, but why not use files?', proposal],
  ])('is not one that agrees, reports or asks: %s', (prompt, reply) => {
    expect(refusedIn(prompt, reply)).toBeUndefined();
  });
});

it('keeps the weightiest lines of a plan in their order', () => {
  expect(planLines(`${proposal}\n4. Remove the old cache instead of keeping both`, 2)).toEqual([
    'Store: Redis, because it expires keys',
    'Remove the old cache instead of keeping both',
  ]);
});
