/** The undoing of a move between the journals: nothing that was machine-local is published by it, and no text goes. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { undoEvent } from '../../src/app/undoing.js';
import type { Memory } from '../../src/store/memory.js';
import { newMachines } from '../support/machines.js';
import { appOver, gitIndexCaughtUp, noteOf, personsGit, writeNote } from '../support/store.js';
import { startOnce } from '../support/told-machines.js';

const textsOf = async (memory: Memory): Promise<readonly string[]> => {
  const { notes } = await memory.list({}, 9);
  const shown = await Promise.all(notes.map(({ id }) => memory.show(id)));
  return shown.map((one) => (one.ok ? `${one.answer.scope}: ${one.answer.body}` : one.refusal.code)).sort();
};

/** A machine-local note of which a person made a second file with another text, moved to the portable ones. */
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

describe('the undoing of a move that made a note of a second machine-local file', () => {
  it('takes both texts back to the machine-local notes', async () => {
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

  it('says that a sync publishes what the history has of it', async () => {
    const { a } = await movedWithTwoFiles();
    const undone = await undoEvent(a, undefined);
    const warnings = undone.ok ? undone.answer.answer.warnings : [];
    expect(warnings.filter((warning) => warning.includes('a sync publishes that history'))).toHaveLength(1);
  });

  it('is itself undone: both notes are portable again', async () => {
    const { a, move } = await movedWithTwoFiles();
    const undone = await undoEvent(a, move);
    const again = await undoEvent(a, undone.ok ? undone.answer.answer.event?.id : '');
    expect(again).toMatchObject({ ok: true });
    expect(await textsOf(a)).toEqual(['portable: one\ntwo\nOTHER\n', 'portable: one\ntwo\nthree\n']);
  });

  it('tells the other machines truly where both are kept', async () => {
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

  it('brings back what is forgotten after it as a machine-local note', async () => {
    const { a, copy } = await movedWithTwoFiles();
    await undoEvent(a, undefined);
    await a.perform({ kind: 'forget', id: copy });
    expect(noteOf(await a.perform({ kind: 'restore', id: copy }))).toMatchObject({ scope: 'machine-local' });
  });
});

describe('the undoing of a move that another machine made', () => {
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

  it('forgets the note, and no machine is said to keep it', async () => {
    const { a, b, id } = await undoneElsewhere();
    for (const memory of [a, b])
      expect(await memory.show(id)).toMatchObject({ ok: false, refusal: { code: 'note-forgotten' } });
  });

  it.each(['a', 'b'])('is made good by restoring the note on %s', async (name) => {
    const { machines, id } = await undoneElsewhere();
    const memory = await machines.open(name);
    expect(noteOf(await appOver(memory).notes.restore(id, {}))).toMatchObject({ title: 'Plan' });
  });
});

describe('the undoing of a move to the machine-local notes', () => {
  const written = async () => {
    const machines = newMachines();
    const [a, b] = [await machines.open('a'), await machines.open('b')];
    const { id, path = '' } = await writeNote(a, { title: 'Plan', body: 'one\n' });
    await machines.sync(a, b);
    return { machines, a, id, path };
  };
  const refusal = { code: 'stays-local', next: expect.stringContaining('--scope portable') };

  it('takes back no text that was typed into the file and went along', async () => {
    const { a, id, path } = await written();
    writeFileSync(path, readFileSync(path, 'utf8').replace('one', 'TYPED'));
    await a.perform({ kind: 'move', id, scope: 'machine-local' });
    expect(await undoEvent(a, undefined)).toMatchObject({ ok: false, refusal });
    expect(await textsOf(a)).toEqual(['machine-local: TYPED\n']);
  });

  it('gives back its project too where nothing went along', async () => {
    const { a, id } = await written();
    await a.perform({ kind: 'move', id, scope: 'machine-local', project: 'other' });
    expect(await undoEvent(a, undefined)).toMatchObject({ ok: true });
    expect((await a.list({}, 9)).notes).toMatchObject([{ id, project: 'global' }]);
  });

  it('brings no file back into memory/ that says scope: machine-local', async () => {
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

describe('the undoing of an edit from the time when a note was machine-local', () => {
  const edited = async (scope: 'portable' | 'machine-local') => {
    const machines = newMachines();
    const a = await machines.open('a');
    const { id } = await writeNote(a, { title: 'Plan', body: 'one\nPRIVATE\n', scope: 'machine-local' });
    const edit = await a.perform({ kind: 'edit', id, set: { body: 'one\n' } });
    if (scope === 'portable') await a.perform({ kind: 'move', id, scope });
    return { a, id, undone: await undoEvent(a, edit.status === 'refused' ? '' : edit.event?.id) };
  };

  it('is refused once the note is portable, and says how that text is published on purpose', async () => {
    const { a, id, undone } = await edited('portable');
    const next = expect.stringMatching(`anamnesis restore ${id} --at \\S+ --scope portable`);
    expect(undone).toMatchObject({ ok: false, refusal: { code: 'text-was-local', next } });
    expect(await textsOf(a)).toEqual(['portable: one\n']);
    expect(personsGit(a.journals.portable.folder, 'log', '-p', '--all')).not.toContain('PRIVATE');
  });

  it('brings that text back while the note is machine-local still', async () => {
    const { a, undone } = await edited('machine-local');
    expect(undone).toMatchObject({ ok: true });
    expect(await textsOf(a)).toEqual(['machine-local: one\nPRIVATE\n']);
  });
});
