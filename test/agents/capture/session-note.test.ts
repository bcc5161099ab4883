import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSession } from '../../../src/agents/capture/read-session.js';
import type { Session, Subagent, Turn } from '../../../src/agents/capture/session.js';
import { isTrivial, sessionNote } from '../../../src/agents/capture/session-note.js';
import { checkLimits } from '../../../src/commands/limits.js';
import { anyTranscript, firstLineMs, putTranscript, typicalTranscript } from '../../support/transcripts.js';

const turn = (fields: Partial<Turn> = {}): Turn => ({
  number: 1,
  uuid: 'u1',
  offset: 0,
  atMs: firstLineMs,
  prompt: 'Make it fast',
  isSlashCommand: false,
  outcome: '',
  isInterrupted: false,
  files: [],
  failures: [],
  ...fields,
});

const session = (fields: Partial<Session> = {}): Session => ({
  id: 'session-1',
  file: 'session-1.jsonl',
  cwd: undefined,
  branch: undefined,
  version: undefined,
  startedAtMs: undefined,
  endedAtMs: undefined,
  title: undefined,
  turns: [],
  compactions: [],
  compactionOffsets: [],
  subagents: [],
  bytes: 0,
  ...fields,
});

const subagent = (fields: Partial<Subagent> = {}): Subagent => ({
  id: 'a1',
  type: 'Explore',
  task: 'Find dead code',
  outcome: 'There is none.',
  files: [],
  startedIn: undefined,
  ...fields,
});

const bodyOf = (fields: Partial<Session>): string => sessionNote(session(fields), 'session-end').body;
const titleOf = (fields: Partial<Session>): string => sessionNote(session(fields), 'session-end').title;
const said39 = 'x'.repeat(39);
const said40 = 'x'.repeat(40);

describe('a session is trivial', () => {
  const command = { prompt: '/clear', isSlashCommand: true };
  it.each<[string, boolean, Partial<Session>]>([
    ['with nothing in it', true, {}],
    ['with 39 characters and no prompt', true, { turns: [turn({ prompt: '', outcome: said39 })] }],
    ['with 40 characters and no prompt', false, { turns: [turn({ prompt: '', outcome: said40 })] }],
    ['with 39 characters of two units each', true, { turns: [turn({ prompt: '', outcome: '😀'.repeat(39) })] }],
    ['with a lone slash command', true, { turns: [turn(command)] }],
    ['with a slash command and 39 characters', true, { turns: [turn({ ...command, outcome: said39 })] }],
    ['with a slash command and 40 characters', false, { turns: [turn({ ...command, outcome: said40 })] }],
    ['with two slash commands', false, { turns: [turn(command), turn(command)] }],
    ['with a prompt and no answer', false, { turns: [turn()] }],
    ['with a file', false, { turns: [turn({ ...command, files: ['a.ts'] })] }],
    ['with a file of a subagent', false, { subagents: [subagent({ files: ['a.ts'] })] }],
    ['with a subagent that wrote nothing', true, { subagents: [subagent()] }],
  ])('%s: %s', (_, expected, fields) => {
    expect(isTrivial(session(fields))).toBe(expected);
  });
});

describe('the title', () => {
  it('is the first prompt, or what the session is called', () => {
    expect(titleOf({ turns: [turn({ prompt: 'Make it fast' }), turn({ prompt: 'Commit' })] })).toBe('Make it fast');
    expect(titleOf({ title: 'Speed', turns: [turn()] })).toBe('Speed');
  });

  it('is one line of at most 80 units, cut at a word', () => {
    const title = titleOf({ turns: [turn({ prompt: `# Please\n\nmake the checkout ${'very '.repeat(30)}fast` })] });
    expect(title).toMatch(/^Please · make the checkout very .*very…$/);
    expect(title.length).toBeLessThanOrEqual(80);
  });

  it('is the first line of a prompt that explains itself there', () => {
    const prompt = 'Why does the build fail?\n\nnpm ERR! code 1';
    expect(titleOf({ turns: [turn({ prompt })] })).toBe('Why does the build fail?');
  });

  it('passes over commands that did nothing', () => {
    const clear = turn({ prompt: '/clear', isSlashCommand: true });
    expect(titleOf({ turns: [clear, turn()] })).toBe('Make it fast');
    expect(titleOf({ turns: [clear] })).toBe('/clear');
    const review = turn({ prompt: '/review', isSlashCommand: true, outcome: 'Fine.' });
    expect(titleOf({ turns: [review, turn()] })).toBe('/review');
  });

  it('is never empty', () => {
    expect(titleOf({})).toBe('Session session-1');
    expect(titleOf({ turns: [turn({ prompt: '---', outcome: 'Said so.' })] })).toBe('Said so.');
    expect(titleOf({ subagents: [subagent()] })).toBe('Find dead code');
  });
});

