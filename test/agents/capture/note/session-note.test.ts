import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsOf, isTrivial, sessionNote } from '../../../../src/agents/capture/note/session-note.js';
import { readSession } from '../../../../src/agents/capture/read-session.js';
import type { Session } from '../../../../src/agents/capture/session.js';
import { checkLimits } from '../../../../src/commands/limits.js';
import { anyTranscript, firstLineMs, putTranscript, typicalTranscript } from '../../../support/transcripts.js';
import { failure, session, subagent, turn } from './sessions.js';

const bodyOf = (fields: Partial<Session>): string => sessionNote(session(fields), 'session-end').body;
const sectionOf = (heading: string, fields: Partial<Session>): string =>
  new RegExp(`### ${heading}\\n\\n([\\s\\S]*?)(?:\\n### |$)`).exec(bodyOf(fields))?.[1]?.trim() ?? '';
const decision = 'We use pnpm, not npm.';

describe('a session', () => {
  const answer = (words: number): string => Array.from({ length: words }, () => 'word').join(' ');
  it.each<[string, boolean, Partial<Session>]>([
    ['with nothing in it', true, {}],
    [
      'with a greeting and a friendly answer',
      true,
      { turns: [turn({ prompt: 'how are you doing', outcome: answer(39) })] },
    ],
    ['with a short question and an answer of forty words', false, { turns: [turn({ outcome: answer(40) })] }],
    ['with a prompt of five words', true, { turns: [turn({ prompt: 'one two three four five' })] }],
    ['with a prompt of six words', false, { turns: [turn({ prompt: 'one two three four five six' })] }],
    ['with a slash command of six words', true, { turns: [turn({ prompt: '/a b c d e f', isSlashCommand: true })] }],
    [
      'with a prompt of twelve characters in a script without spaces',
      false,
      { turns: [turn({ prompt: '请把结账页面的速度提高一倍' })] },
    ],
    ['with a short prompt that states a rule', false, { turns: [turn({ prompt: decision })] }],
    ['with an answered question', false, { choices: ['Which store? → Redis'] }],
    ['with a commit', false, { turns: [turn({ commits: [{ hash: '', subject: 'x', files: 0 }] })] }],
    ['with a file', false, { turns: [turn({ files: ['a.ts'] })] }],
    ['with a file of a subagent', false, { subagents: [subagent({ files: ['a.ts'] })] }],
    ['with a subagent that wrote nothing', true, { subagents: [subagent()] }],
  ])('%s is trivial: %s', (_, expected, fields) => {
    expect(isTrivial(session(fields))).toBe(expected);
  });
});

