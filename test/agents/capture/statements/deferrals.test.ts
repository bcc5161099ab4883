import { expect, it } from 'vitest';
import { deferralsIn } from '../../../../src/agents/capture/statements/deferrals.js';

it.each([
  'Leave the retry queue for tomorrow.',
  "Let's do the docs in the next session",
  'not now, the mails can wait',
  'skip that, we do it next week',
  "we'll get to the retries later",
  'park the i18n stuff',
  'put the dark mode on hold',
  'the migration can wait until Monday',
  "let's revisit the pricing page some other day",
  'hold off on the release',
  "don't bother with windows for now",
  "I'll handle the docs myself next week",
  'out of scope for this PR',
  'we can do the cleanup afterwards',
  'come back to this once the API is stable',
  'the tests for it are for another PR',
  'defer the rename to v2',
  'remind me about the license tomorrow',
  'fine, but we should do the logging afterwards',
  'the tests we can write tomorrow',
  'Das verschieben wir auf morgen',
  'erst mal nicht, das kommt später',
  'das machen wir nächste Woche',
  'jetzt nicht, erst die Tests',
  'darum kümmern wir uns am Montag',
  'das lassen wir erst mal so',
  'mach den Rest bitte morgen',
  'ich schau mir das später an',
])('finds what a person puts off: %s', (prompt) => {
  expect(deferralsIn(prompt)).toEqual([prompt]);
});

it.each([
  'The job fails when it runs tomorrow.',
  'Should we leave it for tomorrow?',
  'skip for now',
  'Use the later one of the two dates',
  'the job runs every Monday at 6',
  'it fails when the token expires later',
  'the cache is cleared after this',
  'why can it wait until the lock is free?',
  'users can postpone a meeting',
  'add a button that says remind me later',
  'the snooze button should postpone the mail until tomorrow',
  'the worker waits until the queue is empty',
  "make a test for next week's rollover",
  'put the header on top of the page',
  'save the file for later use in the cache',
  'keep the token for the next session',
  'pick the later date when two differ',
  'it continues later in the file',
  'run the migration after the deploy',
  'do the same for the other page',
  'keep the connection open for the next request',
  'die Zeile kommt später im Text',
  'der Test läuft morgens um 6',
  'das Datum von morgen ist falsch',
  'die Datei verschieben nach src/lib',
])('finds nothing in a sentence that merely mentions a time: %s', (prompt) => {
  expect(deferralsIn(prompt)).toEqual([]);
});

it('finds the one deferral among several sentences', () => {
  expect(deferralsIn('Good. Leave the retry queue for tomorrow. Now fix the mailer, please.')).toEqual([
    'Leave the retry queue for tomorrow.',
  ]);
});
