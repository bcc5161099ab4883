import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gistOfError } from '../../../src/agents/capture/failures.js';
import { factsOf, sessionNote } from '../../../src/agents/capture/note/session-note.js';
import { readLastExchanges, readSession } from '../../../src/agents/capture/read-session.js';
import { lessonsByForms } from '../../../src/agents/learn/explicit.js';
import { buildJudgePrompt } from '../../../src/agents/learn/prompt.js';
import { buildSummaryPrompt } from '../../../src/agents/learn/summary.js';
import { parseEntry } from '../../../src/agents/transcript/entry.js';
import { captureSources } from '../../../src/commands/source-keys.js';
import { maskPieces, maskText } from '../../../src/events/note/mask-text.js';
import { anyKey, anyPlace, leaksOf, type Planted } from '../../support/made-up-keys.js';
import { processorMs } from '../../support/processor-time.js';
import { newFolder, putTranscript, Transcript } from '../../support/transcripts.js';

const folder = (): string => newFolder();

/** Returns everything that is produced from a transcript. */
const outputsOf = async (text: string): Promise<string> => {
  const file = putTranscript(text, 'session-1.jsonl', folder());
  const session = await readSession(file);
  const exchanges = await readLastExchanges(file, { count: 12, maxChars: 12_000 });
  const notes = captureSources.slice(0, 2).map((source) => sessionNote(session, source));
  const judged = [true, false].map((deep) => {
    const { noteByLabel: _, turnByNumber: __, ...shown } = buildJudgePrompt(exchanges, { deep, related: [] });
    return shown;
  });
  return [session, exchanges, notes, judged, buildSummaryPrompt(factsOf(session)), lessonsByForms(exchanges)]
    .map((output) => JSON.stringify(output).replaceAll('\\n', '\n'))
    .join('\n');
};

/** Puts `text` into one field of a transcript; there is one entry for each field that is read. */
const fields: Readonly<Record<string, (t: Transcript, text: string) => void>> = {
  'a prompt': (t, text) => void t.prompt(text),
  'a prompt in blocks': (t, text) => void t.prompt([{ type: 'text', text }]),
  'a slash command': (t, text) => void t.command('review', text),
  'a prompt with an editor selection': (t, text) =>
    void t.prompt(`Look.<ide_selection>${text}</ide_selection>\n${text}`),
  'an answer': (t, text) => void t.reply(text),
  'the output of a failed command': (t, text) => t.run('npm test', `Exit code 255\n${text}`),
  'a question of the agent': (t, text) => void t.reply(`Done. Shall I use ${text}?`),
  'a decision': (t, text) => void t.prompt(`We never use ${text} because it leaks.`),
  'a pasted error': (t, text) => void t.prompt(`❯ make\nbuilding\nerror: ${text}\n`),
  'a to-do list': (t, text) =>
    void t.tool('TodoWrite', {
      todos: [
        { content: `Do ${text}`, status: 'pending' },
        { content: text, status: 'pending' },
      ],
    }),
  'a task on the list': (t, text) =>
    void t.tool('TaskCreate', { subject: text }, { result: `Task #1 created successfully: ${text}` }),
  'a plan in its dialogue': (t, text) =>
    void t.tool('ExitPlanMode', { plan: `1. Use ${text}\n2. Add ${text}` }, { result: 'User has approved your plan.' }),
  'an answer in a dialogue': (t, text) =>
    void t.tool('AskUserQuestion', {}, { result: `User has answered your questions: "${text}"="${text}".` }),
  'a commit': (t, text) =>
    void t.tool('Bash', { command: `git commit -m "${text}"` }, { result: `[main 0123456] ${text}\n 1 file changed` }),
  'the error of a tool': (t, text) => t.run('npm test', `<tool_use_error>${text}</tool_use_error>`),
  'an output in blocks': (t, text) =>
    void t.tool(
      'Bash',
      { command: 'make' },
      {
        isError: true,
        result: [
          { type: 'text', text: 'Error' },
          { type: 'text', text },
        ],
      },
    ),
  'a command': (t, text) => t.run(text, 'Exit code 1\nerror: it broke'),
  'a path': (t, text) => void t.tool('Write', { file_path: `/work/shop/${text}` }),
  'a path of an MCP file tool': (t, text) => void t.tool('mcp__fs__write_file', { path: text }),
  'a task': (t, text) => void t.tool('Task', { description: 'Look', subagent_type: 'explorer', prompt: text }),
  'the name of a task': (t, text) => void t.tool('Task', { description: text, subagent_type: text, prompt: 'Look' }),
  'the answer to a task': (t, text) =>
    void t.tool('Task', { description: 'Look', prompt: 'Look' }, { result: [{ type: 'text', text }] }),
  'the summary of a compaction': (t, text) => void t.compact(`<summary>\n${text}\n</summary>`),
  'a title': (t, text) => t.meta({ type: 'custom-title', customTitle: text }),
  'a summary': (t, text) => t.meta({ type: 'summary', summary: text }),
  'the last prompt': (t, text) => t.meta({ type: 'last-prompt', lastPrompt: text }),
  'an attached prompt': (t, text) => void t.attachment({ type: 'queued_command', prompt: text, commandMode: 'prompt' }),
  'a name field of a line': (t, text) =>
    void t.prompt('Look at it.', { cwd: text, gitBranch: text, version: text, agentId: text, sessionId: text }),
  'an id': (t, text) => void t.block({ type: 'tool_use', id: text, name: 'Task', input: { prompt: 'Look' } }),
  "a subagent's line": (t, text) => {
    t.line('user', { isSidechain: true, parentUuid: null, message: { role: 'user', content: text } });
    t.line('assistant', { isSidechain: true, message: { role: 'assistant', content: [{ type: 'text', text }] } });
  },
};

