import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSession } from '../../../src/agents/capture/read-session.js';
import { filesOf, outcomeOf, type Session } from '../../../src/agents/capture/session.js';
import { anyTranscript, firstLineMs, putTranscript, Transcript, typicalTranscript } from '../../support/transcripts.js';

const read = (content: string | Buffer | Transcript, name?: string): Promise<Session> =>
  readSession(putTranscript(content, name));

const transcriptWith = (fill: (t: Transcript) => void): Transcript => {
  const t = new Transcript();
  fill(t);
  return t;
};
const promptsIn = ({ turns }: Session): readonly string[] => turns.map(({ prompt }) => prompt);

describe('a typical session', () => {
  it('has a turn for each prompt, with what followed it', async () => {
    const t = typicalTranscript();
    const session = await read(t);
    expect(session.turns).toEqual([
      {
        number: 1,
        uuid: '00000001-0000-4000-8000-000000000002',
        offset: Buffer.byteLength(t.lines.slice(0, 2).join('\n')) + 1,
        atMs: firstLineMs + 1000,
        prompt: 'Make the checkout faster',
        isSlashCommand: false,
        outcome: 'The checkout is twice as fast now: totals are cached in `src/cart.ts`.',
        isInterrupted: false,
        files: ['src/cart.ts', 'test/cart.test.ts'],
        failures: [
          {
            command: 'npm test',
            error: 'exit code 1 · FAIL test/cart.test.ts · AssertionError: expected 1 to be 2',
            ending: 'succeeded-later',
            times: 1,
            changed: ['test/cart.test.ts'],
          },
        ],
        commits: [],
        lastRun: { command: 'npm test', error: '', hasFailed: false },
        lastCheck: { command: 'npm test', error: '', hasFailed: false },
        untried: [],
        reported: '',
      },
      expect.objectContaining({ number: 2, prompt: '/review the cart', isSlashCommand: true, files: [] }),
      expect.objectContaining({ number: 3, prompt: 'Commit it', outcome: 'Committed.' }),
    ]);
    expect(outcomeOf(session)).toBe('Committed.');
    expect(filesOf(session)).toEqual(['src/cart.ts', 'test/cart.test.ts']);
  });

  it('has the id, file, folder, branch, times and size of its transcript', async () => {
    const t = typicalTranscript({ session: 's-9', cwd: '/work/shop', branch: 'fast', version: '2.1.220' });
    const session = await read(t, 'elsewhere.jsonl');
    expect(session).toMatchObject({
      id: 's-9',
      file: 'elsewhere.jsonl',
      cwd: '/work/shop',
      branch: 'fast',
      startedAtMs: firstLineMs,
      compactions: ['1. Checkout'],
      bytes: t.bytes,
    });
    expect(session.endedAtMs).toBeGreaterThan(firstLineMs + 15_000);
  });

  it('has turns whose offsets point to their prompts', async () => {
    const t = typicalTranscript();
    const bytes = Buffer.from(t.text());
    for (const { offset, uuid } of (await read(t)).turns) {
      expect(JSON.parse(bytes.toString('utf8', offset, bytes.indexOf(10, offset)))).toMatchObject({ uuid });
    }
  });

  it('contains no e-mail address of the account', async () => {
    expect(JSON.stringify(await read(typicalTranscript()))).not.toContain('@');
  });

  it('is the same when read again', async () => {
    const path = putTranscript(typicalTranscript());
    expect(await readSession(path)).toEqual(await readSession(path));
  });
});

describe('the id of a session', () => {
  it('is the name of the file when no line has one', async () => {
    expect((await read('', 'abc.jsonl')).id).toBe('abc');
    expect((await read('{"type":"user","sessionId":7,"message":{"content":"hi"}}\n', 'abc.jsonl')).id).toBe('abc');
  });

  it('is the name of the file when some lines come from another session', async () => {
    const t = transcriptWith((one) => one.prompt('copied', { sessionId: 'older' }));
    t.prompt('own');
    expect((await read(t, 'session-1.jsonl')).id).toBe('session-1');
    expect((await read(t, 'renamed.jsonl')).id).toBe('older');
  });
});

