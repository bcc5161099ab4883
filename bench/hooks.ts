/** The cost of a hook to its agent: the whole process compared with bare Node, measured in turn within one run. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../src/projections/eval/metrics.js';
import { median, type Row, runProcess, timeProcess } from './measure.js';

const runs = 21;
/** Time for a background worker to start; the `work` command after that waits for it to end. */
const workerMs = 400;

export const measureHooks = async (
  cli: string,
  home: string,
  size: number,
  environment: NodeJS.ProcessEnv,
  add: (row: Row) => void,
): Promise<void> => {
  const folder = join(home, '..', `agent-${size}`);
  const project = join(folder, 'project');
  mkdirSync(project, { recursive: true });
  const transcript = join(folder, 'transcript.jsonl');
  const line = { type: 'user', uuid: 'u1', sessionId: 's', cwd: project, message: { content: 'why does it fail' } };
  writeFileSync(transcript, `${JSON.stringify(line)}\n`);
  const surroundings = { ...environment, CLAUDE_CONFIG_DIR: join(folder, 'claude') };
  const payload = (event: string, at: number): string =>
    `${JSON.stringify({
      hook_event_name: event,
      session_id: `bench-${event}-${at}`,
      transcript_path: transcript,
      cwd: project,
      source: event === 'SessionStart' ? 'startup' : '',
      prompt: 'how do we retry a failed webhook delivery',
      last_assistant_message: 'The delivery is retried with back-off.',
      agent_type: 'Explore',
      tool_name: 'mcp__anamnesis__memory_search',
    })}\n`;
  const events = [
    'SessionStart',
    'UserPromptSubmit',
    'UserPromptSubmit again',
    'Stop',
    'SessionEnd',
    'SubagentStart',
    'PermissionRequest',
  ] as const;
  const bare: number[] = [];
  const times = new Map<string, number[]>(events.map((event) => [event, []]));
  for (let at = 0; at < runs; at += 1) {
    bare.push(timeProcess(['-e', '0'], surroundings));
    for (const name of events) {
      const event = name.split(' ')[0] ?? '';
      // The second prompt of a session is the usual one: the first also gets the notes that SessionStart left out.
      const input = payload(event, at);
      times.get(name)?.push(timeProcess([cli, 'hook', event], surroundings, input));
      if (event === 'SessionStart' || event === 'SessionEnd') await waitForWorker(cli, surroundings);
    }
  }
  add({ what: `bare node -e 0, beside the hooks, ${size}`, measured: median(bare), unit: 'ms' });
  for (const [name, each] of times) {
    add({
      what: `hook ${name} / bare node, ${size}`,
      measured: median(each) / median(bare),
      unit: 'x',
      limit: size === 10_000 ? 1.6 : undefined,
      note: `p50 ${median(each).toFixed(0)} ms, p95 ${percentile(each, 95).toFixed(0)} ms`,
    });
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
};

/** Otherwise the work that a hook left behind would be measured with the next command. */
const waitForWorker = async (cli: string, environment: NodeJS.ProcessEnv): Promise<void> => {
  for (;;) {
    await sleep(workerMs);
    const { busy }: { readonly busy: boolean } = JSON.parse(await runProcess([cli, 'work', '--json'], environment));
    if (!busy) return;
  }
};
