import { describe, expect, it } from 'vitest';
import { diagnosisIn, findingIn, mayTellCause } from '../../../../src/agents/capture/statements/findings.js';

describe('a finding', () => {
  it.each([
    [
      "Let me look. The migration uses `ALTER ... modify`, which SQLite doesn't support here. I need to rewrite it.",
      "The migration uses `ALTER ... modify`, which SQLite doesn't support here. I need to rewrite it.",
    ],
    [
      "The root layout isn't rendering messages. I'll show them inline.",
      "The root layout isn't rendering messages. I'll show them inline.",
    ],
    [
      'Since no commands are there, the work is split by hand.',
      'Since no commands are there, the work is split by hand.',
    ],
    [
      "The name is passed by hand in many places. I'll use a context so that it is always there.",
      "The name is passed by hand in many places. I'll use a context so that it is always there.",
    ],
  ])('is a cause and what is done about it: %s', (text, expected) => {
    expect(findingIn(text)?.text).toBe(expected);
    expect(mayTellCause.test(text)).toBe(true);
  });

  it.each([
    ['All tests pass now, so I commit.'],
    ['Let me check because it failed:'],
    ['If the port is taken because of another server, we might see an error.'],
    ['- Changed it because of the linter'],
    ['```\nbecause of this line of code here\n```'],
    ['Because?'],
  ])('is not mere progress, a guess, a list or code: %s', (text) => {
    expect(findingIn(text)).toBeUndefined();
  });
});

describe('the words after a failure', () => {
  const failed = {
    command: 'psql -c "select 1"',
    error: 'exit code 2 · psql: error: FATAL: role "bob" does not exist',
  };

  it.each([
    [
      "The endpoint isn't configured for the test env. Let me check the config.",
      "The endpoint isn't configured for the test env.",
    ],
    ['Let me see. Need `lazy_html` as a dependency.', 'Need `lazy_html` as a dependency.'],
    [
      'It fails in a strange way here. The cause is `cart.ts`, which is read twice.',
      'It fails in a strange way here. The cause is `cart.ts`, which is read twice.',
    ],
  ])('are a diagnosis if they say why: %s', (text, expected) => {
    expect(diagnosisIn(text, failed)).toBe(expected);
  });

  it.each([
    ['Nobody created bob in this cluster so far.'],
    ['The role has to be created before the tests.'],
    ['The cluster was set up without any users.'],
    ['The problem is the order of the scripts.'],
    ['My mistake: the port is wrong.'],
  ])('are a diagnosis if they share a word with the command or its error, or name a cause: %s', (text) => {
    expect(diagnosisIn(`The readme is finished and looks great. ${text}`, failed)).toBe(text);
  });

  it.each([
    ['The readme is finished and looks great.'],
    ['I have added the section about colours to the page.'],
    ['Two more pages are left to be written.'],
    ['That exit does with the code as usual.'],
  ])('are not a diagnosis if they are about something else: %s', (text) => {
    expect(diagnosisIn(text, failed)).toBeUndefined();
  });

  it('are not a diagnosis if the agent just carries on', () => {
    expect(diagnosisIn('Let me try that again with another option.', failed)).toBeUndefined();
    expect(diagnosisIn('Hm.', failed)).toBeUndefined();
  });
});
