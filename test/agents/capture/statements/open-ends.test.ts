import { expect, it } from 'vitest';
import { openEndsIn } from '../../../../src/agents/capture/statements/open-ends.js';

it('finds next steps, unfinished work and questions', () => {
  const reply = [
    'Done. The CI still needs a new token.',
    '',
    '**Next steps:**',
    '1. Deploy it',
    '2. Tell the team',
    '',
    'The TODO app is documented in `CLAUDE.md` now.',
    '```',
    'you need to run this?',
    '```',
    "I haven't run the slow tests.",
    'Want me to push it?',
  ].join('\n');
  expect(openEndsIn(reply)).toEqual([
    'The CI still needs a new token.',
    'Deploy it',
    'Tell the team',
    "I haven't run the slow tests.",
    'Want me to push it?',
  ]);
});

it('finds nothing when everything is done', () => {
  expect(openEndsIn('All 87 tests pass, and everything is committed and pushed.\n\nRemaining time: none.')).toEqual([]);
});

it('finds what is announced with "Next:"', () => {
  expect(openEndsIn('Noted. Next: run the backfill on staging.')).toEqual(['Next: run the backfill on staging.']);
  expect(openEndsIn('**Next:** run the backfill on staging.')).toEqual(['Next: run the backfill on staging.']);
  expect(openEndsIn('The next: and previous: buttons were put side by side.')).toEqual([]);
});
