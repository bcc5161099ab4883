/** Unusual sessions of the real Claude Code, such as killed, forked and cleared ones. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientBinary, type Ended, startClient } from './support/client.js';
import { findComplaints } from './support/complaints.js';
import type { Step } from './support/mock-anthropic.js';
import { contextOf, fieldsOf, listOf, type ModelRequest, textOf, wholeText } from './support/model-request.js';
import { openStage, type Stage } from './support/stage.js';

const rope = { title: 'Mooring ropes are hemp', body: 'Nylon ropes charge up in the wind and spark.' };
const tool = (name: string, input: Readonly<Record<string, unknown>>): Step => ({ kind: 'tool', name, input });
const memoryTool = (name: string, input: Readonly<Record<string, unknown>>): Step =>
  tool(`mcp__anamnesis__${name}`, input);
const text = (said: string): Step => ({ kind: 'text', text: said });
const note = { type: 'semantic', title: 'Lamps burn colza oil', body: 'Paraffin smokes too much.', project: 'hangar' };

describe.skipIf(clientBinary === undefined)('sessions of Claude Code', () => {
  let stage: Stage;
  const deniedIn = (ended: Ended): readonly string[] =>
    ended.events
      .filter(({ type }) => type === 'result')
      .flatMap((event) => listOf(event['permission_denials']).map((denial) => textOf(fieldsOf(denial)['tool_name'])));
  const titles = async (): Promise<readonly string[]> => (await stage.notes()).map(({ title }) => title);
  const requestsOf = (session: string): readonly ModelRequest[] =>
    stage.mock.requests.filter((request) => request.session === session);
  const transcriptOf = (session: string): string => {
    const projects = join(stage.home.config, 'projects');
    const folders = existsSync(projects) ? readdirSync(projects) : [];
    const file = folders.map((name) => join(projects, name, `${session}.jsonl`)).find((path) => existsSync(path));
    return file === undefined ? '' : readFileSync(file, 'utf8');
  };
  const poll = async (isSo: () => boolean): Promise<void> => {
    for (const until = Date.now() + 20_000; !isSo(); await new Promise((resolve) => setTimeout(resolve, 50))) {
      if (Date.now() > until) throw new Error('waited in vain');
    }
  };

  beforeAll(async () => {
    stage = await openStage(clientBinary ?? '');
    const { code, stderr } = await stage.anamnesis(
      ...['init', '--yes', '--home', stage.store, '--machine-id', 'airship', '--local-only'],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await stage.anamnesis('write', rope.title, '--body', rope.body, '--project', 'global')).code).toBe(0);
  });
  afterAll(() => stage?.close());

  it('may read the memory without permission, but do nothing else', async () => {
    const [id = ''] = (await stage.notes()).map((one) => one.id);
    const ended = await stage.say({
      session: randomUUID(),
      prompt: 'Look at the ropes.',
      steps: [
        memoryTool('memory_search', { query: 'mooring ropes' }),
        memoryTool('memory_get', { id }),
        memoryTool('memory_write', note),
        memoryTool('memory_edit', { id, title: 'Mooring ropes are steel' }),
        memoryTool('memory_forget', { id }),
        tool('Bash', { command: 'touch made-by-bash', description: 'makes a file' }),
        text('They are of hemp.'),
      ],
    });
    expect(deniedIn(ended)).toEqual([
      'mcp__anamnesis__memory_write',
      'mcp__anamnesis__memory_edit',
      'mcp__anamnesis__memory_forget',
      'Bash',
    ]);
    expect(await stage.show(id)).toMatchObject(rope);
    expect(await titles()).not.toContain(note.title);
    expect(existsSync(join(stage.home.project, 'made-by-bash'))).toBe(false);
  });

  it('may write to the memory without permission if the owner chose so', async () => {
    expect((await stage.anamnesis('config', 'set', 'approve_write', 'true')).code).toBe(0);
    const ended = await stage.say({
      session: randomUUID(),
      prompt: 'Write down what the lamps burn.',
      steps: [memoryTool('memory_write', note), memoryTool('memory_forget', { id: 'x' }), text('Done.')],
    });
    expect(deniedIn(ended)).toEqual(['mcp__anamnesis__memory_forget']);
    expect(await titles()).toContain(note.title);
  });

  it('are captured when the next one starts, if they were killed', async () => {
    const session = randomUUID();
    const prompt = 'Patch the torn envelope at frame nineteen.';
    stage.mock.lay(session, [{ kind: 'hold' }]);
    const { child, ended } = startClient(stage.binary, stage.home, { session, prompt });
    await poll(() => transcriptOf(session).includes(prompt));
    child.kill('SIGKILL');
    expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' });
    await stage.say({ session: randomUUID(), prompt: 'Good morning.' });
    const captured = await stage.captured(session);
    expect(captured.body).toContain(prompt);
    expect(captured.tags).toContain('catch-up');
  });

  it('are captured when they are told to end in the middle', async () => {
    const session = randomUUID();
    const prompt = 'Balance the gas cells before noon.';
    stage.mock.lay(session, [{ kind: 'hold' }]);
    const { child, ended } = startClient(stage.binary, stage.home, { session, prompt });
    await poll(() => transcriptOf(session).includes(prompt));
    child.kill('SIGTERM');
    expect(findComplaints(await ended)).toEqual([]);
    expect((await stage.captured(session)).body).toContain(prompt);
  });

  it('give their subagents the notes of the project, and are captured with what those did', async () => {
    const session = randomUUID();
    await stage.say({
      session,
      prompt: 'Have somebody inspect the mooring mast.',
      args: ['--permission-mode', 'acceptEdits'],
      steps: [
        tool('Agent', {
          description: 'Inspect the mast',
          prompt: 'Climb the mooring mast and look for rust.',
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
        text('The mast was inspected.'),
      ],
      subagentSteps: [
        tool('Write', { file_path: join(stage.home.project, 'rust.md'), content: 'None.\n' }),
        text('There is no rust on the mast.'),
      ],
    });
    const [first] = requestsOf(session).filter(({ agent }) => agent !== '');
    expect(first === undefined ? '' : contextOf(first, 'SubagentStart')).toContain(rope.body);
    const captured = await stage.captured(session);
    expect(captured.body).toContain('Inspect the mast');
    expect(captured.body).toContain('rust.md');
    const agents = requestsOf(session).flatMap(({ agent }) => (agent === '' ? [] : [agent]));
    expect((await stage.notes()).filter((one) => agents.includes(one.session))).toEqual([]);
  });

  it('do not take the report of a background subagent for a prompt', async () => {
    // Keeps the note on ropes from being given before the subagent speaks of them.
    expect((await stage.anamnesis('config', 'set', 'inject_notes', '1')).code).toBe(0);
    const session = randomUUID();
    const started = {
      description: 'Count ropes',
      prompt: 'Count the mooring ropes.',
      subagent_type: 'general-purpose',
    };
    await stage.say({
      session,
      prompt: 'Let somebody count while I have tea.',
      steps: [tool('Agent', started), text('Somebody counts.'), text('There are twelve.')],
      subagentSteps: [text('Twelve mooring ropes of hemp.')],
    });
    const notified = requestsOf(session).findLast(({ kind }) => kind === 'turn');
    expect(notified?.texts.some(({ text: said }) => said.includes('<task-notification>'))).toBe(true);
    expect(notified?.texts.filter(({ text: said }) => said.includes('UserPromptSubmit hook additional'))).toEqual([]);
    const captured = await stage.captured(session, ({ body }) => body.includes('There are twelve.'));
    expect(captured.body).toContain('Let somebody count while I have tea.');
    expect(captured.body).not.toContain('task-notification');
  });

  it('are captured without the turns of the session that they were forked from', async () => {
    const [first, fork] = [randomUUID(), randomUUID()];
    await stage.say({ session: first, prompt: 'Draw the keel of the ship from above.' });
    const before = await stage.captured(first);
    const args = ['--resume', first, '--fork-session'];
    await stage.say({ session: fork, args, prompt: 'Draw the rudder of the ship from behind.' });
    expect(requestsOf(fork)[0]?.texts.some(({ text: said }) => said.includes('Draw the keel'))).toBe(true);
    const captured = await stage.captured(fork);
    expect(captured.body).toContain('Draw the rudder of the ship from behind.');
    expect(captured.body).not.toContain('Draw the keel');
    expect(await stage.captured(first)).toEqual(before);
  });

  it('become two when they are cleared in the middle, and both begin with the notes', async () => {
    const session = randomUUID();
    const prompt = ['Weigh the anchor chain of the ship.', '/clear', 'Weigh the propeller of the ship.'];
    await stage.say({ session, prompt, steps: [text('Forty kilos.')] });
    const [, second] = stage.mock.requests.filter(({ kind }) => kind === 'turn').slice(-2);
    expect(second?.session).not.toBe(session);
    expect(second === undefined ? '' : contextOf(second, 'SessionStart')).toContain('# Anamnesis memory');
    expect((await stage.captured(session)).body).not.toContain('Weigh the propeller');
    expect((await stage.captured(second?.session ?? '')).body).not.toContain('Weigh the anchor chain');
  });

  it('teach what a judge finds in them, while the judge leaves no session of its own', async () => {
    const lesson = 'Hydrogen is topped up on Tuesdays only, because the gas wagon comes on Tuesdays.';
    stage.mock.answerSideCalls(({ texts }) =>
      texts.some(({ text: asked }) => asked.includes('gas wagon'))
        ? JSON.stringify({
            lessons: [{ kind: 'correction', title: 'Hydrogen comes on Tuesdays', text: lesson, confidence: 0.8 }],
          })
        : '{"lessons":[]}',
    );
    expect((await stage.anamnesis('config', 'set', 'learn_judges', 'claude')).code).toBe(0);
    const session = randomUUID();
    await stage.say({
      session,
      prompt: 'No, hydrogen is topped up on Tuesdays only: the gas wagon comes on Tuesdays.',
      steps: [text('Understood, hydrogen is topped up on Tuesdays.')],
    });
    const captured = await stage.captured(session);
    await expect.poll(titles, { timeout: 30_000 }).toContain('Hydrogen comes on Tuesdays');
    const learned = (await stage.notes()).find(({ title }) => title === 'Hydrogen comes on Tuesdays');
    expect(await stage.show(learned?.id ?? '')).toMatchObject({ body: `${lesson}\n`, project: 'hangar' });
    // What a model found waits for the person.
    expect((await stage.anamnesis('review', '--json')).stdout).toContain('Hydrogen comes on Tuesdays');
    expect((await stage.anamnesis('config', 'unset', 'learn_judges')).code).toBe(0);
    const judged = stage.mock.requests.filter(({ kind, session: asker }) => kind === 'side' && asker !== session);
    expect(judged.length).toBeGreaterThan(0);
    const sessions = (await stage.notes()).map((one) => one.session);
    for (const one of judged) {
      expect(sessions).not.toContain(one.session);
      expect(transcriptOf(one.session)).toBe('');
      expect(wholeText(one)).not.toContain('# Anamnesis memory');
    }
    expect(captured.project).toBe('hangar');
  });

  it('leave an empty spool and an undamaged store', async () => {
    await expect
      .poll(() => readdirSync(join(stage.store, 'spool')).filter((name) => name.endsWith('.json')), {
        timeout: 30_000,
      })
      .toEqual([]);
    const replayed = await stage.anamnesis('replay', '--verify', '--json');
    expect(replayed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(replayed.stdout)).toMatchObject({ verified: true, skipped: 0 });
    expect((await stage.anamnesis('verify')).code).toBe(0);
    expect(stage.mock.unknownPaths).toEqual([]);
    // Hooks do not report their own faults to the client.
    const logs = readdirSync(join(stage.store, 'logs')).map((file) =>
      readFileSync(join(stage.store, 'logs', file), 'utf8'),
    );
    expect(
      logs
        .join('')
        .split('\n')
        // Every side call is answered with nothing to learn, which is not a summary of a session.
        .filter((line) => /fail|refused|error|^\S+ \d+ model /i.test(line) && !line.endsWith('the answer is unusable')),
    ).toEqual([]);
  });
});