describe('the title', () => {
  const titled = (...lines: readonly Readonly<Record<string, unknown>>[]) =>
    transcriptWith((t) => {
      t.prompt('ask');
      for (const line of lines) t.meta(line);
    });
  const custom = { type: 'custom-title', customTitle: 'Chosen' };
  const generated = { type: 'ai-title', aiTitle: 'Generated' };
  const leaf = '00000001-0000-4000-8000-000000000001';

  it('is the custom one, else the generated one, else a summary', async () => {
    const summary = { type: 'summary', summary: 'Summed up', leafUuid: leaf };
    expect((await read(titled(custom, generated, summary))).title).toBe('Chosen');
    expect((await read(titled(generated, summary))).title).toBe('Generated');
    expect((await read(titled(summary))).title).toBe('Summed up');
    expect((await read(titled())).title).toBeUndefined();
  });

  it('is the last one of its kind', async () => {
    expect((await read(titled(custom, { ...custom, customTitle: 'Chosen\nlater' }))).title).toBe('Chosen later');
  });

  it('is never the summary of another session or a value that is not text', async () => {
    expect((await read(titled({ type: 'summary', summary: 'Elsewhere', leafUuid: 'x' }))).title).toBeUndefined();
    expect((await read(titled({ type: 'custom-title', customTitle: { a: 1 } }))).title).toBeUndefined();
  });
});

describe('prompts', () => {
  it('are what a person typed, even while a tool was running', async () => {
    const t = transcriptWith((one) => {
      one.prompt([
        { type: 'text', text: 'look at this' },
        { type: 'image', source: {} },
      ]);
      one.attachment({ type: 'queued_command', prompt: 'and that', commandMode: 'prompt' });
      one.attachment({ type: 'queued_command', prompt: [{ type: 'text', text: 'and those' }] });
      one.prompt('from the web', { origin: { kind: 'human' } });
    });
    expect(promptsIn(await read(t))).toEqual(['look at this', 'and that', 'and those', 'from the web']);
  });

  it('are not what the program inserts', async () => {
    const t = transcriptWith((one) => {
      one.prompt('ask');
      one.prompt('meta', { isMeta: true });
      one.prompt('side', { isSidechain: true });
      one.prompt('peer', { origin: { kind: 'peer' } });
      one.prompt('wake up', { promptSource: 'system' });
      one.prompt('shown only', { isVisibleInTranscriptOnly: true });
      one.prompt('<task-notification>done</task-notification>');
      one.prompt('# Anamnesis memory (auto-injected)\n\nnotes');
      one.attachment({ type: 'queued_command', prompt: 'done', commandMode: 'task-notification' });
      one.attachment({ type: 'queued_command', prompt: 'peer', origin: { kind: 'peer' } });
      one.attachment({ type: 'hook_additional_context', content: 'notes' });
      one.prompt([
        { type: 'tool_result', tool_use_id: 'x', content: 'result' },
        { type: 'text', text: 'beside' },
      ]);
    });
    expect(promptsIn(await read(t))).toEqual(['ask']);
  });

  it('are empty for a turn that the agent begins', async () => {
    const session = await read(transcriptWith((t) => t.reply('Going on.')));
    expect(session.turns).toMatchObject([{ prompt: '', uuid: undefined, outcome: 'Going on.', offset: 0 }]);
  });
});