describe('the body of a session note', () => {
  it('holds what an agent wants to know later', async () => {
    const note = sessionNote(await readSession(putTranscript(typicalTranscript())), 'session-end');
    expect(note.tags).toEqual(['session', 'session-end']);
    expect(note.title).toBe('Make the checkout faster');
    expect(note.body).toMatchInlineSnapshot(`
      "### Status

      - done
      - Last said: “Committed.”

      ### Asked

      - “Make the checkout faster”

      ### Learned

      - \`npm test\` failed: exit code 1 · FAIL test/cart.test.ts · AssertionError: expected 1 to be 2 → after a change to \`cart.test.ts\` it passed

      ### Changed

      - 2 files: \`src/cart.ts\`, \`test/cart.test.ts\`
      - reported: “The checkout is twice as fast now: totals are cached in \`src/cart.ts\`.”
      - by subagents: Find dead code

      ### Transcript

      \`session-1.jsonl\` in \`/work/shop\`, on \`main\`, 2026-03-01T10:00 to 10:00Z
      "
    `);
  });

  it('has no empty sections', () => {
    expect(bodyOf({ turns: [turn({ outcome: 'Done.' })] }).match(/^### .*/gm)).toEqual([
      '### Status',
      '### Asked',
      '### Transcript',
    ]);
  });

  it('quotes every prompt of six words or more, cut at 200 characters', () => {
    const prompts = ['add a login page to the shop', 'go on', `please ${'really '.repeat(60)}hurry`];
    const turns = prompts.map((prompt, i) => turn({ number: i + 1, prompt, outcome: 'Done.' }));
    const lines = sectionOf('Asked', { turns }).split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe('- “add a login page to the shop”');
    expect(lines[1]).toMatch(/^- “please really .*really…”$/);
    expect(lines[1]?.length).toBeLessThanOrEqual(204);
  });

  it("tells the person's own statements from what they agreed to in a dialog", () => {
    const turns = [
      turn({ prompt: `Now the build. ${decision}` }),
      turn({ prompt: '/note always squash', isSlashCommand: true }),
    ];
    expect(sectionOf('Decided', { turns, choices: ['Cache the totals'] })).toBe(
      '- “We use pnpm, not npm.”\n- agreed: Cache the totals',
    );
  });

  it('names each failed command once, with the error, the change and how it ended', () => {
    const fixed = failure({ ending: 'succeeded-later', changed: ['src/port.ts'] });
    const open = failure({ command: 'git push', error: 'fatal: no upstream' });
    expect(sectionOf('Learned', { turns: [turn({ failures: [fixed, open] }), turn({ failures: [fixed] })] })).toBe(
      '- `npm test` failed 2 times: error: boom → after a change to `port.ts` it passed\n' +
        '- `git push` failed: fatal: no upstream → no later run worked',
    );
  });

  it('leaves out failures without an error message', () => {
    expect(bodyOf({ turns: [turn({ failures: [failure({ error: 'exit code 1' })] })] })).not.toContain('failed');
  });

  it('counts files by folder, and names the commits', () => {
    const files = [...Array.from({ length: 40 }, (_, i) => `src/${i % 9}/${i}.ts`), 'README.md'];
    const commits = [{ hash: '0123456789', subject: 'Make it fast', files: 41 }];
    expect(sectionOf('Changed', { turns: [turn({ files, commits })] })).toMatch(
      /^- 41 files: `src\/\d\/` 5(?:, `src\/\d\/` \d){3} and 21 elsewhere\n- commit `0123456` Make it fast$/,
    );
    expect(sectionOf('Changed', { turns: [turn({ files: ['a.ts', 'b/c.ts'] })] })).toBe('- 2 files: `a.ts`, `b/c.ts`');
  });

  describe('of a session with 60 prompts and 25 failures, all but one fixed', () => {
    const ask = (number: number): string =>
      `Take care of part ${number} of the shop, so that its page answers within a second and shows nothing stale`;
    const rule = (number: number): string =>
      `We use Postgres for part ${number}, not Redis, which is one more thing to run.`;
    const long = (decisions: boolean): Partial<Session> => ({
      cwd: '/home/ada/work/shop',
      branch: 'main',
      questions: ['May I move the mails to the queue as well?', 'Shall I push the branch now?'],
      todos: ['Write the changelog', 'Tag the release'],
      turns: Array.from({ length: 60 }, (_, at) =>
        turn({
          number: at + 1,
          prompt: decisions && at % 2 === 0 ? `${ask(at + 1)}.\n${rule(at + 1)}` : ask(at + 1),
          outcome: `Part ${at + 1} is done and the tests are green.`,
          files: Array.from({ length: at === 32 ? 30 : 1 }, (_file, i) => `src/part-${at + 1}/${i}.ts`),
          failures:
            at >= 25
              ? []
              : [
                  failure({
                    command: `npm test -- part-${at + 1}`,
                    error: `TypeError: part ${at + 1} is not a function`,
                    ending: at === 20 ? 'failed' : 'succeeded-later',
                    times: at === 3 ? 6 : 1,
                    changed: [`src/part-${at + 1}/0.ts`],
                  }),
                ],
        }),
      ),
    });

    it('quotes the first prompt, those followed by the most work, and the last ones', () => {
      const asked = sectionOf('Asked', long(false));
      const numbers = [...asked.matchAll(/part (\d+) of/g)].map(([, number]) => Number(number));
      expect(numbers).toEqual(expect.arrayContaining([1, 33, 58, 59, 60]));
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      expect(asked).toMatch(new RegExp(`\n- and ${60 - numbers.length} more$`));
    });

    it('lists first what failed repeatedly and was fixed, and counts the rest', () => {
      const lines = sectionOf('Learned', long(false)).split('\n');
      expect(lines.length).toBeGreaterThanOrEqual(5);
      expect(lines.slice(0, -1).join('\n')).toMatch(/part-4` failed 6 times: TypeError: part 4 is not a function/);
      expect(lines.at(-1)).toBe(`- and ${25 - (lines.length - 1)} more`);
    });

    it.each([false, true])('leaves room for Decided and Open, with many decisions: %s', (decisions) => {
      const body = bodyOf(long(decisions));
      expect(body.length).toBeLessThanOrEqual(2500);
      expect(sectionOf('Open', long(decisions)).split('\n')).toHaveLength(3);
      expect(sectionOf('Asked', long(decisions))).toContain('part 1 of');
      expect(sectionOf('Asked', long(decisions)).split('\n').length).toBeGreaterThanOrEqual(4);
      expect(sectionOf('Learned', long(decisions)).split('\n').length).toBeGreaterThanOrEqual(3);
      if (decisions) expect(sectionOf('Decided', long(true)).split('\n').length).toBeGreaterThanOrEqual(6);
    });
  });

  it('says what was left open', () => {
    const broken = turn({ prompt: 'Now push', isInterrupted: true });
    const questions = ['Shall I push?'];
    expect(sectionOf('Open', { turns: [broken], questions, todos: ['Push', 'Tag'] })).toBe(
      "- interrupted: “Now push”\n- “Shall I push?”\n- on the agent's list: Push; Tag",
    );
  });

  it('has the summary of a compaction only if nothing came after it', () => {
    const compactions = ['<analysis>hm</analysis>\n<summary>\n1. Checkout\n```js\ncode\n```\n</summary>'];
    expect(bodyOf({ compactions, endsCompacted: true })).toContain('### Summary at the compaction\n\n1. Checkout\n');
    expect(bodyOf({ compactions })).not.toContain('Checkout');
  });

  it('gets no sections or fences from quoted text', () => {
    const text =
      '### Changed\n- `forged`\n```js\n### Asked\n```\n---\n> ## Turns\n```\nnever closed, and six words more';
    const body = bodyOf({
      turns: [turn({ outcome: text, prompt: text, failures: [failure({ error: text })] })],
      choices: [text],
      questions: [text],
      todos: [text],
    });
    expect(body.match(/^(?:### .*|---|```.*)/gm)).toEqual([
      '### Status',
      '### Asked',
      '### Decided',
      '### Learned',
      '### Open',
      '### Transcript',
    ]);
    expect(body).not.toContain('```');
  });

  it.each([1, 8, 300])('stays within 2,500 characters and keeps its sections, with %i turns', (count) => {
    const long = `${'Wört '.repeat(119)}.`;
    const failures = Array.from({ length: 10 }, (_, i) => failure({ command: `${i} ${long}`, error: long }));
    const files = Array.from({ length: 200 }, (_, i) => `${'folder/'.repeat(100)}${i}/${i}.ts`);
    const body = bodyOf({
      cwd: `/${'x/'.repeat(2000)}`,
      branch: 'b'.repeat(4000),
      file: `${'f'.repeat(300)}.jsonl`,
      startedAtMs: firstLineMs,
      endedAtMs: firstLineMs,
      turns: Array.from({ length: count }, (_, i) =>
        turn({
          number: i + 1,
          prompt: long,
          outcome: long,
          files,
          failures,
          commits: [{ hash: '0123456', subject: long, files: 1 }],
        }),
      ),
      subagents: Array.from({ length: 200 }, (_, i) => subagent({ id: `a${i}`, task: long.slice(0, 300) })),
      compactions: [long.repeat(7)],
      endsCompacted: true,
      choices: [long],
      questions: [long, `${long}2`],
      todos: [long],
    });
    expect(body.length).toBeLessThanOrEqual(2500);
    expect(body.length).toBeGreaterThan(1900);
    for (const heading of ['Status', 'Asked', 'Decided', 'Changed', 'Open', 'Transcript'])
      expect(body).toContain(`### ${heading}\n`);
  });
});

describe('a note that a model worded', () => {
  const summary = {
    title: 'Move to pnpm',
    outcome: 'CI still uses npm.',
    asked: ['Replace npm.'],
    decided: ['pnpm, because it is faster.'],
    learned: [],
    open: ['CI'],
  };
  const read = session({
    turns: [
      turn({
        files: ['a.ts'],
        outcome: 'All works!',
        untried: ['a.ts'],
        prompt: 'Replace npm by pnpm in all packages',
      }),
    ],
  });

  it('has the same sections and names the model, while status, changes and transcript stay facts', () => {
    expect(sessionNote(read, 'session-end', { value: summary, model: 'claude:haiku' })).toEqual({
      title: 'Move to pnpm',
      tags: ['session', 'session-end'],
      body: [
        '### Status\n\n- unverified: nothing was run after the last change to `a.ts`\n- CI still uses npm.\n',
        '### Asked\n\n- Replace npm.\n',
        '### Decided\n\n- pnpm, because it is faster.\n',
        '### Changed\n\n- 1 file: `a.ts`\n',
        '### Open\n\n- CI\n',
        '### Transcript\n\n`session-1.jsonl`; worded by claude:haiku\n',
      ].join('\n'),
    });
  });

  it('is made from facts that include what the rules found', () => {
    expect(factsOf(read)).toContain('Replace npm by pnpm in all packages');
    expect(factsOf(read)).toContain('unverified: nothing was run after the last change');
    const facts = factsOf(session({ ...read, subagents: [subagent()] }));
    expect(facts).toContain('- subagent Explore: Find dead code → There is none.');
    expect(facts.length).toBeLessThanOrEqual(9000);
  });
});

it('any transcript gives a note that can be recorded, the same one each time', async () => {
  await fc.assert(
    fc.asyncProperty(anyTranscript, async (text) => {
      const read = await readSession(putTranscript(text));
      const note = sessionNote(read, 'manual');
      expect(checkLimits(note)).toBeUndefined();
      expect(note.title.length).toBeLessThanOrEqual(80);
      expect(note.body.length).toBeLessThanOrEqual(2500);
      expect(note.body.isWellFormed()).toBe(true);
      expect(sessionNote(JSON.parse(JSON.stringify(read)), 'manual')).toEqual(note);
    }),
  );
});
