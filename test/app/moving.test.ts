import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moveNote } from '../../src/app/moving.js';
import { undoEvent } from '../../src/app/undoing.js';
import type { NoteId } from '../../src/events/note/note.js';
import type { NoteJson } from '../../src/store/note-json.js';
import { newMachines } from '../support/machines.js';

import { openStore, personsGit, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(() => store.close());

const moved = async (id: NoteId, scope: 'portable' | 'machine-local'): Promise<NoteJson> => {
  const answer = await moveNote(store.memory, id, { scope });
  if (answer.status !== 'recorded' || answer.note === undefined) throw new Error(JSON.stringify(answer));
  return answer.note;
};
const historyOf = (journal: 'memory' | 'local'): string =>
  personsGit(join(store.home, journal), 'log', '-p', '--format=%B', 'main');
const kindsIn = async (journal: 'portable' | 'local'): Promise<readonly string[]> =>
  (await store.memory.events({}, 20)).flatMap((event) => (event.journal === journal ? [event.kind] : []));

describe('a move to the other journal', () => {
  it('is two events, one in each journal, and leaves one note', async () => {
    const old = await writeNote(store.memory, { title: 'Keys', body: 'one\n' });
    const note = await moved(old.id, 'machine-local');
    expect(note).toMatchObject({ title: 'Keys', scope: 'machine-local', created_at: old.created_at });
    expect(await kindsIn('portable')).toEqual(['note.forgotten', 'note.written']);
    expect(await kindsIn('local')).toEqual(['note.moved']);
    expect((await store.memory.list({}, 9)).notes.map(({ id }) => id)).toEqual([note.id]);
  });

  it('names the new note nowhere in memory/, and the old one nowhere in it either when a note becomes portable', async () => {
    const old = await writeNote(store.memory, { scope: 'machine-local' });
    const note = await moved(old.id, 'portable');
    expect(historyOf('memory')).not.toContain(old.id);
    const back = await moved(note.id, 'machine-local');
    expect(historyOf('memory')).not.toContain(back.id);
    expect(historyOf('memory')).toContain('machine-local on');
  });

  it.each([
    ['machine-local', 'portable'],
    ['portable', 'machine-local'],
  ] as const)('to %s is not undone: the refusal names the move that takes it back', async (scope, back) => {
    const old = await writeNote(store.memory, { scope: back });
    const { id } = await moved(old.id, scope);
    expect(await undoEvent(store.memory, undefined)).toMatchObject({
      refusal: { code: 'moved-across', next: `move it back: anamnesis move ${id} --scope ${back}` },
    });
  });

  it('is finished when it is repeated after a kill between the two', async () => {
    const { id } = await writeNote(store.memory);
    const begun = await store.memory.perform({ kind: 'move', id, scope: 'machine-local' });
    const note = await moved(id, 'machine-local');
    expect(begun).toMatchObject({ note: { id: note.id } });
    expect((await store.memory.list({}, 9)).total).toBe(1);
    expect(await store.memory.show(id)).toMatchObject({ refusal: { code: 'note-moved' } });
  });

  it('is answered by show of the old id, with the new one', async () => {
    const { id } = await writeNote(store.memory);
    const note = await moved(id, 'machine-local');
    const next = `anamnesis show ${note.id}`;
    expect(await store.memory.show(id)).toMatchObject({ refusal: { code: 'note-moved', next } });
  });

  it('says that memory/ still holds the text', async () => {
    const { id } = await writeNote(store.memory);
    const answer = await moveNote(store.memory, id, { scope: 'machine-local' });
    expect(answer).toMatchObject({ warnings: [expect.stringContaining(`anamnesis purge ${id}`)] });
  });

  it('is refused for a note that is superseded, and for one under a proposal', async () => {
    const { id: older } = await writeNote(store.memory);
    const { id: newer } = await writeNote(store.memory, { title: 'Newer', supersedes: [older] });
    const { id: proposing } = await writeNote(store.memory, { title: 'Proposing', proposes: [newer] });
    for (const id of [older, newer, proposing])
      expect(await moveNote(store.memory, id, { scope: 'machine-local' })).toMatchObject({
        status: 'refused',
        refusal: { code: 'move-contested' },
      });
    expect(await kindsIn('local')).toEqual([]);
  });

  it('takes along what a person saved with scope: machine-local, which memory/ never gets', async () => {
    const { id, path = '' } = await writeNote(store.memory, { body: 'one\n' });
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, `${text.replace('scope: portable', 'scope: machine-local')}PRIVATE\n`);
    expect((await moved(id, 'machine-local')).body).toBe('one\nPRIVATE\n');
    expect(historyOf('memory')).not.toContain('PRIVATE');
    expect((await store.memory.list({}, 9)).total).toBe(1);
  });
});

it('another machine is told where the note is, and may restore it', async () => {
  const machines = newMachines();
  const [a, b] = [await machines.open('a'), await machines.open('b')];
  const { id } = await writeNote(a, { body: 'one\n' });
  await machines.sync(a, b);
  await moveNote(a, id, { scope: 'machine-local' });
  await machines.sync(a, b);
  expect(await b.show(id)).toMatchObject({
    refusal: { code: 'note-kept-elsewhere', message: expect.stringContaining('machine-local on a') },
  });
  expect(await b.perform({ kind: 'restore', id })).toMatchObject({ status: 'recorded', note: { body: 'one\n' } });
});
