/** What a session wrote itself is no news to it, but to other sessions. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HookEvent } from '../../../src/agents/hooks/payload.js';
import { runHook } from '../../../src/agents/hooks/run-hook.js';
import { readConfig } from '../../../src/config/settings.js';
import { openStore, type TestStore } from '../../support/store.js';

let store: TestStore;
beforeEach(async () => {
  store = openStore();
  const body = 'The refund worker needs a queue of its own, or refunds wait for invoices.';
  const title = 'The refund worker has its own queue';
  await store.memory.perform(
    {
      kind: 'write',
      type: 'semantic',
      scope: 'portable',
      title,
      body,
      project: 'global',
      tags: [],
      keywords: [],
      supersedes: [],
    },
    { session: 's1', agent: 'claude-code' },
  );
});
afterEach(() => store.close());

const hook = (event: HookEvent, session: string, extra: object): Promise<string> =>
  runHook(event, JSON.stringify({ session_id: session, cwd: store.home, ...extra }), {
    settings: store.memory.settings,
    config: readConfig(store.home, {}),
    userHome: store.home,
    nowMs: Date.now,
    log: (line) => {
      throw new Error(line);
    },
    startWorker: () => undefined,
    client: 'claude-code',
    server: 'anamnesis',
  });

const cases: readonly (readonly [HookEvent, object])[] = [
  ['UserPromptSubmit', { prompt: 'which queue does the refund worker use?' }],
  ['SessionStart', { source: 'resume' }],
  ['SessionStart', { source: 'compact' }],
];
it.each(cases)('%s offers a note to another session, but not to the one that wrote it: %j', async (event, extra) => {
  expect(await hook(event, 's1', extra)).not.toContain('refund worker');
  expect(await hook(event, 's2', extra)).toContain('refund worker');
});
