import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSession } from '../../../src/agents/capture/read-session.js';
import { newFolder, putTranscript, Transcript } from '../../support/transcripts.js';

type Call = { readonly prompt: string; readonly description?: string; readonly subagent_type?: string };

const sessionCalling = (call: Call, answer = 'The answer.', agentId?: string): Transcript => {
  const t = new Transcript();
  t.prompt('ask');
  t.tool('Task', call, {
    result: [{ type: 'text', text: answer }],
    ...(agentId === undefined ? {} : { toolUseResult: { status: 'completed', agentId } }),
  });
  t.reply('Done.');
  return t;
};

/** The subagent's own transcript: it is asked, edits a file and reports. */
const agentTranscript = (prompt: string, agent: string, seed = 2): Transcript => {
  const t = new Transcript({ agent, seed });
  t.prompt(prompt);
  t.tool('Edit', { file_path: '/work/shop/src/a.ts' });
  t.reply(`Report of ${agent}.`);
  return t;
};

describe('a subagent', () => {
  it('without its own transcript is described by its call', async () => {
    const t = sessionCalling({ prompt: 'Look for dead code', description: 'Find dead code', subagent_type: 'Explore' });
    expect((await readSession(putTranscript(t))).subagents).toEqual([
      {
        id: 'toolu_1_2',
        type: 'Explore',
        task: 'Find dead code',
        outcome: 'The answer.',
        files: [],
        startedIn: '00000001-0000-4000-8000-000000000001',
      },
    ]);
  });

  it('with its own transcript is described by what it did', async () => {
    const folder = newFolder();
    const path = putTranscript(sessionCalling({ prompt: 'Look', subagent_type: 'Explore' }), 'session-1.jsonl', folder);
    putTranscript(agentTranscript('Look', 'a1b2c3'), 'session-1/subagents/agent-a1b2c3.jsonl', folder);
    expect((await readSession(path)).subagents).toEqual([
      {
        id: 'a1b2c3',
        type: 'Explore',
        task: 'Look',
        outcome: 'Report of a1b2c3.',
        files: ['src/a.ts'],
        startedIn: '00000001-0000-4000-8000-000000000001',
      },
    ]);
  });

  it('takes its type and task from the meta file beside its transcript', async () => {
    const folder = newFolder();
    const path = putTranscript(sessionCalling({ prompt: 'Something else' }), 'session-1.jsonl', folder);
    putTranscript(agentTranscript('Look', 'a1'), 'session-1/subagents/agent-a1.jsonl', folder);
    const meta = { agentType: 'Plan', description: 'Plan it', toolUseId: 'toolu_1_2', spawnDepth: 1 };
    putTranscript(JSON.stringify(meta), 'session-1/subagents/agent-a1.meta.json', folder);
    expect((await readSession(path)).subagents).toMatchObject([{ id: 'a1', type: 'Plan', task: 'Plan it' }]);
  });

  it('of a workflow is found in the folder of the workflow', async () => {
    const folder = newFolder();
    const path = putTranscript('', 'session-1.jsonl', folder);
    putTranscript(agentTranscript('Look', 'a1'), 'session-1/subagents/workflows/wf_1/agent-a1.jsonl', folder);
    expect((await readSession(path)).subagents.map(({ id }) => id)).toEqual(['a1']);
  });

  it('of an older version is found beside the session, by its id', async () => {
    const folder = newFolder();
    const path = putTranscript(sessionCalling({ prompt: 'Look' }, 'x', '9ed1c9d0'), 'session-1.jsonl', folder);
    putTranscript(agentTranscript('Look', '9ed1c9d0'), 'agent-9ed1c9d0.jsonl', folder);
    const other = new Transcript({ session: 'session-2', agent: 'ffffffff' });
    other.prompt('Look');
    putTranscript(other, 'agent-ffffffff.jsonl', folder);
    expect((await readSession(path)).subagents).toMatchObject([{ id: '9ed1c9d0', files: ['src/a.ts'] }]);
  });

  it('among the lines of the session is told apart from the others', async () => {
    const t = new Transcript({ version: '1.0.98' });
    t.prompt('ask');
    for (const n of [1, 2]) t.tool('Task', { prompt: `Task ${n}`, description: `Job ${n}`, subagent_type: 'general' });
    const side = { isSidechain: true };
    const asked = [1, 2].map((n) => t.prompt(`Task ${n}`, { ...side, parentUuid: null }));
    const says = (text: string, parentUuid: string): string =>
      t.line('assistant', { ...side, parentUuid, message: { id: text, content: [{ type: 'text', text }] } });
    const second = says('two works', asked[1]!);
    const first = says('one works', asked[0]!);
    says('two is done', second);
    says('one is done', first);
    t.reply('Both are done.');
    const session = await readSession(putTranscript(t));
    expect(session.subagents).toMatchObject([
      { id: asked[0], type: 'general', task: 'Job 1', outcome: 'one is done' },
      { id: asked[1], type: 'general', task: 'Job 2', outcome: 'two is done' },
    ]);
    expect(session.turns).toMatchObject([{ prompt: 'ask', outcome: 'Both are done.' }]);
  });

  it('that was not allowed to start is left out', async () => {
    const t = new Transcript();
    t.prompt('ask');
    t.tool(
      'Task',
      { prompt: 'Look' },
      { result: "The user doesn't want to proceed with this tool use.", isError: true },
    );
    expect((await readSession(putTranscript(t))).subagents).toEqual([]);
  });

  it('that was only launched has no outcome yet', async () => {
    const t = sessionCalling({ prompt: 'Look' }, 'Async agent launched successfully. agentId: a1');
    expect((await readSession(putTranscript(t))).subagents).toMatchObject([{ task: 'Look', outcome: '' }]);
  });
});

it("skips the program's own agents and files that cannot be read", async () => {
  const folder = newFolder();
  const put = (content: string | Transcript, name: string): string =>
    putTranscript(content, join('session-1/subagents', name), folder);
  const path = putTranscript('', 'session-1.jsonl', folder);
  put(agentTranscript('Look', 'x'), 'agent-acompact-fffbd0.jsonl');
  put(agentTranscript('Look', 'x'), 'agent-aprompt_suggestion-12.jsonl');
  put(agentTranscript('Warmup', 'w'), 'agent-a2.jsonl');
  put(agentTranscript('Look', 'h'), 'agent-a3.jsonl');
  put('{"agentType":"","description":"title"}', 'agent-a3.meta.json');
  put('', 'agent-a4.jsonl');
  put('garbage', 'agent-a5.jsonl');
  put(agentTranscript('Look', 'a6'), 'agent-a6.jsonl');
  put('{"agentType":', 'agent-a6.meta.json');
  putTranscript('', 'session-1/subagents/agent-a7.jsonl/file', folder);
  put(agentTranscript('Look', 'y'), 'notes.jsonl');
  expect((await readSession(path)).subagents).toMatchObject([{ id: 'a6', type: undefined, task: 'Look' }]);
});

it('reads the transcript of a subagent as one subagent', async () => {
  const folder = newFolder();
  const path = putTranscript(agentTranscript('Look', 'a1'), 'agent-a1.jsonl', folder);
  putTranscript(agentTranscript('Other', 'a2', 3), 'agent-a2.jsonl', folder);
  const session = await readSession(path);
  expect(session.turns).toEqual([]);
  expect(session.subagents).toMatchObject([{ id: 'a1', outcome: 'Report of a1.', files: ['src/a.ts'] }]);
});