describe('the outcome of a turn', () => {
  const outcomeAfter = async (fill: (t: Transcript) => void): Promise<string | undefined> =>
    (
      await read(
        transcriptWith((t) => {
          t.prompt('ask');
          fill(t);
        }),
      )
    ).turns[0]?.outcome;

  it('is the last message with all its lines', async () => {
    expect(await outcomeAfter((t) => [t.reply('first'), t.reply('It is done.', 'Have a look.')])).toBe(
      'It is done.\n\nHave a look.',
    );
  });

  it('is only what a model said', async () => {
    const outcome = await outcomeAfter((t) => {
      t.reply('Said.');
      t.block({ type: 'text', text: 'API Error' }, { model: '<synthetic>' });
      t.line('assistant', { isApiErrorMessage: true, message: { content: [{ type: 'text', text: 'Overloaded' }] } });
      t.line('assistant', { isSidechain: true, message: { content: [{ type: 'text', text: 'side' }] } });
      t.reply('\n\n');
      t.reply('(no content)');
      t.block({ type: 'thinking', thinking: 'hm' });
      t.reply('# Anamnesis memory (auto-injected)\n\nnotes');
    });
    expect(outcome).toBe('Said.');
  });

  it("is not the agent's reply to a notification, unless that is longer", async () => {
    const notified = (answer: string) => (t: Transcript) => {
      t.reply('The cache is in, all tests pass.');
      t.prompt('<task-notification>done</task-notification>');
      t.tool('Read', { file_path: '/tmp/x' });
      t.reply(answer);
    };
    expect(await outcomeAfter(notified('That was old.'))).toBe('The cache is in, all tests pass.');
    const longer = 'The search has ended: there are three more places that need the cache.';
    expect(await outcomeAfter(notified(longer))).toBe(longer);
  });

  it("is the agent's reply to a notification if it wrote a file before that", async () => {
    const outcome = await outcomeAfter((t) => {
      t.reply('The cache is in, all tests pass.');
      t.prompt('<task-notification>done</task-notification>');
      t.tool('Write', { file_path: '/work/shop/b.ts' });
      t.reply('Fixed.');
    });
    expect(outcome).toBe('Fixed.');
  });

  it('is cut at 600 units', async () => {
    const outcome = await outcomeAfter((t) => t.reply('😀'.repeat(5000)));
    expect(outcome?.length).toBeLessThanOrEqual(600);
    expect(outcome?.isWellFormed()).toBe(true);
  });
});

describe('files', () => {
  it("are those that were written, relative to the session's folder if inside it", async () => {
    const t = transcriptWith((one) => {
      one.prompt('ask');
      one.tool('Write', { file_path: '/work/shop/b.ts' });
      one.tool('Edit', { file_path: '/work/shop/a.ts' });
      one.tool('MultiEdit', { file_path: '/work/shop/a.ts' });
      one.tool('NotebookEdit', { notebook_path: '/else/n.ipynb' });
      one.tool('mcp__filesystem__write_file', { path: '/work/shop/c.ts' });
      one.tool('Read', { file_path: '/work/shop/read.ts' });
      one.tool('Edit', { file_path: 7 });
      one.tool('Edit', {});
    });
    expect((await read(t)).turns[0]?.files).toEqual(['/else/n.ipynb', 'a.ts', 'b.ts', 'c.ts']);
  });

  it('are relative on Windows too', async () => {
    const t = new Transcript({ cwd: 'C:\\work\\shop' });
    t.prompt('ask');
    t.tool('Write', { file_path: 'C:\\work\\shop\\src\\a.ts' });
    expect((await read(t)).turns[0]?.files).toEqual(['src/a.ts']);
  });

  it('leave out those whose write failed or was refused', async () => {
    const t = transcriptWith((one) => {
      one.prompt('ask');
      one.tool('Edit', { file_path: '/work/shop/a.ts' }, { result: 'File has not been read yet', isError: true });
      one.tool('Edit', { file_path: '/work/shop/b.ts' }, { result: '<tool_use_error>no</tool_use_error>' });
    });
    expect((await read(t)).turns[0]?.files).toEqual([]);
  });

  it('include a write whose result is missing at the end of the transcript', async () => {
    const t = transcriptWith((one) => {
      one.prompt('ask');
      one.tool('Write', { file_path: '/work/shop/a.ts' });
    });
    t.lines.pop();
    expect((await read(t)).turns[0]?.files).toEqual(['a.ts']);
  });

  it('are at most 200', async () => {
    const t = transcriptWith((one) => {
      one.prompt('ask');
      for (let i = 0; i < 300; i += 1) one.tool('Write', { file_path: `/work/shop/${i}.ts` });
    });
    expect((await read(t)).turns[0]?.files.length).toBe(200);
  });
});

