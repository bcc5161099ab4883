import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { undoEvent } from '../../../src/app/undoing.js';
import type { Command } from '../../../src/commands/handlers.js';
import { conflictCopy } from '../../../src/events/note/merge.js';
import { formatNoteFile } from '../../../src/events/note/note-file.js';
import { pathOfNote } from '../../../src/events/note/paths.js';
import { derivedUlid } from '../../../src/events/ulid-form.js';
import { timeOfUlid } from '../../../src/events/ulid-time.js';
import { makeNote } from '../../support/arbitraries.js';
import { openStore, personsGit, type TestStore, temporaryFolder, writeNote } from '../../support/store.js';

/** Stops the next command before its commit of this number, as a kill would; the next process finds what it left. */
const killedAt = async (home: string, commit: number, run: (store: TestStore) => Promise<unknown>): Promise<void> => {
  let commits = 0;
  const step = (name: string): void => {
    if (name !== 'commit') return;
    commits += 1;
    if (commits === commit) throw new Error('killed');
  };
  const store = openStore({ home, step });
  await expect(run(store)).rejects.toThrow('killed');
  await store.close();
};

describe('an event in two journals whose process is killed at one of its commits', () => {
  let home = '';
  let store: TestStore;
  beforeEach(() => {
    home = temporaryFolder();
    store = openStore({ home });
  });
  afterEach(async () => {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  });
  const reopen = (): void => {
    store = openStore({ home });
  };
  const bodies = async (): Promise<readonly string[]> => {
    const { notes } = await store.memory.list({}, 100);
    const shown = await Promise.all(notes.map(({ id }) => store.memory.show(id)));
    return shown.map((one) => (one.ok ? `${one.answer.scope}: ${one.answer.body?.trim()}` : 'gone')).sort();
  };
  /** Makes a machine-local note and a portable conflict copy of it. Returns the command that resolves them. */
  const conflict = async (): Promise<Command> => {
    const original = await writeNote(store.memory, { body: 'theirs', scope: 'machine-local' });
    const note = makeNote({ id: original.id });
    const at = '2026-06-24T18:33:07+00:00';
    const file = conflictCopy(note, 'ours', '01J00000000000000000000EVT', Date.parse(at), at);
    const copy = file.note;
    const bytes = formatNoteFile(file);
    const { journals } = await store.memory.store();
    const path = join(journals.portable.folder, pathOfNote(copy.type, copy.id));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    await store.memory.adopt('hold');
    return { kind: 'resolve-conflict', copy: copy.id, original: original.id, verdict: 'ours' };
  };

  it('is complete after the next command: resolve', async () => {
    const command = await conflict();
    await store.close();
    await killedAt(home, 2, ({ memory }) => memory.perform(command, { commandId: 'resolve-1' }));
    reopen();
    expect(await bodies()).toEqual(['machine-local: ours', 'portable: ours']);
    expect(await store.memory.perform(command, { commandId: 'resolve-1' })).toMatchObject({ status: 'recorded' });
    expect(await bodies()).toEqual(['machine-local: ours']);
    const events = await store.memory.events({ kind: 'conflict.resolved' }, 10);
    expect(events.map(({ journal, commandId }) => `${journal} ${commandId}`).sort()).toEqual([
      'local resolve-1',
      'portable resolve-1',
    ]);
  });

  it('is complete after the next command: undo', async () => {
    const command = await conflict();
    const resolved = await store.memory.perform(command);
    const id = resolved.status === 'refused' ? '' : (resolved.event?.id ?? '');
    await store.close();
    await killedAt(home, 2, ({ memory }) => undoEvent(memory, id, { commandId: 'undo-1' }));
    reopen();
    await writeNote(store.memory, { body: 'the next command' });
    expect(await bodies()).toEqual(['machine-local: theirs', 'portable: ours', 'portable: the next command']);
    const undone = await store.memory.events({ kind: 'event.undone' }, 10);
    expect(undone.map(({ journal }) => journal).sort()).toEqual(['local', 'portable']);
    // The command after that finds nothing left to finish.
    await writeNote(store.memory, { body: 'one more' });
    expect(await store.memory.events({ kind: 'event.undone' }, 10)).toHaveLength(2);
  });

  it('is complete after the next command: undo of a move of a note with two machine-local files', async () => {
    const { id, path = '' } = await writeNote(store.memory, { body: 'first', scope: 'machine-local' });
    const { journals } = await store.memory.store();
    const second = join(journals.local.folder, 'semantic', 'd', `${id}.md`);
    mkdirSync(dirname(second), { recursive: true });
    writeFileSync(second, readFileSync(path, 'utf8').replace('first', 'second'));
    await store.memory.adopt('record');
    const moved = await store.memory.perform({ kind: 'move', id, scope: 'portable' });
    const event = moved.status === 'refused' ? '' : (moved.event?.id ?? '');
    expect(await bodies()).toEqual(['portable: first', 'portable: second']);
    await store.close();
    await killedAt(home, 2, ({ memory }) => undoEvent(memory, event));
    reopen();
    await writeNote(store.memory, { body: 'the next command' });
    expect(await bodies()).toEqual(['machine-local: first', 'machine-local: second', 'portable: the next command']);
    expect(
      personsGit(journals.portable.folder, 'ls-tree', '-r', '--name-only', 'main', 'semantic').trim(),
    ).not.toContain('\n');
  });

  it.each([1, 2])(
    'is all or nothing after the next command: a move out of the machine-local journal (commit %s)',
    async (commit) => {
      const { id } = await writeNote(store.memory, { body: 'moved', scope: 'machine-local' });
      await store.close();
      const move: Command = { kind: 'move', id, scope: 'portable' };
      await killedAt(home, commit, ({ memory }) => memory.perform(move, { commandId: 'move-1' }));
      reopen();
      await writeNote(store.memory, { body: 'the next command' });
      const isDone = commit === 2;
      expect(await bodies()).toEqual([
        isDone ? 'portable: moved' : 'machine-local: moved',
        'portable: the next command',
      ]);
      const moved = await store.memory.events({ kind: 'note.moved' }, 10);
      expect(moved.map(({ journal, commandId }) => `${journal} ${commandId}`).sort()).toEqual(
        isDone ? ['local move-1', 'portable move-1'] : [],
      );
    },
  );

  it('is complete after the next command: undo of several moves', async () => {
    const notes = [await writeNote(store.memory, { body: 'one' }), await writeNote(store.memory, { body: 'two' })];
    await store.memory.finish();
    const { portable: from, local: to } = (await store.memory.store()).journals;
    const ids = notes.map(({ id }) => id);
    // Records what a program that moves several notes with one command would record.
    const record = (folder: string, event: string): void => {
      personsGit(folder, 'add', '-A');
      const lines = ids.map((id) => `Note: ${id}\n`).join('');
      const trailers = `Format: 1\nEvent: ${event}\nKind: note.moved\nAt: 2026-06-24T18:33:07+00:00\n${lines}Machine: box\nCommand-Id: moves\n`;
      personsGit(folder, 'commit', '-q', '-m', `note.moved: both\n\n${trailers}`);
    };
    for (const { path = '' } of notes) {
      const target = join(to.folder, path.slice(from.folder.length + 1));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, readFileSync(path, 'utf8').replace('scope: portable', 'scope: machine-local'));
      rmSync(path);
    }
    const event = '01J0000000000000000000000E';
    record(to.folder, event);
    record(from.folder, derivedUlid(timeOfUlid(event), 'other-journal', event));
    await writeNote(store.memory, { body: 'between' });
    expect(await bodies()).toEqual(['machine-local: one', 'machine-local: two', 'portable: between']);
    await store.close();
    await killedAt(home, 2, ({ memory }) => undoEvent(memory, event));
    reopen();
    await writeNote(store.memory, { body: 'the next command' });
    const { journals } = await store.memory.store();
    expect(personsGit(journals.local.folder, 'ls-tree', '-r', '--name-only', 'main')).toBe('');
    expect(await bodies()).toEqual([
      'portable: between',
      'portable: one',
      'portable: the next command',
      'portable: two',
    ]);
  });

  it('leaves nothing to finish if the process was killed before the first commit', async () => {
    const command = await conflict();
    await store.close();
    await killedAt(home, 1, ({ memory }) => memory.perform(command, { commandId: 'resolve-1' }));
    reopen();
    await writeNote(store.memory, { body: 'the next command' });
    expect(await bodies()).toEqual(['machine-local: theirs', 'portable: ours', 'portable: the next command']);
    expect(await store.memory.perform(command, { commandId: 'resolve-1' })).toMatchObject({ status: 'recorded' });
    expect(await bodies()).toEqual(['machine-local: ours', 'portable: the next command']);
  });
});
