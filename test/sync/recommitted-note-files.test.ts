/** A note's file that is gone from memory/ and that a person brings back in a commit of their own. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { undoEvent } from '../../src/app/undoing.js';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { newMachines } from '../support/machines.js';
import { openStore, writeNote } from '../support/store.js';
import { commitAll, expectRefused, pathOf, published } from './support/private-notes.js';

/** `b` gets the note of `a` and acts on it; then `a` forgets the note, and a person on `b` commits its file again. */
const broughtBack = async (does: (b: Memory, id: string) => Promise<unknown>) => {
  const machines = newMachines();
  const [a, b] = [await machines.open('a'), await machines.open('b')];
  const { id } = await writeNote(a, { title: 'N', body: 'one\n' });
  await machines.sync(a, b);
  const path = await pathOf(b, id);
  const text = readFileSync(path, 'utf8');
  await does(b, id);
  await machines.sync(b, a);
  await a.perform({ kind: 'forget', id });
  await machines.sync(a, b);
  await b.finish();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text.replace('one\n', 'BACK\n'));
  commitAll(b);
  return { machines, a, b, id };
};

const privateNote = { title: 'P', scope: 'machine-local' } as const;

describe('a portable note that a machine-local note only referred to', () => {
  it.each<[string, (b: Memory, id: string) => Promise<unknown>]>([
    ['was written to supersede it', (b, id) => writeNote(b, { ...privateNote, supersedes: [id] })],
    ['was written to propose that', (b, id) => writeNote(b, { ...privateNote, proposes: [id] })],
    [
      'superseded it later',
      async (b, id) => b.perform({ kind: 'supersede', ids: [id], by: (await writeNote(b, privateNote)).id }),
    ],
    [
      'proposed that, which was settled',
      async (b, id) => {
        const proposing = await writeNote(b, { ...privateNote, proposes: [id] });
        await b.perform({ kind: 'settle-proposal', id: proposing.id, older: id, verdict: 'forget' });
      },
    ],
  ])('is published when a person brings it back: the machine-local note %s', async (_, does) => {
    const { machines, b } = await broughtBack(does);
    await machines.sync(b);
    expect(published(machines)).toContain('BACK');
  });
});

describe('a portable note whose file is named after another id', () => {
  it('is portable again when its move to the machine-local notes is undone', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    const { id, path = '' } = await writeNote(a, { title: 'N', body: 'one\n' });
    await a.finish();
    renameSync(path, join(dirname(path), '01JC0000000000000000000000.md'));
    await a.adopt('hold');
    await a.perform({ kind: 'move', id, scope: 'machine-local' });
    expect(await undoEvent(a, undefined)).toMatchObject({ answer: { answer: { status: 'recorded' } } });
    await machines.sync(a);
    expect(await a.events({ note: id }, 10)).toContainEqual(
      expect.objectContaining({ kind: 'event.undone', journal: 'portable' }),
    );
  });
});

/** A machine-local note that was forgotten and whose file a person committed in memory/. */
const committedThere = async (proposes: (a: Memory) => Promise<readonly string[]> = async () => []) => {
  const machines = newMachines();
  const a = await machines.open('a');
  const proposed = await proposes(a);
  const note = { title: 'X', body: 'PRIVATE\n', scope: 'machine-local', proposes: proposed } as const;
  const { id, path = '' } = await writeNote(a, note);
  const text = readFileSync(path, 'utf8').replace('scope: machine-local\n', '');
  const [older] = proposed;
  await a.perform(
    older === undefined ? { kind: 'forget', id } : { kind: 'settle-proposal', id, older, verdict: 'forget' },
  );
  await a.finish();
  const copy = join(a.journals.portable.folder, 'semantic', `${id}.md`);
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(copy, text);
  // Later than anything the machine did with the note.
  process.env['GIT_COMMITTER_DATE'] = new Date(Date.now() + 60_000).toISOString();
  try {
    commitAll(a);
  } finally {
    delete process.env['GIT_COMMITTER_DATE'];
  }
  return { machines, a, id };
};

describe('a machine-local note that was forgotten and whose file a person committed in memory/', () => {
  it('stays here until the command that the refusal names publishes it', async () => {
    const { machines, a, id } = await committedThere();
    const { trouble } = await syncStore(a);
    expect(trouble).toMatchObject({ code: 'note-private' });
    expect(trouble?.next).toContain(`anamnesis move ${id} --scope portable`);
    await expectRefused(machines, a);
    expect(await a.perform({ kind: 'move', id, scope: 'portable' })).toMatchObject({
      status: 'recorded',
      event: { kind: 'note.moved' },
    });
    await machines.sync(a);
    expect(published(machines)).toContain('PRIVATE');
    expect(await a.perform({ kind: 'move', id, scope: 'portable' })).toMatchObject({ status: 'unchanged' });
  });

  it('is published by that command even when the clock went back since', async () => {
    const { machines, a, id } = await committedThere();
    const dayMs = 86_400_000;
    const { memory, close } = openStore({
      home: join(machines.folder, 'a'),
      machine: 'a',
      nowMs: () => Date.now() - dayMs,
    });
    expect(await memory.perform({ kind: 'move', id, scope: 'portable' })).toMatchObject({ status: 'recorded' });
    await close();
    await machines.sync(a);
    expect(published(machines)).toContain('PRIVATE');
  });

  it('stays here when it was forgotten with its proposal', async () => {
    const { machines, a } = await committedThere(async (a) => [(await writeNote(a, { title: 'Older' })).id]);
    await expectRefused(machines, a);
  });

  it('stays here when a command only edits it', async () => {
    const { machines, a, id } = await committedThere();
    await a.perform({ kind: 'tag', id, add: ['t'], remove: [] });
    await expectRefused(machines, a);
    await a.perform({ kind: 'move', id, scope: 'portable' });
    await machines.sync(a);
    expect(published(machines)).toContain('PRIVATE');
  });

  it('stays here after notes of another machine arrived', async () => {
    const { machines, a } = await committedThere();
    const b = await machines.open('b');
    for (const title of ['One', 'Two']) {
      await writeNote(b, { title });
      await machines.sync(b);
      await expectRefused(machines, a);
    }
    await expectRefused(machines, a);
  });

  it('stays here when a command gives it another project', async () => {
    const { machines, a, id } = await committedThere();
    await a.perform({ kind: 'move', id, project: 'other' });
    await expectRefused(machines, a);
    await a.perform({ kind: 'move', id, scope: 'portable' });
    await machines.sync(a);
    expect(published(machines)).toContain('PRIVATE');
  });

  it('stays here when its move to the portable notes is undone', async () => {
    const { machines, a, id } = await committedThere();
    await a.perform({ kind: 'move', id, project: 'other', scope: 'portable' });
    expect(await undoEvent(a, undefined)).toMatchObject({ answer: { answer: { status: 'recorded' } } });
    await expectRefused(machines, a);
    await a.perform({ kind: 'move', id, scope: 'portable' });
    await machines.sync(a);
    expect(published(machines)).toContain('PRIVATE');
  });

  it('is reported as still portable when undoing that move changes no file', async () => {
    const { a, id } = await committedThere();
    await a.perform({ kind: 'move', id, scope: 'portable' });
    const undone = await undoEvent(a, undefined);
    expect(undone).toMatchObject({ answer: { answer: { status: 'unchanged' } } });
    expect(JSON.stringify(undone)).toContain(`anamnesis move ${id} --scope machine-local`);
  });
});