const transcriptWith = (fill: (t: Transcript) => void): string => {
  const t = new Transcript();
  t.prompt('Please make the build work again.');
  t.reply('I look.');
  t.tool('Edit', { file_path: '/work/shop/a.ts' });
  fill(t);
  t.reply('It works now, and the reason was a wrong path.');
  return t.text();
};

const expectNoLeak = async (text: string, key: Planted): Promise<void> => {
  expect(leaksOf(await outputsOf(text), key)).toEqual([]);
};

describe('a key in a transcript', () => {
  it.each(Object.keys(fields))(
    'never leaks from %s, wherever a limit cuts it',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(anyKey, anyPlace(262_144), async (key, place) => {
          await expectNoLeak(
            transcriptWith((t) => fields[name]?.(t, place(key.text))),
            key,
          );
        }),
        { numRuns: 25 },
      );
    },
    60_000,
  );

  it('never leaks from an output that is nothing but the key', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyKey,
        fc.constantFrom('Exit code 255\n', 'Exit code 1\nerror: no such host\n', ''),
        async (key, head) => {
          await expectNoLeak(
            transcriptWith((t) => t.run('ssh deploy@shop', `${head}${key.text}`)),
            key,
          );
        },
      ),
    );
  });

  it('never leaks when its lines or halves are split across blocks or entries', async () => {
    const split = fc.tuple(anyKey, fc.double({ min: 0.05, max: 0.95, noNaN: true }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(split, async ([key, share, byLine]) => {
        const at = Math.round(share * key.text.length);
        const pieces = byLine ? key.text.split('\n') : [key.text.slice(0, at), key.text.slice(at)];
        const blocks = pieces.map((text) => ({ type: 'text', text }));
        await expectNoLeak(
          transcriptWith((t) => {
            t.prompt(blocks);
            t.tool('Bash', { command: 'make' }, { isError: true, result: blocks });
            t.reply(...pieces);
          }),
          key,
        );
      }),
    );
  });

  it('never leaks from the folder of a subagent', async () => {
    await fc.assert(
      fc.asyncProperty(anyKey, anyPlace(4096), async (key, place) => {
        const home = folder();
        const file = putTranscript(
          transcriptWith(() => undefined),
          'session-1.jsonl',
          home,
        );
        const agent = new Transcript({ agent: 'a1', sidechain: true });
        agent.prompt(place(key.text));
        agent.run('make', `Exit code 2\n${place(key.text)}`);
        agent.reply(place(key.text));
        putTranscript(agent, 'session-1/subagents/agent-a1.jsonl', home);
        const meta = { agentType: place(key.text), description: place(key.text) };
        writeFileSync(join(home, 'session-1/subagents/agent-a1.meta.json'), JSON.stringify(meta));
        const session = await readSession(file);
        expect(session.subagents).toHaveLength(1);
        expect(leaksOf(JSON.stringify([session, sessionNote(session, 'manual')]), key)).toEqual([]);
      }),
    );
  });

  it('never reaches a parsed entry, whatever its field', () => {
    const types = ['user', 'assistant', 'attachment', 'custom-title', 'ai-title', 'summary', 'last-prompt', 'x'];
    const named = ['uuid', 'parentUuid', 'sessionId', 'cwd', 'gitBranch', 'version', 'agentId', 'leafUuid', 'content'];
    fc.assert(
      fc.property(fc.constantFrom(...types), anyKey, (type, key) => {
        const names = Object.fromEntries(named.map((name) => [name, key.text]));
        const content = [
          { type: 'text', text: key.text },
          { type: 'tool_result', tool_use_id: key.text, content: key.text },
        ];
        const titles = { customTitle: key.text, aiTitle: key.text, summary: key.text, lastPrompt: key.text };
        const attachment = { type: 'queued_command', prompt: key.text };
        const entry = parseEntry({ type, ...names, ...titles, attachment, message: { id: 'm', content } });
        expect(leaksOf(JSON.stringify(entry), key)).toEqual([]);
      }),
    );
  });
});

