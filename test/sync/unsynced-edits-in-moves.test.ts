/** Text typed into a portable file before a move or an undo makes its note machine-local. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { undoEvent } from '../../src/app/undoing.js';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { bodyOf, killedAt, replace } from '../commands/worktree/support/killed-command.js';
import { type Machines, newMachines } from '../support/machines.js';
import { noteOf, openStore, personsGit, writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';

const published = ({ folder }: Machines): string =>
  personsGit(join(folder, 'remote.git'), 'log', '-p', '--all', '--format=%B');
const text = 'one\n\ntwo\n\nthree\n\nfour\n\nfive\n';
const relativeIn = (memory: Memory, path: string): string => relative(memory.journals.portable.folder, path);
const keepHere = (memory: Memory, id: string) => memory.perform({ kind: 'move', id, scope: 'machine-local' });

/** `b` published an edit that `a` has yet to sync. */
const editedElsewhere = startOnce(['a', 'b'], async ({ a, b }, machines, edited: string | null = null) => {
  const { id, path = '' } = await writeNote(a, { title: 'X', body: text });
  await machines.sync(a, b);
  await b.perform({ kind: 'edit', id, set: { body: edited ?? text.replace('one', 'THEIRS') } });
  await machines.sync(b);
  return { id, path };
});

/** A sync finds the file half edited; then the person finishes the edit. */
const halfEdited = async (edited?: string) => {
  const all = await editedElsewhere(edited);
  const { machines, a, path } = all;
  replace(path, 'title: ', 'title: [half ');
  await machines.sync(a);
  replace(path, 'title: [half ', 'title: ');
  replace(path, 'five', 'PRIVATE');
  return all;
};

/** A sync is killed at that step; then a person writes to the file. */
const killedSync = async (at: string) => {
  const all = await editedElsewhere();
  const { a, path } = all;
  await a.finish();
  await killedAt({ home: a.settings.home, machine: 'a' }, at, (memory) => syncStore(memory));
  replace(path, 'five', 'PRIVATE');
  return all;
};

const killPoints = ['commit', 'index', 'put', 'checkpoint'];
type Given = { readonly machines: Machines; readonly a: Memory; readonly id: string; readonly path: string };

/** Kills the command at that step and finishes it with a move; nothing private is published. */
const killThenMove = async (
  { machines, a, id, path }: Given,
  at: string,
  command: (memory: Memory) => Promise<unknown>,
): Promise<void> => {
  await a.finish();
  await killedAt({ home: a.settings.home, machine: 'a' }, at, command);
  const next = openStore({ home: a.settings.home, machine: 'a' }).memory;
  expect(await keepHere(next, id)).not.toMatchObject({ status: 'refused' });
  await machines.sync(next);
  await next.finish();
  expect(published(machines)).not.toContain('PRIVATE');
  expect(existsSync(path)).toBe(false);
};

