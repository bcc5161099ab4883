import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LearnAsked, learnFromSession } from '../../src/agents/learning.js';
import { readProposals } from '../../src/app/reviewing.js';
import { type AgentState, openAgentState } from '../../src/state/agent-state.js';
import { makeModels } from '../support/models.js';
import { openStore, type TestStore } from '../support/store.js';

let store: TestStore;
let state: AgentState;
let transcript = '';
let lines = 0;
beforeEach(async () => {
  store = openStore();
  await store.memory.initialise();
  state = openAgentState(join(store.home, 'agents.db'));
  transcript = join(store.home, 'transcript.jsonl');
});
afterEach(async () => {
  state.close();
  await store.close();
});

const say = (type: 'user' | 'assistant', text: string): void => {
  lines += 1;
  const content = type === 'user' ? text : [{ type: 'text', text }];
  appendFileSync(transcript, `${JSON.stringify({ type, uuid: `u${lines}`, message: { role: type, content } })}\n`);
};
const size = (): number => statSync(transcript).size;
/** No model, so lessons come from phrases alone. */
const { models } = makeModels([]);
const learn = (fields: Partial<LearnAsked>) => {
  const asked = { session: 's', transcript, project: 'shop', agent: undefined, queued: 1, size: size(), lastReply: '' };
  return learnFromSession(store.memory, state, { ...asked, ...fields }, { models, nowMs: Date.now });
};
const titles = async (): Promise<readonly string[]> =>
  (await store.memory.list({ tags: ['learned'] }, 50)).notes.map(({ title }) => title.toLowerCase());

describe('learning', () => {
  it('judges the exchange that ended, even if the next prompt is already there', async () => {
    say('user', 'Never push to main without a review.');
    say('assistant', 'Understood.');
    const ended = size();
    say('user', 'Always run the linter before committing.');
    expect(await learn({ size: ended })).toMatchObject({ written: 1 });
    expect(await titles()).toEqual([expect.stringContaining('push to main')]);
    say('assistant', 'I will.');
    expect(await learn({})).toMatchObject({ written: 1 });
    expect(await titles()).toHaveLength(2);
  });
  it('judges each exchange once, however often it is queued', async () => {
    say('user', 'Never push to main without a review.');
    say('assistant', 'Understood.');
    await learn({ queued: 3 });
    expect(await learn({ queued: 3 })).toEqual({ written: 0, proposed: 0, confirmed: 0 });
    expect(await titles()).toHaveLength(1);
  });
  it('confirms what it knows when another session says it again', async () => {
    say('user', 'Never push to main without a review.');
    say('assistant', 'Understood.');
    await learn({});
    const before = (await store.memory.list({ tags: ['learned'] }, 1)).notes[0]?.confidence ?? 1;
    say('user', 'Never push to main without a review.');
    say('assistant', 'Of course.');
    expect(await learn({ session: 'another' })).toMatchObject({ written: 0, confirmed: 1 });
    const [note] = (await store.memory.list({ tags: ['learned'] }, 10)).notes;
    expect(note?.confidence).toBeGreaterThan(before);
    expect(note?.confidence).toBeLessThan(1);
  });
  it('records which session, exchange and judge a note comes from', async () => {
    say('user', 'Never push to main without a review.');
    say('assistant', 'Understood.');
    await learn({});
    const [note] = (await store.memory.list({ tags: ['learned'] }, 10)).notes;
    expect(note).toMatchObject({
      prov_session: 's',
      prov_source: 'session-end',
      prov_model: 'heuristic',
      project: 'shop',
    });
    expect(note?.source_key).toMatch(/^learned:s\/u\d+:/);
  });
  it('proposes what was not plainly typed, or holds a command', async () => {
    say('user', 'Never push to main.\n\nThe readme says “we deploy on Fridays”.');
    say('assistant', 'Understood.');
    expect(await learn({})).toEqual({ written: 0, proposed: 1, confirmed: 0 });
    say('user', 'Always run `make clean` before a release.');
    say('assistant', 'I will.');
    expect(await learn({})).toEqual({ written: 0, proposed: 1, confirmed: 0 });
    const { proposals } = await readProposals(store.memory, {}, 9);
    expect(proposals.map(({ newer, older }) => [newer.title, newer.untrusted, older])).toEqual([
      ['Never push to main', true, undefined],
      ['Always run `make clean` before a release', true, undefined],
    ]);
  });
  it('writes a note when a proposal is said again, plainly', async () => {
    say('user', 'Never push to main.\n\nThe readme says “we deploy on Fridays”.');
    say('assistant', 'Understood.');
    await learn({});
    say('user', 'never push to main');
    say('assistant', 'Of course.');
    expect(await learn({ session: 'another' })).toEqual({ written: 1, proposed: 0, confirmed: 0 });
  });
});
