/** A note that was made machine-local on one machine while another edited it, and how a person settles that. */
import { appendFileSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findConflict, readConflicts, readInBoth, readLostValues } from '../../src/app/conflicts.js';
import { readStatus } from '../../src/app/status.js';
import { undoEvent } from '../../src/app/undoing.js';
import { adoptChanges } from '../../src/commands/worktree/changed-files.js';
import type { NoteFields } from '../../src/events/note/note-file.js';
import { leanStatus } from '../../src/mcp/tools/lean-status.js';
import type { Memory } from '../../src/store/memory.js';
import { removeRemote, setRemote } from '../../src/sync/remote.js';
import { syncStore } from '../../src/sync/syncing.js';
import { killedAt } from '../commands/worktree/support/killed-command.js';
import { type Machines, newMachines } from '../support/machines.js';
import { openStore, personsGit, writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';

const all = { conflicts: 9, diffLines: 9 };
const texts = async (memory: Memory): Promise<readonly string[]> => {
  const { notes } = await memory.list({}, 9);
  const shown = await Promise.all(notes.map(({ id }) => memory.show(id)));
  return shown.map((one) => (one.ok ? (one.answer.body ?? '') : '')).sort();
};
const machinesOf = async (memory: Memory) =>
  (await readConflicts(memory, {}, all)).conflicts.map(({ machine, conflicts_with: other }) => [
    other.machine,
    machine,
  ]);

/** `x` made it machine-local and `y` published an edit, which `x` has yet to sync. */
const part = async ({ x, y }: Record<'x' | 'y', Memory>, machines: Machines, theirs: NoteFields) => {
  const { id } = await writeNote(x, { title: 'Loc', body: 'line one\n', project: 'p' });
  await machines.sync(x, y);
  await x.perform({ kind: 'move', id, scope: 'machine-local' });
  await y.perform({ kind: 'edit', id, set: theirs });
  await machines.sync(y);
  return { id };
};
const parted = startOnce(['x', 'y'], part);

describe('the other text of a note that is made portable again', () => {
  it('is attributed to the machine that wrote it, so that a person can choose', async () => {
    const { machines, x, y, id } = await parted({ title: 'Other', body: 'TEXT OF Y\n' });
    await x.perform({ kind: 'edit', id, set: { body: 'TEXT OF X\n' } });
    await machines.sync(x);
    await x.perform({ kind: 'move', id, scope: 'portable' });
    await machines.sync(x, y);
    expect(await machinesOf(x)).toEqual([['x', 'y']]);
    expect(await machinesOf(y)).toEqual([['x', 'y']]);
    expect(await findConflict(x, id)).toMatchObject({ ok: true, answer: { sides: { note: 'x', copy: 'y' } } });
  });
});

it('a note in both scopes is named once by status, with what to do', async () => {
  const { machines, x, id } = await parted({ title: 'Other' });
  await machines.sync(x);
  const status = await readStatus(x);
  expect(status.in_both).toEqual([id]);
  const said = leanStatus(status, 'p').wrong ?? [];
  expect(said.filter((line) => line.includes('more than one file'))).toEqual([]);
});

describe('another machine’s text of a note that stays machine-local here', () => {
  it.each<[string, NoteFields]>([
    ['another text', { title: 'Other', body: 'TEXT OF Y\n' }],
    ['another title', { title: 'Other' }],
  ])('stays on all machines as a note of its own, without a conflict (%s)', async (_, theirs) => {
    const { machines, x, y, id } = await parted(theirs);
    await x.perform({ kind: 'edit', id, set: { body: 'TEXT OF X\n' } });
    await machines.sync(x);
    const moved = await x.perform({ kind: 'move', id, scope: 'machine-local' });
    expect(moved).toMatchObject({ warnings: [expect.stringContaining('as a separate note')] });
    await machines.sync(x, y);
    const text = theirs.body ?? 'line one\n';
    expect(await texts(y)).toEqual([text]);
    expect((await y.list({}, 9)).notes).toMatchObject([{ title: 'Other' }]);
    expect(await texts(x)).toEqual(['TEXT OF X\n', text].sort());
    expect(await x.show(id)).toMatchObject({ answer: { scope: 'machine-local', title: 'Loc', body: 'TEXT OF X\n' } });
    for (const one of [x, y]) expect((await readConflicts(one, {}, all)).total).toBe(0);
    expect(await readInBoth(x)).toEqual([]);
  });
});

type Parted = Awaited<ReturnType<typeof parted>>;

/** Moves the note's file in memory/ into that folder and returns its new path. */
const moveFile = ({ journals }: Memory, id: string, to: string): string => {
  const { folder } = journals.portable;
  const from = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith(`${id}.md`));
  const path = join(folder, 'semantic', to, `${id}.md`);
  mkdirSync(dirname(path), { recursive: true });
  renameSync(join(folder, from ?? ''), path);
  return path;
};