describe('text typed into a file that a sync did not check out', () => {
  it.each([
    ['found it half edited', () => halfEdited()],
    ['was killed after it moved the branch', () => killedSync('sync:moved')],
    ['was killed before it wrote the file', () => killedSync('sync:put')],
  ])('goes along with a move to the machine-local notes when the sync %s', async (_, given) => {
    const { machines, a, id, path } = await given();
    expect(await keepHere(a, id)).toMatchObject({ status: 'recorded' });
    await machines.sync(a);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(existsSync(path)).toBe(false);
    expect(await bodyOf(a, id)).toBe(text.replace('one', 'THEIRS').replace('five', 'PRIVATE'));
  });

  it('is left alone and named when an editor saves it again after the note was forgotten', async () => {
    const { a, id, path } = await halfEdited();
    const saved = readFileSync(path);
    await keepHere(a, id);
    await a.perform({ kind: 'forget', id });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, saved);
    expect((await a.adopt('hold')).portable.left).toMatchObject([{ reason: expect.stringContaining('restore') }]);
    expect(existsSync(path)).toBe(true);
  });

  it.each([
    [
      'move',
      ({ id }: Given) =>
        (memory: Memory) =>
          keepHere(memory, id),
      () => halfEdited(),
    ],
    ['undo', () => (memory: Memory) => undoEvent(memory, undefined), () => publishedOnce()],
  ])('is left alone and named when it is saved again after a killed %s that did not record it', async (_, of, make) => {
    const given = await make();
    const { a, id, path } = given;
    const saved = readFileSync(path);
    const command = of(given);
    await a.finish();
    await killedAt({ home: a.settings.home, machine: 'a' }, 'commit', command);
    writeFileSync(path, personsGit(a.journals.portable.folder, 'cat-file', 'blob', `HEAD:./${relativeIn(a, path)}`));
    const next = openStore({ home: a.settings.home, machine: 'a' }).memory;
    await command(next);
    expect(await next.show(id)).toMatchObject({ answer: { scope: 'machine-local' } });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, saved);
    expect((await next.adopt('hold')).portable.left).toMatchObject([{ path: relativeIn(a, path) }]);
    expect(readFileSync(path)).toEqual(saved);
    await next.finish();
  });

  it('is published whole by a move back to the portable notes', async () => {
    const { machines, a, b, id } = await halfEdited();
    await keepHere(a, id);
    await a.perform({ kind: 'move', id, scope: 'portable' });
    await machines.sync(a, b);
    for (const memory of [a, b])
      expect(await bodyOf(memory, id)).toBe(text.replace('one', 'THEIRS').replace('five', 'PRIVATE'));
  });

  it.each(killPoints)('is not lost when the move is killed at %s', async (at) => {
    const given = await halfEdited();
    await killThenMove(given, at, (memory) => keepHere(memory, given.id));
    expect(await bodyOf(given.a, given.id)).toBe(text.replace('one', 'THEIRS').replace('five', 'PRIVATE'));
  });

  it('has the value that it replaced recorded in the local journal', async () => {
    const { machines, a, b, id, path } = await editedElsewhere();
    await b.perform({ kind: 'edit', id, set: { title: 'Theirs' } });
    await machines.sync(b);
    replace(path, 'title: X', 'title: [half');
    await machines.sync(a);
    replace(path, 'title: [half', 'title: PRIVATE');
    await keepHere(a, id);
    await machines.sync(a);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(await a.show(id)).toMatchObject({ answer: { title: 'PRIVATE' } });
    expect(personsGit(a.journals.local.folder, 'log', '--format=%B')).toContain(`${id} title "Theirs"`);
  });

  it('blocks the move when both sides changed the same lines, until the file is moved away', async () => {
    const { machines, a, id, path } = await halfEdited(text.replace('five', 'FIVE'));
    const before = readFileSync(path, 'utf8');
    expect(await keepHere(a, id)).toMatchObject({
      status: 'refused',
      refusal: { code: 'file-blocked', message: expect.stringContaining(basename(path)) },
    });
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(personsGit(a.journals.portable.folder, 'log', '-p', '--all')).not.toContain('PRIVATE');
    renameSync(path, join(machines.folder, 'away.md'));
    expect(await keepHere(a, id)).toMatchObject({ status: 'recorded' });
    await machines.sync(a);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(await bodyOf(a, id)).toBe(text.replace('five', 'FIVE'));
  });
});

/** An editor has the file open while a sync checks out an edit; then it saves its old text with a change of its own. */
const saveStaleBuffer = async ({ machines, a, b, id, path }: Given & { readonly b: Memory }) => {
  const buffer = readFileSync(path, 'utf8');
  await b.perform({ kind: 'edit', id, set: { body: theirs } });
  await machines.sync(b, a);
  expect(readFileSync(path, 'utf8')).toContain('THEIRS');
  writeFileSync(path, buffer.replace('\nfive\n', '\nPRIVATE\n'));
};
const theirs = text.replace('one', 'THEIRS').replace('three\n', 'three\n\nNEW\n');