describe('what was settled or left open', () => {
  const turnsAfter = async (fill: (t: Transcript) => void) => {
    const t = new Transcript();
    t.prompt('Make the checkout faster');
    fill(t);
    return read(t);
  };

  it('includes plans approved and questions answered in a dialogue', async () => {
    const { choices } = await turnsAfter((t) => {
      t.tool('ExitPlanMode', { plan: '# Plan\n\n1. Use Redis\n' }, { result: 'x' });
      t.tool('ExitPlanMode', { plan: '1. Use Redis for the totals' }, { result: 'User has approved your plan.' });
      t.tool('ExitPlanMode', { plan: '1. Add a second cache' }, { result: 'rejected', isError: true });
      t.tool('AskUserQuestion', {}, { result: 'User has answered your questions: "Which store?"="Redis". Go on.' });
    });
    expect(choices).toEqual(['Use Redis for the totals', 'Which store? → Redis']);
  });

  it("includes the unfinished tasks on the agent's list", async () => {
    const older = await turnsAfter((t) => {
      const todo = (content: string, status: string) => ({ content, status });
      t.tool('TodoWrite', { todos: [todo('One', 'pending')] });
      t.tool('TodoWrite', { todos: [todo('One', 'completed'), todo('Two', 'in_progress'), todo('Three', 'pending')] });
    });
    expect(older.todos).toEqual(['Two', 'Three']);
    const newer = await turnsAfter((t) => {
      t.tool('TaskCreate', { subject: 'One' }, { result: 'Task #1 created successfully: One' });
      t.tool('TaskCreate', { subject: 'Two' }, { result: 'Task #2 created successfully: Two' });
      t.tool('TaskUpdate', { taskId: '1', status: 'completed' });
    });
    expect(newer.todos).toEqual(['Two']);
  });

  it('includes what the last reply asks, unless a person has spoken since', async () => {
    const asked = await turnsAfter((t) => void t.reply('Done. Want me to push it now?'));
    expect(asked.questions).toEqual(['Want me to push it now?']);
    const answered = await turnsAfter((t) => {
      t.reply('Done. Want me to push it now?');
      t.prompt('yes');
    });
    expect(answered.questions).toEqual([]);
  });

  it('includes a failed command, the change and the run that worked', async () => {
    const { turns } = await turnsAfter((t) => {
      t.run('npm test', 'Exit code 1\nAssertionError: expected 1 to be 2');
      t.tool('Edit', { file_path: '/work/shop/src/cart.ts' });
      t.run('npm test');
      t.tool('Edit', { file_path: '/work/shop/README.md' });
      t.tool('Bash', { command: 'git commit -am x' }, { result: '[main 0123456] Fill the cart first' });
    });
    expect(turns[0]?.failures).toMatchObject([
      {
        changed: ['src/cart.ts'],
        ending: 'succeeded-later',
      },
    ]);
    expect(turns[0]).toMatchObject({
      commits: [{ hash: '0123456', subject: 'Fill the cart first', files: 2 }],
      lastCheck: { command: 'npm test', hasFailed: false },
      lastRun: { command: 'git commit -am x' },
      untried: [],
    });
  });

  it('includes code that was never run and an error that the person pasted', async () => {
    const { turns } = await turnsAfter((t) => {
      t.prompt('❯ make\nbuilding…\nerror: no rule to make target\n');
      t.tool('Edit', { file_path: '/work/shop/Makefile' });
      t.run('git status');
      t.run('ls -la | grep Makefile');
    });
    expect(turns[1]).toMatchObject({ reported: 'error: no rule to make target', untried: ['Makefile'] });
  });
});