describe('another machine’s text of a note stays there even if this machine', () => {
  const otherAddress = async ({ machines, x }: Parted): Promise<void> => {
    await setRemote(x, `file://${join(machines.folder, 'remote.git')}`);
  };
  it.each<[string, (given: Parted) => Promise<unknown>]>([
    ['moved its file by hand', async ({ x, id }) => moveFile(x, id, 'mine')],
    [
      'moved and changed its file by hand',
      async ({ x, id }) => appendFileSync(moveFile(x, id, 'mine'), 'typed into the file\n'),
    ],
    ['set the remote by another address', otherAddress],
    ['removed the remote for a while', ({ x }) => removeRemote(x)],
  ])('%s before it keeps the note to itself', async (_, change) => {
    const given = await parted({ body: 'TEXT OF Y\n' });
    const { machines, x, y, id } = given;
    moveFile(y, id, 'theirs');
    await machines.sync(y, x);
    await x.finish();
    await change(given);
    await adoptChanges(await x.store(), x.exclusively);
    expect(await readInBoth(x)).toMatchObject([{ id, published: true }]);
    await x.perform({ kind: 'move', id, scope: 'machine-local' });
    await otherAddress(given);
    await machines.sync(x, y);
    expect(await texts(y)).toEqual(['TEXT OF Y\n']);
  });

  it('got it only from a git pull by hand', async () => {
    const machines = newMachines();
    const [x, y] = [await machines.open('x'), await machines.open('y')];
    const { id } = await writeNote(x, { title: 'Loc', body: 'line one\n', project: 'p' });
    await machines.sync(x, y);
    await x.perform({ kind: 'move', id, scope: 'machine-local' });
    await machines.sync(x);
    await y.perform({ kind: 'edit', id, set: { body: 'TEXT OF Y\n' } });
    await machines.sync(y);
    await writeNote(x, { title: 'Mine', body: 'mine\n' });
    await x.finish();
    personsGit(
      x.journals.portable.folder,
      'pull',
      '-q',
      '--no-rebase',
      '--no-edit',
      join(machines.folder, 'remote.git'),
      'main',
    );
    await adoptChanges(await x.store(), x.exclusively);
    expect(await readInBoth(x)).toMatchObject([{ id, published: true }]);
    await x.perform({ kind: 'move', id, scope: 'machine-local' });
    await machines.sync(x, y);
    expect(await texts(y)).toEqual(['TEXT OF Y\n', 'mine\n']);
  });

  it('was killed before it recorded what it had merged', async () => {
    const { machines, x, y, id } = await parted({ body: 'TEXT OF Y\n' });
    await x.finish();
    await killedAt({ home: x.settings.home, machine: 'x' }, 'sync:accept', (memory) => syncStore(memory));
    const next = openStore({ home: x.settings.home, machine: 'x' }).memory;
    expect(await readInBoth(next)).toMatchObject([{ id, published: true }]);
    await next.perform({ kind: 'move', id, scope: 'machine-local' });
    await machines.sync(next, y);
    await next.finish();
    expect(await texts(y)).toEqual(['TEXT OF Y\n']);
  });
});

describe('undoing a move that leaves another text to the others', () => {
  it.each([
    ['seconds after the last edit', 1000],
    ['in the second of the last edit, so that the note here says the same before and after', 0],
  ])('gives them their note back: a move %s', async (_, tickMs) => {
    let atMs = Date.parse('2026-03-01T10:00:00Z');
    const nowMs = (): number => {
      atMs += tickMs;
      return atMs;
    };
    const machines = newMachines();
    const [x, y] = [await machines.open('x', { nowMs }), await machines.open('y', { nowMs })];
    const { id } = await part({ x, y }, machines, { title: 'Other', body: 'TEXT OF Y\n' });
    await x.perform({ kind: 'edit', id, set: { body: 'TEXT OF X\n' } });
    await machines.sync(x);
    const moved = await x.perform({ kind: 'move', id, scope: 'machine-local' });
    const event = moved.status === 'refused' ? undefined : moved.event?.id;
    expect(await undoEvent(x, event)).toMatchObject({ ok: true });
    await machines.sync(x, y);
    expect(await y.show(id)).toMatchObject({ ok: true, answer: { title: 'Other', body: 'TEXT OF Y\n' } });
    expect(await texts(y)).toEqual(['TEXT OF Y\n']);
    expect(await x.show(id)).toMatchObject({ answer: { scope: 'machine-local', body: 'TEXT OF X\n' } });
    expect(await readInBoth(x)).toMatchObject([{ id }]);
  });
});

describe('a title that another machine gave a note', () => {
  it('is named when the note is moved with its own title, and stays in the list of lost values', async () => {
    const { machines, x, id } = await parted({ title: 'Other' });
    await machines.sync(x);
    expect(await x.perform({ kind: 'move', id, scope: 'portable' })).toMatchObject({
      warnings: expect.arrayContaining([expect.stringMatching(/title .*Other.*anamnesis conflicts --lost/)]),
    });
    expect(await readLostValues(x, 9)).toMatchObject([{ note: id, key: 'title', value: 'Other' }]);
  });
});
