import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsCommand, isPlainlyTyped, lessonsByForms } from '../../../src/agents/learn/explicit.js';
import type { Exchange } from '../../../src/agents/learn/learned.js';
import { processorMs } from '../../support/processor-time.js';
import { anyUnits } from './any-text.js';
import { saidIn } from './said.js';

const exchange = (prompt: string, uuid = 'turn-1'): Exchange => ({ uuid, atMs: undefined, prompt, reply: 'Always.' });
const learn = (prompt: string) => lessonsByForms([exchange(prompt)]);

describe.each(Object.entries(saidIn))('what is said in %s', (_, { lessons, others }) => {
  it('is learned when it states something lasting', () => {
    const missed = lessons.filter((text) => learn(text).length !== 1);
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(0.2 * lessons.length);
  });
  it('is left alone when it is about the task at hand', () => {
    const learned = others.filter((text) => learn(text).length > 0);
    expect(learned).toEqual([]);
  });
});

describe('a lesson', () => {
  it('says what was said, without the words around it', () => {
    expect(learn('ok, please remember that the staging database is reset on Sundays')).toEqual([
      {
        kind: 'fact',
        title: 'the staging database is reset on Sundays',
        text: 'the staging database is reset on Sundays.',
        keywords: ['stag', 'databas', 'reset', 'sunday'],
        confidence: 0.6,
        replaces: undefined,
        turn: 'turn-1',
        judge: 'heuristic',
        isPlain: true,
      },
    ]);
    expect(learn('No, the metrics port is 9102.')[0]?.text).toBe('the metrics port is 9102.');
  });

  it.each([
    ['the person alone', exchange('go on'), []],
    ['no text with a secret', exchange('Always use the token ghp_Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR.'), []],
    ['nothing that we injected', exchange('# Anamnesis memory (auto-injected)\n\nAlways use pnpm, not npm.'), []],
    ['nothing that a program wrote', exchange('<command-name>/x</command-name> always use pnpm, not npm'), []],
    ['no fence', exchange('Look:\n```\nAlways use pnpm, not npm.\n```'), []],
    ['no quoted line', exchange('> Always use pnpm, not npm.\nwhat is this'), []],
    ['no document', exchange(`Always use pnpm, not npm. ${'And so on and on. '.repeat(120)}`), []],
  ])('is from %s', (_, one, expected) => {
    expect(lessonsByForms([one])).toEqual(expected);
  });

  it('is found once, in the newest exchange first, at most three in a prompt', () => {
    const found = lessonsByForms([
      exchange('Never push to main.', 'old'),
      exchange('Always squash commits.\nnever push to main', 'new'),
    ]);
    expect(found.map(({ turn, text }) => [turn, text])).toEqual([
      ['new', 'Always squash commits.'],
      ['new', 'never push to main.'],
    ]);
    expect(learn('Never push red. Never push blue. Never push green. Never push white.')).toHaveLength(3);
  });
});

describe('a prompt', () => {
  it.each([
    ['a short sentence', 'Always use pnpm in this repository.', true],
    ['two lines', 'Always use pnpm.\nThen fix the build.', true],
    ['a word of code', 'Always use `pnpm` here.', true],
    ['three lines', 'Always use pnpm.\nFix the build.\nThanks', false],
    ['301 characters', `Always use pnpm. ${'x'.repeat(284)}`, false],
    ['a quotation', 'It says “always use pnpm”.', false],
    ['a Japanese quotation', '「常に pnpm を使うこと」', false],
    ['a quoted line', '> Always use pnpm.', false],
    ['a fence', 'Always use this:\n```pnpm i', false],
    ['a paste', 'Always use this. [Pasted text #1 +12 lines]', false],
  ])('with %s', (_, prompt, isPlain) => {
    expect(isPlainlyTyped(prompt)).toBe(isPlain);
  });

  it('that is long or quotes something gives proposals only', () => {
    const rule = 'Always use pnpm, not npm.';
    expect(learn(rule)[0]?.isPlain).toBe(true);
    expect(learn(`${rule}\n\nThe readme says "we use npm".`)[0]?.isPlain).toBe(false);
    expect(learn(`${rule} ${'Then look at the failing tests of the parser. '.repeat(8)}`)[0]?.isPlain).toBe(false);
  });
});

describe('a text', () => {
  it.each([
    ['a span of code with a space', 'Always run `make clean` before a release.'],
    ['a pipe', 'Always run curl x | sh.'],
    ['an option', 'Always run git push --force.'],
    ['a variable', 'Always export $TOKEN first.'],
    ['an address', 'Always fetch from https://example.org first.'],
    ['a host with a path', 'Always fetch example.org/install first.'],
    ['a host of its own', 'Always fetch packages from mirror.example-shop.com first.'],
    ['a number of a host', 'Always deploy to 10.0.0.7 first.'],
    ['an address of mail', 'Always write to ops@example.org first.'],
    ['an absolute path', 'Always read /etc/hosts first.'],
    ['a path in the home folder', 'Always read ~/.ssh/config first.'],
    ['a path above the project', 'Always copy ../secrets first.'],
    ['a path of Windows', 'Always copy C:\\keys first.'],
    ['a path behind Chinese', '永远不要读 /etc/hosts。'],
  ])('with %s is a command', (_, text) => {
    expect(holdsCommand(text)).toBe(true);
  });
  it.each([
    'Always use pnpm, not npm.',
    'Migrations live in db/migrations.',
    'Use `pnpm` and `src/main.ts`.',
    'The port is 9102.',
    'We use Node 22.4 and/or bun.',
    '我们用 pnpm，不用 npm。',
  ])('is no command: %s', (text) => {
    expect(holdsCommand(text)).toBe(false);
  });
});

describe('any prompt', () => {
  it('is read without an error, and gives at most three lessons', () => {
    fc.assert(
      fc.property(fc.oneof(anyUnits(200), fc.string({ unit: 'grapheme', maxLength: 300 })), (text) => {
        expect(learn(text).length).toBeLessThanOrEqual(3);
      }),
    );
  });
  it.each([
    ['one word', 'a'.repeat(2000)],
    ['"use"', 'use '.repeat(75)],
    ['"no, the"', 'no, the '.repeat(37)],
    ['"wir … nie"', 'wir verwenden nie '.repeat(16)],
    ['Japanese', '必ず'.repeat(150)],
    ['Chinese', '用'.repeat(300)],
  ])('takes little time if it is nothing but %s', (_, text) => {
    const startedMs = processorMs();
    for (let times = 0; times < 10; times += 1) learn(text);
    expect(processorMs() - startedMs).toBeLessThan(500);
  });
});
