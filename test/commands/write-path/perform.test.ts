import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openState } from '../../../src/state/state.js';
import { openStore, type TestStore, writeCommand, writeNote } from '../../support/store.js';

describe('the write path', () => {
  let store: TestStore;
  beforeEach(() => {
    store = openStore();
  });
  afterEach(async () => {
    await store.close();
  });

  it('records one event for a Command-Id that is sent twice, and returns the same note', async () => {
    const first = await store.memory.perform(writeCommand(), { commandId: 'retry-1' });
    const second = await store.memory.perform(writeCommand(), { commandId: 'retry-1' });
    expect(second).toMatchObject({ status: 'recorded', event: 'event' in first ? first.event : undefined });
    expect('note' in second && 'note' in first && second.note?.id === first.note?.id).toBe(true);
    expect(await store.memory.events({}, 10)).toHaveLength(1);
  });

  it('records one event for a Command-Id that is sent several times at once', async () => {
    const outcomes = await Promise.all([1, 2, 3].map(() => store.memory.submit(writeCommand(), { commandId: 'same' })));
    const ids = outcomes.map((outcome) => (outcome.status === 'recorded' ? outcome.event?.id : outcome.status));
    expect(new Set(ids).size).toBe(1);
    expect(await store.memory.events({}, 10)).toHaveLength(1);
  });

  it('gives each of many concurrent commands its own commit and outcome, including refusals', async () => {
    const titles = Array.from({ length: 40 }, (_, at) => (at % 10 === 3 ? '' : `note ${at}`));
    const answers = await Promise.all(titles.map((title) => store.memory.perform(writeCommand({ title }))));
    answers.forEach((answer, at) => {
      if (at % 10 === 3) expect(answer).toMatchObject({ status: 'refused', refusal: { code: 'limit-passed' } });
      else expect(answer).toMatchObject({ status: 'recorded', note: { title: `note ${at}` } });
    });
    expect(await store.memory.events({}, 100)).toHaveLength(36);
  });

  it('lets a command see what earlier ones in the batch decided', async () => {
    const note = await writeNote(store.memory);
    const [first, second, third] = await Promise.all([
      store.memory.perform({ kind: 'tag', id: note.id, add: ['a'], remove: [] }),
      store.memory.perform({ kind: 'tag', id: note.id, add: ['b'], remove: [] }),
      store.memory.perform({ kind: 'edit', id: note.id, set: { body: 'late\n' }, expectedVersion: note.version }),
    ]);
    expect([first.status, second.status]).toEqual(['recorded', 'recorded']);
    expect(third).toMatchObject({ status: 'refused', refusal: { code: 'version-moved' } });
    expect(await store.memory.show(note.id)).toMatchObject({ answer: { tags: ['a', 'b'] } });
  });

  it('carries out a command that another process queued, and stores the answer for it', async () => {
    await writeNote(store.memory);
    const state = openState(join(store.home, 'state.db'));
    const stamp = {
      eventId: '01J00000000000000000000QUE',
      commandId: 'theirs',
      atMs: 1_700_000_000_000,
      machine: 'other',
      user: 'self',
    };
    state.enqueue({
      id: stamp.eventId,
      payload: JSON.stringify({ command: writeCommand({ title: 'Theirs' }), stamp }),
    });
    await writeNote(store.memory, { title: 'Ours' });
    const answer = state.takeAnswer(stamp.eventId);
    expect(JSON.parse(answer ?? '{}')).toMatchObject({ status: 'recorded', event: { id: stamp.eventId } });
    expect((await store.memory.events({ machine: 'other' }, 10)).map(({ subject }) => subject)).toEqual(['Theirs']);
    state.close();
  });

  it('is not stopped by a failing command of another process', async () => {
    await writeNote(store.memory);
    const state = openState(join(store.home, 'state.db'));
    state.enqueue({
      id: '01J00000000000000000000BAD',
      payload: JSON.stringify({ command: { kind: 'edit' }, stamp: {} }),
    });
    expect(await writeNote(store.memory, { title: 'Ours' })).toMatchObject({ title: 'Ours' });
    expect(JSON.parse(state.takeAnswer('01J00000000000000000000BAD') ?? '{}')).toMatchObject({ status: 'refused' });
    state.close();
  });

  it('forgets and restores a note in one batch', async () => {
    const { id } = await writeNote(store.memory);
    const answers = await Promise.all([
      store.memory.perform({ kind: 'forget', id }),
      store.memory.perform({ kind: 'restore', id }),
      store.memory.perform({ kind: 'forget', id }),
      store.memory.perform({ kind: 'restore', id }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['recorded', 'recorded', 'recorded', 'recorded']);
    expect((await store.memory.show(id)).ok).toBe(true);
  });
});
