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
