/** A note that one machine made machine-local is gone on the others, and becomes portable again only on request. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInBoth } from '../../src/app/conflicts.js';
import { restoreAt, undoEvent } from '../../src/app/undoing.js';
import type { Memory } from '../../src/store/memory.js';
import { newMachines } from '../support/machines.js';
import { appOver, noteOf, writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';

/** A note that both machines had when `a` made it machine-local; `b` has synced that. */
const kept = startOnce(['a', 'b'], async ({ a, b }, machines) => {
  const { id } = await writeNote(a, { title: 'Shared', body: 'one\n' });
  await machines.sync(a, b);
  const [written] = await b.events({ note: id }, 1);
  await a.perform({ kind: 'move', id, scope: 'machine-local' });
  await machines.sync(a, b);
  return { id, written: written?.id ?? '' };
});

const isThere = async (memory: Memory, id: string): Promise<boolean> => (await memory.show(id)).ok;

const refusal = {
  code: 'note-kept-elsewhere',
  message: expect.stringMatching(/^note \S+ was made machine-local on a, at 20\S+: it is kept there/),
  next: expect.stringMatching(/: anamnesis restore \S+ --scope portable$/),
};

describe('a note that another machine made machine-local', () => {
  it('is reported as kept there, not as forgotten', async () => {
    const { b, id } = await kept();
    expect(await b.show(id)).toEqual({ ok: false, refusal });
    expect(await b.perform({ kind: 'edit', id, set: { title: 'Mine' } })).toMatchObject({ refusal });
    expect(await b.perform({ kind: 'move', id, scope: 'portable' })).toMatchObject({ refusal });
  });

  it('is reported the same way by an edit and by a forget of several notes', async () => {
    const { b, id } = await kept();
    const { notes } = appOver(b);
    expect(await notes.edit(id, { set: { title: 'Mine' } })).toMatchObject({ refusal });
    expect(await notes.forgetAll([id], undefined)).toMatchObject({ answer: [{ answer: { refusal } }] });
  });

  it('is not published again by a restore, by an older text or by an undo', async () => {
    const { machines, a, b, id, written } = await kept();
    const [left] = await b.events({ note: id }, 1);
    expect(left?.kind).toBe('note.moved');
    expect(await b.perform({ kind: 'restore', id })).toMatchObject({ status: 'refused', refusal });
    expect(await restoreAt(b, id, written)).toMatchObject({ status: 'refused', refusal });
    expect(await undoEvent(b, left?.id)).toMatchObject({ ok: false, refusal });
    await machines.sync(b, a);
    expect(await isThere(b, id)).toBe(false);
    expect(existsSync(join(a.journals.portable.folder, 'semantic', id.slice(-2), `${id}.md`))).toBe(false);
    expect(noteOfShown(await a.show(id))).toMatchObject({ scope: 'machine-local' });
  });

  it('comes back when it is asked for as portable, and the machine that keeps it keeps its own text', async () => {
    const { machines, a, b, id } = await kept();
    await a.perform({ kind: 'edit', id, set: { body: 'private\n' } });
    expect(noteOf(await appOver(b).notes.restore(id, { scope: 'portable' }))).toMatchObject({ scope: 'portable' });
    await machines.sync(b, a);
    const shown = noteOfShown(await a.show(id));
    expect(shown).toMatchObject({ scope: 'machine-local' });
    expect(readFileSync(shown.path ?? '', 'utf8')).toContain('private');
    expect(await readInBoth(a)).toMatchObject([{ id }]);
  });

  it('comes back with an older text in the same way', async () => {
    const { b, id, written } = await kept();
    expect(noteOf(await appOver(b).notes.restore(id, { at: written, scope: 'portable' })).title).toBe('Shared');
  });

  it('is forgotten like any other once it is portable again', async () => {
    const { b, id } = await kept();
    await b.perform({ kind: 'restore', id, scope: 'portable' });
    await b.perform({ kind: 'forget', id });
    expect(await b.show(id)).toMatchObject({ refusal: { code: 'note-forgotten' } });
    expect(await b.perform({ kind: 'restore', id })).toMatchObject({ status: 'recorded' });
  });

  it('is reported the same way after a move to the portable notes was undone', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    const b = await machines.open('b');
    const { id } = await writeNote(a, { title: 'Private', scope: 'machine-local' });
    await a.perform({ kind: 'move', id, scope: 'portable' });
    await machines.sync(a, b);
    expect(await isThere(b, id)).toBe(true);
    expect(await undoEvent(a, undefined)).toMatchObject({ ok: true, answer: { answer: { status: 'recorded' } } });
    await machines.sync(a, b);
    expect(await b.show(id)).toEqual({ ok: false, refusal });
    expect(await b.perform({ kind: 'restore', id })).toMatchObject({ status: 'refused', refusal });
  });
});

describe('the machine that made a note machine-local', () => {
  it('can forget and restore it, and it stays machine-local', async () => {
    const { a, id } = await kept();
    await a.perform({ kind: 'forget', id });
    expect(await a.show(id)).toMatchObject({ refusal: { code: 'note-forgotten' } });
    expect(noteOf(await a.perform({ kind: 'restore', id }))).toMatchObject({ scope: 'machine-local' });
  });
});

it('a note that another machine forgot is forgotten here, and is restored without naming a scope', async () => {
  const machines = newMachines();
  const a = await machines.open('a');
  const b = await machines.open('b');
  const { id } = await writeNote(a, { title: 'Shared' });
  await a.perform({ kind: 'move', id, project: 'shop' });
  await a.perform({ kind: 'forget', id });
  await machines.sync(a, b);
  expect(await b.show(id)).toMatchObject({ refusal: { code: 'note-forgotten' } });
  expect(noteOf(await b.perform({ kind: 'restore', id }))).toMatchObject({ scope: 'portable' });
});

const noteOfShown = (found: Awaited<ReturnType<Memory['show']>>) => {
  if (!found.ok) throw new Error(found.refusal.message);
  return found.answer;
};
