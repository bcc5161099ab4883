import { describe, expect, it } from 'vitest';
import { agreedIn, planLines } from '../../../../src/agents/capture/said/agreement.js';

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
  ])('is nothing where nobody agrees or nothing was proposed: %s', (prompt, reply) => {
    expect(textsOf(prompt, reply)).toEqual([]);
  });
});

it('takes the weightiest lines of a plan, in their order', () => {
  expect(planLines(`${proposal}\n4. Remove the old cache instead of keeping both`, 2)).toEqual([
    'Store: Redis, because it expires keys',
    'Remove the old cache instead of keeping both',
  ]);
});
