import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Traced } from '../../src/answers/history-schema.js';
import { type App, appOn } from '../../src/app/app.js';
import type { Access } from '../../src/app/notes.js';
import { traceOfSession, traceSessions } from '../../src/app/trace.js';
import { openAgentState } from '../../src/state/agent-state.js';
import { Reading } from '../../src/store/reading.js';
import { removeTrace, traceFolder } from '../../src/store/trace-file.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(() => store.close());

const appIn = (session: string | undefined, access: Partial<Access> = {}, more: object = {}): App => {
  const { memory } = store;
  const reading = new Reading({ ...memory.settings, session, ...more }, memory.parts);
  return appOn(reading, async () => memory, { user: undefined, workspace: undefined, ...access });
};
const traceOf = async (app: App, session: string) => {
  const found = await traceOfSession(app, session);
  if (!found.ok) throw new Error(found.refusal.message);
  expect(Traced.safeParse(found.answer).error).toBeUndefined();
  return found.answer.entries;
};

describe('the trace of a session', () => {
  it('says what was asked, which notes were given with which score, and what became of them', async () => {
    const vpn = await writeNote(store.memory, { title: 'Deploys need the VPN', body: 'Open the VPN first.\n' });
    const hang = await writeNote(store.memory, { title: 'Deploys hang', body: 'They wait for the lock.\n' });
    const app = appIn('s-1');
    await app.notes.search('deploys', { project: 'global' });
    await app.notes.show(vpn.id);
    await app.notes.edit(hang.id, { set: { body: 'They wait for a lock.\n' } }, { agent: 'a', session: 's-1' });
    const [entry] = await traceOf(app, 's-1');
    expect(entry).toMatchObject({ by: 'search', query: 'deploys', project: 'global', total: 2 });
    expect(entry?.notes).toHaveLength(2);
    const of = (id: string) => entry?.notes.find((one) => one.id === id);
    expect(of(vpn.id)).toMatchObject({
      title: 'Deploys need the VPN',
      short_id: vpn.short_id,
      score: expect.any(Number),
      opened: true,
      changed: false,
      cited: false,
    });
    expect(of(hang.id)).toMatchObject({ opened: false, changed: true });
    expect(entry?.notes.map(({ rank }) => rank)).toEqual([1, 2]);
  });

  it('marks a note as cited when the agent names it in its text, but not in a tool call', async () => {
    const [said, called] = [
      await writeNote(store.memory, { title: 'Deploys need the VPN', body: 'One.\n' }),
      await writeNote(store.memory, { title: 'Deploys hang at noon', body: 'Two.\n' }),
    ];
    const app = appIn('s-2');
    await app.notes.search('deploys', {});
    const transcript = join(store.home, 't.jsonl');
    const line = (content: unknown) => `${JSON.stringify({ type: 'assistant', message: { content } })}\n`;
    writeFileSync(
      transcript,
      `not json\n${line([{ type: 'text', text: `As ${said.short_id} says, …` }])}${line([{ type: 'tool_use', input: { id: called.id } }])}`,
    );
    const state = openAgentState(join(store.home, 'agents.db'));
    state.expectTranscript(transcript, 's-2', 0);
    state.close();
    const cited = async () => (await traceOf(app, 's-2'))[0]?.notes.filter((note) => note.cited).map(({ id }) => id);
    expect(await cited()).toEqual([said.id]);
    rmSync(transcript);
    expect(await cited()).toEqual([]);
  });

  it('includes session starts and prompts, even those that were given nothing', async () => {
    await writeNote(store.memory, {
      title: 'Deploys need the VPN',
      body: 'Open the VPN before deploys.\n',
      project: 'p',
    });
    const app = appIn('s-3');
    await app.notes.inject('p');
    await app.notes.recall('do deploys need the VPN?', { project: 'p', k: 5, budget: 9_000 });
    await app.notes.recall('paint the shed', { project: 'p', k: 5, budget: 9_000 });
    const entries = await traceOf(app, 's-3');
    expect(entries.map(({ by, notes }) => [by, notes.length])).toEqual([
      ['inject', 1],
      ['recall', 1],
      ['recall', 0],
    ]);
    expect(entries[0]?.notes[0]?.score).toBeNull();
    expect(entries[1]).toMatchObject({ query: 'do deploys need the VPN?', notes: [{ score: expect.any(Number) }] });
  });

  it('marks notes of which a prompt got only the title, and counts them as not given', async () => {
    await writeNote(store.memory, {
      title: 'Image uploads go directly to the bucket',
      body: 'A presigned form, ten megabytes at most.\n',
      project: 'p',
    });
    const app = appIn('s-5');
    const prompt = 'upload a new avatar';
    const { text } = await app.notes.recall(prompt, { project: 'p', k: 5, budget: 9_000 });
    expect(text).toContain('maybe: ');
    const [entry] = await traceOf(app, 's-5');
    expect(entry).toMatchObject({
      by: 'recall',
      notes: [{ title: 'Image uploads go directly to the bucket', named: true }],
    });
    expect(traceSessions(app)).toMatchObject([{ session: 's-5', asked: 1, given: 0 }]);
  });

  it('is found by the beginning of its id, as "last", or as "none" for no session', async () => {
    await writeNote(store.memory);
    for (const session of ['abc-1', 'abc-2', 'b', undefined]) await appIn(session).notes.search('mode', {});
    const app = appIn(undefined);
    expect(traceSessions(app).map(({ session, asked, given }) => [session, asked, given])).toEqual([
      [null, 1, 1],
      ['b', 1, 1],
      ['abc-2', 1, 1],
      ['abc-1', 1, 1],
    ]);
    const found = async (given: string) => {
      const answer = await traceOfSession(app, given);
      return answer.ok ? answer.answer.session : answer.refusal.code;
    };
    expect(await found('abc-1')).toBe('abc-1');
    expect(await found('last')).toBe('b');
    expect(await found('none')).toBeNull();
    expect(await found('abc')).toBe('session-ambiguous');
    expect(await found('zz')).toBe('session-unknown');
    expect(await found('')).toBe('session-ambiguous');
  });

  it('stores neither title nor text of a note, and looks titles up when it is read', async () => {
    const note = await writeNote(store.memory, { title: 'Unspeakable name', body: 'Unspeakable body of it.\n' });
    const app = appIn('s-4');
    await app.notes.search('unspeakable', {});
    await app.notes.show(note.id);
    await app.notes.inject('global');
    const kept = () => readFileSync(join(traceFolder(store.home), 'trace.jsonl'), 'utf8');
    expect(kept()).not.toMatch(/Unspeakable|name|body of it/);
    await app.notes.forget([note.id], undefined);
    expect((await traceOf(app, 's-4'))[0]?.notes[0]).toMatchObject({ id: note.id, title: null });
  });

  it('is kept only when there is a store and the trace is not turned off', async () => {
    await appIn('s').notes.search('x', {});
    expect(existsSync(traceFolder(store.home))).toBe(false);
    await writeNote(store.memory);
    await appIn('s', {}, { trace: false }).notes.search('mode', {});
    expect(existsSync(traceFolder(store.home))).toBe(false);
  });

  it('shows a restricted access only its own entries', async () => {
    const { memory } = store;
    const theirs = appIn('s', { user: 'bob', workspace: 'team' });
    await theirs.notes.write({ ...(await import('../support/store.js')).writeCommand(), title: 'Team note' });
    await writeNote(memory, { title: 'Own note' });
    await theirs.notes.search('note', {});
    await appIn('s', { user: 'self' }).notes.search('note', {});
    await appIn('s', { user: 'bob', workspace: 'other' }).notes.search('note', {});
    const seen = await traceOf(theirs, 's');
    expect(seen).toHaveLength(1);
    expect(seen[0]?.notes.map(({ title }) => title)).toEqual(['Team note']);
    expect(await traceOf(appIn('s', { user: 'self' }), 's')).toHaveLength(1);
    expect(await traceOf(appIn('s'), 's')).toHaveLength(3);
    expect(traceSessions(appIn('s', { user: 'eve', workspace: 'team' }))).toEqual([]);
  });

  it('can be cleared', async () => {
    await writeNote(store.memory);
    const app = appIn('s');
    await app.notes.search('mode', {});
    mkdirSync(join(traceFolder(store.home)), { recursive: true });
    removeTrace(store.home);
    expect(traceSessions(app)).toEqual([]);
  });
});
