/** Undoing a move between the journals publishes nothing that was machine-local, and loses no text. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { undoEvent } from '../../src/app/undoing.js';
import type { Memory } from '../../src/store/memory.js';
import { newMachines } from '../support/machines.js';
import { appOver, gitIndexCaughtUp, noteOf, personsGit, writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';

const textsOf = async (memory: Memory): Promise<readonly string[]> => {
  const { notes } = await memory.list({}, 9);
  const shown = await Promise.all(notes.map(({ id }) => memory.show(id)));
  return shown.map((one) => (one.ok ? `${one.answer.scope}: ${one.answer.body}` : one.refusal.code)).sort();
};

/** A machine-local note with a second file, which a person made and edited, moved to the portable notes. */
const movedWithTwoFiles = startOnce(['a', 'b'], async ({ a }) => {
  const { id, path = '' } = await writeNote(a, { title: 'Plan', body: 'one\ntwo\nthree\n', scope: 'machine-local' });
  const second = join(a.journals.local.folder, 'semantic', 'd', `${id}.md`);
  mkdirSync(dirname(second), { recursive: true });
  cpSync(path, second);
  writeFileSync(second, readFileSync(second, 'utf8').replace('three', 'OTHER'));
  await a.adopt('record');
  const moved = await a.perform({ kind: 'move', id, scope: 'portable' });
  const { notes } = await a.list({}, 9);
  const copy = notes.find((note) => note.id !== id)?.id ?? '';
  return { id, copy, move: moved.status === 'refused' ? '' : (moved.event?.id ?? '') };
});

describe('undoing a move that turned a second machine-local file into a note', () => {
  it('returns both texts to the machine-local notes', async () => {
    const { a, copy } = await movedWithTwoFiles();
    const undone = await undoEvent(a, undefined);
    expect(await textsOf(a)).toEqual(['machine-local: one\ntwo\nOTHER\n', 'machine-local: one\ntwo\nthree\n']);
    expect(personsGit(a.journals.portable.folder, 'ls-tree', '-r', '--name-only', 'main', 'semantic')).toBe('');
    expect(undone).toMatchObject({
      answer: {
        answer: {
          warnings: expect.arrayContaining([expect.stringMatching(`^note ${copy}, which that event .*machine-local`)]),
        },
      },
    });
  });

  it('warns once that a sync publishes that history', async () => {
    const { a } = await movedWithTwoFiles();
    const undone = await undoEvent(a, undefined);
    const warnings = undone.ok ? undone.answer.answer.warnings : [];
    expect(warnings.filter((warning) => warning.includes('a sync publishes that history'))).toHaveLength(1);
  });

  it('can itself be undone, which makes both notes portable again', async () => {
    const { a, move } = await movedWithTwoFiles();
    const undone = await undoEvent(a, move);
    const again = await undoEvent(a, undone.ok ? undone.answer.answer.event?.id : '');
    expect(again).toMatchObject({ ok: true });
    expect(await textsOf(a)).toEqual(['portable: one\ntwo\nOTHER\n', 'portable: one\ntwo\nthree\n']);
  });

  it('tells the other machines which machine keeps both notes', async () => {
    const { machines, a, b, id, copy } = await movedWithTwoFiles();
    await machines.sync(a, b);
    await undoEvent(a, undefined);
    await machines.sync(a, b);
    for (const note of [id, copy]) {
      expect(await b.show(note)).toMatchObject({
        refusal: { message: expect.stringContaining('made machine-local on a') },
      });
      expect(await a.show(note)).toMatchObject({ ok: true });
    }
  });

  it('lets a note forgotten afterwards be restored as a machine-local one', async () => {
    const { a, copy } = await movedWithTwoFiles();
    await undoEvent(a, undefined);
    await a.perform({ kind: 'forget', id: copy });
    expect(noteOf(await a.perform({ kind: 'restore', id: copy }))).toMatchObject({ scope: 'machine-local' });
  });
});