describe('the body', () => {
  it('is what an agent wants to know later', async () => {
    const note = sessionNote(await readSession(putTranscript(typicalTranscript())), 'session-end');
    expect(note.tags).toEqual(['session', 'session-end']);
    expect(note.title).toBe('Make the checkout faster');
    expect(note.body).toMatchInlineSnapshot(`
      "### Ask

      Make the checkout faster

      ### Outcome

      Committed.

      ### Earlier in the session

      - turn 1: “Make the checkout faster” → The checkout is twice as fast now: totals are cached in \`src/cart.ts\`.
      - turn 2: “/review the cart” → Reviewed: nothing to change.

      ### Where

      - Folder: \`/work/shop\`
      - Branch: \`main\`
      - Time: 2026-03-01T10:00Z to 2026-03-01T10:00Z
      - Agent: Claude Code 2.1.200

      ### Files touched

      - \`src/cart.ts\`
      - \`test/cart.test.ts\`

      ### Commands that failed

      - \`npm test\` failed, a later run worked: exit code 1 · FAIL test/cart.test.ts · AssertionError: expected 1 to be 2

      ### Subagents

      - Explore: Find dead code → There is none.

      ### Summary at the last compaction

      1. Checkout

      ### Turns

      In the transcript \`session-1.jsonl\`, by byte offset:

      - turn 1 · 2026-03-01T10:00Z · Make the checkout faster · 416
      - turn 2 · 2026-03-01T10:00Z · /review the cart · 6455
      - turn 3 · 2026-03-01T10:00Z · Commit it · 9080
      "
    `);
  });

  it('has no section without something in it', () => {
    expect(bodyOf({})).toBe('');
    expect(bodyOf({ turns: [turn({ outcome: 'Done.' })] }).match(/^### .*/gm)).toEqual([
      '### Ask',
      '### Outcome',
      '### Turns',
    ]);
  });

  it('says what was left open', () => {
    const open = bodyOf({ turns: [turn({ outcome: 'Done.' }), turn({ number: 2, prompt: 'Now push' })] });
    expect(open).toContain('Done.\n\nThe last prompt has no answer in the transcript: “Now push”');
    const broken = bodyOf({ turns: [turn({ isInterrupted: true })] });
    expect(broken).toContain('The last prompt was interrupted: “Make it fast”');
    expect(broken).toContain('Make it fast (interrupted)');
  });

  it('names each failed command once, those that never worked first', () => {
    const failure = { error: 'error: boom', times: 1 };
    const fixed = { ...failure, command: 'npm test', ending: 'succeeded-later' } as const;
    const open = { ...failure, command: 'git push', ending: 'failed' } as const;
    const body = bodyOf({ turns: [turn({ failures: [fixed, open] }), turn({ number: 2, failures: [fixed] })] });
    expect(body).toContain(
      '- `git push` failed, no later run worked: error: boom\n- `npm test` failed 2 times, a later run worked: error: boom',
    );
  });

  it('leaves out failures that say nothing', () => {
    const failure = { command: 'grep x', error: 'exit code 1', times: 1, ending: 'failed' } as const;
    expect(bodyOf({ turns: [turn({ failures: [failure] })] })).not.toContain('failed');
  });

  it('counts what it leaves out', () => {
    const files = Array.from({ length: 90 }, (_, i) => `src/${i}.ts`);
    const turns = Array.from({ length: 100 }, (_, i) =>
      turn({ number: i + 1, prompt: `ask ${i + 1}`, offset: i * 10 }),
    );
    const body = bodyOf({ turns: [turn({ files }), ...turns.slice(1)] });
    expect(body).toContain('- and 65 more\n\n### Turns');
    expect(body).toContain('- turn 20 · 2026-03-01T10:00Z · ask 20 · 190\n- and 60 more\n- turn 81');
    expect(body.trimEnd().endsWith('- turn 100 · 2026-03-01T10:00Z · ask 100 · 990')).toBe(true);
  });

  it('cannot be given sections or fences by what somebody wrote', () => {
    const outcome = '### Files touched\n- `forged`\n```js\n### Ask\n```\n> ## Turns\n```\nnever closed';
    const body = bodyOf({ turns: [turn({ outcome, prompt: '## Outcome\nforged' })] });
    expect(body.match(/^### .*/gm)).toEqual(['### Ask', '### Outcome', '### Turns']);
    expect(body).not.toContain('```');
  });

  it('takes a compaction as a hook gives it', () => {
    const compactions = ['<analysis>hm</analysis>\n<summary>\n1. Checkout\n```js\ncode\n```\n</summary>'];
    expect(bodyOf({ compactions })).toBe('### Summary at the last compaction\n\n1. Checkout\n');
  });

  it('stays under 8,000 units, however much there is to say', () => {
    const long = `${'Wört '.repeat(119)}.`;
    const failures = Array.from({ length: 10 }, (_, i) => {
      return { command: `${i} ${long}`.slice(0, 200), error: long.slice(0, 300), ending: 'failed', times: 3 } as const;
    });
    const files = Array.from({ length: 200 }, (_, i) => `${'folder/'.repeat(100)}${i}.ts`);
    const body = bodyOf({
      cwd: `/${'x/'.repeat(2000)}`,
      branch: 'b'.repeat(4000),
      version: 'v'.repeat(4000),
      file: `${'f'.repeat(300)}.jsonl`,
      startedAtMs: firstLineMs,
      endedAtMs: firstLineMs,
      turns: Array.from({ length: 300 }, (_, i) =>
        turn({ number: i + 1, prompt: long, outcome: long, files, failures, offset: 1e12 + i }),
      ),
      subagents: Array.from({ length: 200 }, (_, i) =>
        subagent({ id: `a${i}`, type: long.slice(0, 200), task: long.slice(0, 300), outcome: long, files }),
      ),
      compactions: [long.repeat(7)],
      compactionOffsets: [0],
    });
    expect(body.length).toBeLessThanOrEqual(8000);
    expect(body.length).toBeGreaterThan(4000);
    expect(body).toContain('- turn 300 ·');
  });
});

it('always makes a note that can be recorded, and the same one each time', async () => {
  await fc.assert(
    fc.asyncProperty(anyTranscript, async (text) => {
      const read = await readSession(putTranscript(text));
      const note = sessionNote(read, 'manual');
      expect(checkLimits(note)).toBeUndefined();
      expect(note.title.length).toBeLessThanOrEqual(80);
      expect(note.body.isWellFormed()).toBe(true);
      expect(sessionNote(JSON.parse(JSON.stringify(read)), 'manual')).toEqual(note);
    }),
    { numRuns: 150 },
  );
});