describe('failures', () => {
  const failuresAfter = async (fill: (t: Transcript) => void) =>
    (
      await read(
        transcriptWith((t) => {
          t.prompt('ask');
          fill(t);
        }),
      )
    ).turns.map(({ failures }) => failures.map(({ command, ending, times }) => [command, ending, times]));

  it('are settled by a later run of the same command, even in a later turn', async () => {
    const [first, second] = await failuresAfter((t) => {
      t.run('npm run build', 'Exit code 1\nerror');
      t.run('git push', 'Exit code 1\nerror');
      t.prompt('go on');
      t.run('npm run build 2>&1 | tail');
    });
    expect(first).toEqual([
      ['npm run build', 'succeeded-later', 1],
      ['git push', 'failed', 1],
    ]);
    expect(second).toEqual([]);
  });

  it.each(['docker compose up -d db && npm test', 'docker compose up -d db; sleep 3; npm test', 'timeout 60 npm test'])(
    'are settled by a later run as part of a longer line: %s',
    async (line) => {
      const [turn] = await failuresAfter((t) => {
        t.run('npm test', 'Exit code 1\nerror');
        t.run(line);
      });
      expect(turn).toEqual([['npm test', 'succeeded-later', 1]]);
    },
  );

  it('stay open when the command fails again', async () => {
    const [first, second] = await failuresAfter((t) => {
      t.run('npm test', 'Exit code 1\nerror');
      t.run('npm test');
      t.prompt('go on');
      t.run('npm test', 'Exit code 1\nerror');
    });
    expect(first).toEqual([['npm test', 'failed', 1]]);
    expect(second).toEqual([['npm test', 'failed', 1]]);
  });

  it('are listed once for each command, with a count', async () => {
    const [first] = await failuresAfter((t) => {
      for (let i = 0; i < 4; i += 1) t.run('npm test', `Exit code 1\nerror ${i}`);
    });
    expect(first).toEqual([['npm test', 'failed', 4]]);
  });

  it('leave out commands that never ran, and are not settled by a background run', async () => {
    const [first] = await failuresAfter((t) => {
      t.run('rm -rf x', "The user doesn't want to proceed with this tool use.");
      t.run('rm -rf y', '<tool_use_error>Sibling tool call errored</tool_use_error>');
      t.run('npm start', 'Exit code 1\nerror');
      t.tool('Bash', { command: 'npm start', run_in_background: true }, { result: 'Command running in background: 1' });
      t.tool('Bash', { command: 12 }, { isError: true });
    });
    expect(first).toEqual([['npm start', 'failed', 1]]);
  });

  it('are the last ten of a turn', async () => {
    const [first] = await failuresAfter((t) => {
      for (let i = 0; i < 300; i += 1) t.run(`cmd-${i} run`, 'Exit code 1\nerror');
    });
    expect(first).toHaveLength(10);
    expect(first?.at(-1)).toEqual(['cmd-299 run', 'failed', 1]);
  });
});

describe('compactions', () => {
  it('are the last three, each without the thinking before it', async () => {
    const t = transcriptWith((one) => {
      one.prompt('ask');
      for (let i = 0; i < 5; i += 1)
        one.compact(`This session is being continued.\nAnalysis:\nhm\n\nSummary:\nNo. ${i}`);
      one.reply('going on');
    });
    const session = await read(t);
    expect(session.compactions).toEqual(['No. 2', 'No. 3', 'No. 4']);
    expect(session.turns).toMatchObject([{ prompt: 'ask', outcome: 'going on' }]);
  });

  it('are cut at 4,000 units with both ends kept', async () => {
    const t = transcriptWith((one) => one.compact(`begin ${'word '.repeat(3000)}end`));
    const [text = ''] = (await read(t)).compactions;
    expect(text.length).toBeLessThanOrEqual(4000);
    expect(text).toMatch(/^begin.*end$/s);
  });
});