describe('undoing a move that another machine made', () => {
  const undoneElsewhere = async () => {
    const machines = newMachines();
    const [a, b] = [await machines.open('a'), await machines.open('b')];
    const { id } = await writeNote(a, { title: 'Plan', scope: 'machine-local' });
    await a.perform({ kind: 'move', id, scope: 'portable' });
    await machines.sync(a, b);
    const [moved] = await b.events({ note: id }, 1);
    expect(await undoEvent(b, moved?.id)).toMatchObject({ ok: true, answer: { undone: { kind: 'note.moved' } } });
    await machines.sync(b, a);
    return { machines, a, b, id };
  };

  it('forgets the note and names no machine that keeps it', async () => {
    const { a, b, id } = await undoneElsewhere();
    for (const memory of [a, b])
      expect(await memory.show(id)).toMatchObject({ ok: false, refusal: { code: 'note-forgotten' } });
  });

  it.each(['a', 'b'])('can be repaired by restoring the note on %s', async (name) => {
    const { machines, id } = await undoneElsewhere();
    const memory = await machines.open(name);
    expect(noteOf(await appOver(memory).notes.restore(id, {}))).toMatchObject({ title: 'Plan' });
  });
});

describe('undoing a move to the machine-local notes', () => {
  const written = async () => {
    const machines = newMachines();
    const [a, b] = [await machines.open('a'), await machines.open('b')];
    const { id, path = '' } = await writeNote(a, { title: 'Plan', body: 'one\n' });
    await machines.sync(a, b);
    return { machines, a, id, path };
  };
  const refusal = { code: 'stays-local', next: expect.stringContaining('--scope portable') };

  it('is refused when text typed into the portable file went along', async () => {
    const { a, id, path } = await written();
    writeFileSync(path, readFileSync(path, 'utf8').replace('one', 'TYPED'));
    await a.perform({ kind: 'move', id, scope: 'machine-local' });
    expect(await undoEvent(a, undefined)).toMatchObject({ ok: false, refusal });
    expect(await textsOf(a)).toEqual(['machine-local: TYPED\n']);
  });

  it('restores the note’s project too when nothing went along', async () => {
    const { a, id } = await written();
    await a.perform({ kind: 'move', id, scope: 'machine-local', project: 'other' });
    expect(await undoEvent(a, undefined)).toMatchObject({ ok: true });
    expect((await a.list({}, 9)).notes).toMatchObject([{ id, project: 'global' }]);
  });

  it('is refused when it would bring back a file in memory/ that says scope: machine-local', async () => {
    const { machines, a, id, path } = await written();
    await gitIndexCaughtUp(a.journals.portable.folder);
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('scope: portable', 'scope: machine-local').replace('one', 'MINE'),
    );
    personsGit(a.journals.portable.folder, 'commit', '-q', '-a', '-m', 'mine');
    await a.adopt('hold');
    await a.perform({ kind: 'move', id, scope: 'machine-local' });
    await machines.sync(a);
    expect(await undoEvent(a, undefined)).toMatchObject({ ok: false, refusal });
    await writeNote(a, { title: 'Other' });
    await machines.sync(a);
  });
});

describe('undoing an edit made while a note was machine-local', () => {
  const edited = async (scope: 'portable' | 'machine-local') => {
    const machines = newMachines();
    const a = await machines.open('a');
    const { id } = await writeNote(a, { title: 'Plan', body: 'one\nPRIVATE\n', scope: 'machine-local' });
    const edit = await a.perform({ kind: 'edit', id, set: { body: 'one\n' } });
    if (scope === 'portable') await a.perform({ kind: 'move', id, scope });
    return { a, id, undone: await undoEvent(a, edit.status === 'refused' ? '' : edit.event?.id) };
  };

  it('is refused once the note is portable, and the refusal says how to publish that text on purpose', async () => {
    const { a, id, undone } = await edited('portable');
    const next = expect.stringMatching(`anamnesis restore ${id} --at \\S+ --scope portable`);
    expect(undone).toMatchObject({ ok: false, refusal: { code: 'text-was-local', next } });
    expect(await textsOf(a)).toEqual(['portable: one\n']);
    expect(personsGit(a.journals.portable.folder, 'log', '-p', '--all')).not.toContain('PRIVATE');
  });

  it('brings that text back while the note is still machine-local', async () => {
    const { a, undone } = await edited('machine-local');
    expect(undone).toMatchObject({ ok: true });
    expect(await textsOf(a)).toEqual(['machine-local: one\nPRIVATE\n']);
  });
});
