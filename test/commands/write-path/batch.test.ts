import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaptureSession } from '../../../src/commands/capture-session.js';
import { noteOfSession } from '../../../src/commands/capture-session.js';
import type { ImportNotes } from '../../../src/commands/import-notes.js';
import type { Answer } from '../../../src/store/memory.js';
import { noteOf, openStore, type TestStore, writeCommand, writeNote } from '../../support/store.js';

const startedAtMs = Date.UTC(2026, 5, 25);
const capture = (session: string, body: string, from = startedAtMs): CaptureSession => ({
  kind: 'capture',
  session,
  title: 'Session',
  body,
  project: 'shop',
  tags: ['session', 'manual'],
  startedAtMs: from,
});
const statuses = (answers: readonly Answer[]): readonly string[] => answers.map(({ status }) => status);

describe('among concurrent commands', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = openStore();
    await writeNote(store.memory);
  });
  afterAll(() => store.close());

  it('writes with one source key make one note', async () => {
    const write = (title: string) => store.memory.perform(writeCommand({ title, sourceKey: 'learned:x' }));
    const answers = await Promise.all(['a', 'b', 'c'].map(write));
    expect(statuses(answers)).toEqual(['recorded', 'unchanged', 'unchanged']);
    expect(new Set(answers.map((answer) => noteOf(answer).id)).size).toBe(1);
    expect(await write('d')).toMatchObject({ status: 'unchanged', note: { title: 'a' } });
  });

  it('captures of one session make one note, even if one does not know when the session began', async () => {
    const captures = [capture('two', 'One.\n'), capture('two', 'Two.\n', 1)];
    const answers = await Promise.all(captures.map((command) => store.memory.perform(command)));
    expect(statuses(answers)).toEqual(['recorded', 'recorded']);
    expect(new Set(answers.map((answer) => noteOf(answer).id)).size).toBe(1);
  });

  it('a capture does not overwrite an earlier edit', async () => {
    const { id } = noteOf(await store.memory.perform(capture('edited', 'One.\n')));
    const answers = await Promise.all([
      store.memory.perform({ kind: 'edit', id, set: { body: 'Mine.\n' } }),
      store.memory.perform(capture('edited', 'Two.\n')),
    ]);
    expect(statuses(answers)).toEqual(['recorded', 'unchanged']);
    expect(await store.memory.show(id)).toMatchObject({ answer: { body: 'Mine.\n' } });
  });

  it('a capture does not importA back a note that an earlier command forgot', async () => {
    const id = noteOfSession({ session: 'gone', startedAtMs }, { withSourceKey: () => undefined });
    const answers = await Promise.all([
      store.memory.perform(capture('gone', 'One.\n')),
      store.memory.perform({ kind: 'forget', id }),
      store.memory.perform(capture('gone', 'Two.\n')),
    ]);
    expect(statuses(answers)).toEqual(['recorded', 'recorded', 'unchanged']);
  });
});

const unset = { project: undefined, type: undefined, updatedAtMs: undefined };

describe('an imported note does not count as edited', () => {
  const importA = (body: string): ImportNotes => ({
    kind: 'import',
    from: 'a file',
    files: [],
    notes: [{ sourceKey: 'foreign:a', title: 'A', body, tags: [], keywords: [], createdAtMs: startedAtMs, ...unset }],
  });

  it.each(['a proposal about it', 'being forgotten and restored'])('after %s', async (what) => {
    const store = openStore();
    await store.memory.perform(importA('One.\n'));
    const id = (await store.memory.list({}, 1)).notes[0]?.id ?? '';
    if (what === 'a proposal about it') await writeNote(store.memory, { title: 'new', proposes: [id] });
    else for (const kind of ['forget', 'restore'] as const) await store.memory.perform({ kind, id });
    expect(await store.memory.perform(importA('Two.\n'))).toMatchObject({ status: 'recorded', counts: { updated: 1 } });
    await store.close();
  });
});