describe('a damaged transcript', () => {
  it('loses neither object of a glued line', async () => {
    const t = transcriptWith((one) => {
      one.prompt('first');
      one.prompt('second');
    });
    const glued = t.lines.join('');
    const session = await read(`${glued}\n`);
    expect(promptsIn(session)).toEqual(['first', 'second']);
    expect(session.turns[1]?.offset).toBe(Buffer.byteLength(t.lines[0] ?? ''));
    expect((await read(glued)).bytes).toBe(Buffer.byteLength(glued));
  });

  it('loses only the broken lines in its middle', async () => {
    const t = typicalTranscript();
    t.lines.splice(4, 0, '{"type":"user","mess', '\0\0\0\0', 'null', '[]', '', '{"type":"new-type","uuid":"n"}');
    expect((await read(t)).turns).toHaveLength(3);
  });

  it('ends at its last complete line when its end is cut off', async () => {
    const t = typicalTranscript();
    const text = t.text();
    const session = await read(text.slice(0, -20));
    expect(session.bytes).toBe(Buffer.byteLength(t.lines.slice(0, -1).join('\n')) + 1);
    expect(session.turns.at(-1)?.outcome).toBe('');
  });

  it('is complete when only the last line feed is missing', async () => {
    const text = typicalTranscript().text().slice(0, -1);
    const session = await read(text);
    expect(session.bytes).toBe(Buffer.byteLength(text));
    expect(session.turns.at(-1)?.outcome).toBe('Committed.');
  });

  it('is read without the values of a wrong type', async () => {
    const odd = [null, 7, 'text', [], {}, [null, 7, [], { type: 7 }, { type: 'text', text: 7 }, { type: 'tool_use' }]];
    const lines = ['user', 'assistant', 'attachment', 'system', 'summary', 'queue-operation', 'last-prompt'].flatMap(
      (type) =>
        odd.flatMap((value) => [
          { type, message: value, attachment: value, summary: value, operation: value, content: value },
          { type, uuid: value, timestamp: value, cwd: value, sessionId: value, message: { content: value, id: value } },
        ]),
    );
    const session = await read(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), 'odd.jsonl');
    expect(session.id).toBe('text');
    expect(promptsIn(session)).toEqual(['text']);
  });

  it('is not misled by hostile keys', async () => {
    const line =
      '{"__proto__":{"type":"user"},"constructor":{"prototype":{"polluted":1}},"type":"user","message":{"__proto__":{"content":"no"},"content":"yes"}}';
    expect(promptsIn(await read(`${line}\n`))).toEqual(['yes']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('a repeated line', () => {
  it('is skipped', async () => {
    const t = typicalTranscript();
    const once = await read(t);
    t.lines.push(...t.lines);
    expect({ ...(await read(t)), bytes: 0 }).toEqual({ ...once, bytes: 0 });
  });
});

describe('a line with images of megabytes', () => {
  const image = { type: 'image', source: { type: 'base64', data: 'A'.repeat(2_000_000) } };

  it('is a prompt with the text beside them', async () => {
    const t = transcriptWith((one) => {
      one.prompt([image, { type: 'text', text: 'What is this?' }]);
      one.tool('Read', { file_path: '/a.png' }, { result: [image], toolUseResult: { file: { base64: image } } });
      one.reply('A cat.');
    });
    expect((await read(t)).turns).toMatchObject([{ prompt: 'What is this?', outcome: 'A cat.', offset: 0 }]);
  });
});

it('throws when there is no transcript', async () => {
  await expect(readSession('/nowhere/at/all.jsonl')).rejects.toThrow('ENOENT');
});

it('reads further each time a transcript has grown', async () => {
  const t = transcriptWith((one) => one.prompt('first'));
  const path = putTranscript(t);
  const before = await readSession(path);
  t.prompt('second');
  appendFileSync(path, `${t.lines.at(-1)}\n`);
  const after = await readSession(path);
  expect(promptsIn(after)).toEqual(['first', 'second']);
  expect(after.turns[1]?.offset).toBe(before.bytes);
});

it('gives a prefix of the turns wherever the transcript is cut', async () => {
  await fc.assert(
    fc.asyncProperty(anyTranscript, fc.nat(), async (text, at) => {
      const bytes = Buffer.from(text);
      const end = bytes.length === 0 ? 0 : at % (bytes.length + 1);
      const whole = await read(bytes);
      const cut = await read(bytes.subarray(0, end));
      const anchors = ({ turns }: Session) =>
        turns.map(({ number, uuid, offset, prompt }) => [number, uuid, offset, prompt]);
      expect(anchors(cut)).toEqual(anchors(whole).slice(0, cut.turns.length));
      expect(cut.bytes).toBeLessThanOrEqual(end);
      expect(cut.bytes === 0 || cut.bytes === end || bytes[cut.bytes - 1] === 10).toBe(true);
      expect(bytes.subarray(cut.bytes, end).includes(10)).toBe(false);
    }),
  );
});

it('never throws, whatever the bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), anyTranscript, async (noise, text) => {
      const bytes = Buffer.concat([Buffer.from(text), Buffer.from(noise), Buffer.from(text)]);
      expect((await read(bytes)).bytes).toBeLessThanOrEqual(bytes.length);
    }),
  );
});

it('keeps the first and the last turns of a session that has thousands', async () => {
  const t = transcriptWith((one) => {
    for (let i = 1; i <= 3000; i += 1) one.prompt(`prompt ${i}`);
    one.reply('Done.');
  });
  const { turns } = await read(t);
  expect(turns).toHaveLength(1000);
  expect(turns.every(({ number, prompt }) => prompt === `prompt ${number}`)).toBe(true);
  expect([turns[0]?.number, turns[199]?.number, turns[200]?.number]).toEqual([1, 200, 2201]);
  expect(turns.at(-1)?.outcome).toBe('Done.');
});