describe('masking a text', () => {
  const pem = [
    '-----BEGIN PRIVATE KEY-----',
    ...Array.from({ length: 6 }, (_, i) => `${i}aB3`.repeat(16)),
    '-----END PRIVATE KEY-----',
  ];

  it('finds a secret that is split by colour codes', () => {
    expect(maskText(`token \u001b[32mghp_a1B2c3D4e5F6g7H8\u001b[1mi9J0k1L2m3N4o5P6q7R8\u001b[0m end`)).toBe(
      'token [REDACTED:github-token] end',
    );
  });

  it('recognises a key by its end or its middle alone', () => {
    expect(maskText(`${pem.slice(4).join('\n')}\nnext`)).toBe('[REDACTED:private-key]\nnext');
    expect(maskText(`before\n${pem.slice(2, 6).join('\n')}\nnext`)).toBe('before\n[REDACTED:private-key]\nnext');
    expect(maskText(`${pem.slice(3).join('\\n')} next`)).toBe('[REDACTED:private-key] next');
  });

  it('leaves hashes and texts about keys alone', () => {
    for (const text of [
      `sha512-${'aB3c'.repeat(22)}==\nnext`,
      'It begins with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----, see RFC 7468.',
      `${'a'.repeat(64)}\n${'a'.repeat(64)}`,
    ])
      expect(maskText(text)).toBe(text);
  });

  it('keeps pieces apart unless a secret spans them', () => {
    expect(maskPieces(['one', 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8', 'two'])).toEqual([
      'one',
      '[REDACTED:github-token]',
      'two',
    ]);
    expect(maskPieces(pem)).toEqual(['[REDACTED:private-key]']);
  });

  it('drops the last word of a truncated text', () => {
    expect(maskText('one two ghp_a1B2c3\0')).toBe('one two ');
  });

  it('is fast for a text that repeats one character or token', () => {
    for (const text of [
      'A',
      'aB3',
      '\n',
      ' ',
      '-----',
      '\\n',
      '-----END PRIVATE KEY-----',
      '=',
      '\0',
      'Zz9+\n'.repeat(12),
    ]) {
      const startMs = processorMs();
      maskText(text.repeat(Math.ceil(256_000 / text.length)));
      expect(processorMs() - startMs).toBeLessThan(1000);
    }
  });
});

it('the gist of a masked error is not masked again', () => {
  expect(gistOfError(maskText('Exit code 1\nerror: token ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8 is gone'))).toBe(
    'exit code 1 · error: token [REDACTED:github-token] is gone',
  );
});