describe('text saved by an editor that had the file open during a sync', () => {
  it('goes along with a move to the machine-local notes, merged with what the sync brought', async () => {
    const given = await editedElsewhere(text.replace('two', 'TWO'));
    const { machines, a, id, path } = given;
    await machines.sync(a);
    await saveStaleBuffer(given);
    expect(await keepHere(a, id)).toMatchObject({ status: 'recorded' });
    await machines.sync(a);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(existsSync(path)).toBe(false);
    expect(await bodyOf(a, id)).toBe(theirs.replace('five', 'PRIVATE'));
  });

  it('goes along when an undo makes the note machine-local again', async () => {
    const given = await publishedOnce();
    const { machines, a, id, path, event } = given;
    replace(path, 'PRIVATE', 'five');
    await saveStaleBuffer(given);
    expect(await undoEvent(a, event)).toMatchObject({ ok: true });
    await machines.sync(a);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(await bodyOf(a, id)).toBe(theirs.replace('five', 'PRIVATE'));
  });
});

/** A machine-local note that was published, and whose file a person edited afterwards. */
const publishedOnce = startOnce(['a', 'b'], async ({ a, b }, machines) => {
  const { id } = await writeNote(a, { title: 'X', body: text, scope: 'machine-local' });
  const moved = await a.perform({ kind: 'move', id, scope: 'portable' });
  const event = moved.status === 'refused' ? undefined : moved.event?.id;
  await machines.sync(a, b);
  const { path = '' } = noteOf(moved);
  replace(path, 'five', 'PRIVATE');
  return { id, path, event };
});

describe('text typed into a file whose note an undo makes machine-local again', () => {
  const along = text.replace('five', 'PRIVATE');

  it('goes along with the note', async () => {
    const { machines, a, id, path } = await publishedOnce();
    expect(await undoEvent(a, undefined)).toMatchObject({ ok: true });
    await machines.sync(a);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(existsSync(path)).toBe(false);
    expect(await a.show(id)).toMatchObject({ answer: { scope: 'machine-local', body: along } });
  });

  it('goes along, merged with what a command changed since', async () => {
    const { machines, a, b, id, path, event } = await publishedOnce();
    replace(path, 'PRIVATE', 'five');
    await a.perform({ kind: 'edit', id, set: { body: text.replace('one', 'ONE') } });
    await machines.sync(a, b);
    replace(path, 'five', 'PRIVATE');
    expect(await undoEvent(a, event)).toMatchObject({ ok: true });
    await machines.sync(a);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(await bodyOf(a, id)).toBe(along.replace('one', 'ONE'));
  });

  it('goes along when the undo takes back an earlier undo', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    const { id, path = '' } = await writeNote(a, { title: 'X', body: text });
    await keepHere(a, id);
    const first = await undoEvent(a, undefined);
    await machines.sync(a);
    replace(path, 'five', 'PRIVATE');
    const event = first.ok ? first.answer.answer.event?.id : undefined;
    expect(await undoEvent(a, event)).toMatchObject({ ok: true });
    await machines.sync(a);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(await a.show(id)).toMatchObject({ answer: { scope: 'machine-local', body: along } });
  });

  it.each(killPoints)('is not lost when the undo is killed at %s', async (at) => {
    const given = await publishedOnce();
    await killThenMove(given, at, (memory) => undoEvent(memory, undefined));
    expect(await bodyOf(given.a, given.id)).toBe(along);
  });

  it('blocks the undo when both sides changed the same lines', async () => {
    const { machines, a, b, id, path, event } = await publishedOnce();
    const typed = readFileSync(path, 'utf8');
    replace(path, 'title: ', 'title: [half ');
    await b.perform({ kind: 'edit', id, set: { body: text.replace('five', 'FIVE') } });
    await machines.sync(b, a);
    writeFileSync(path, typed);
    expect(await undoEvent(a, event)).toMatchObject({ ok: false, refusal: { code: 'file-blocked' } });
    expect(personsGit(a.journals.portable.folder, 'log', '-p', '--all')).not.toContain('PRIVATE');
    expect(readFileSync(path, 'utf8')).toBe(typed);
  });
});
