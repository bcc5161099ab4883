/** Files in memory/ that adopting left because their notes were machine-local here: none is recorded without a move. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { undoEvent } from '../../src/app/undoing.js';
import { inspectTree } from '../../src/commands/worktree/inspect-tree.js';
import type { Memory } from '../../src/store/memory.js';
import { setRemote } from '../../src/sync/remote.js';
import { type Machines, newMachines } from '../support/machines.js';
import { endForGood, openStore, personsGit, writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';
import { git, inBoth, published } from './support/private-notes.js';

const leftOf = async (memory: Memory) => (await memory.adopt('hold')).portable.left;

type Left = { machines: Machines; a: Memory; b: Memory; id: string; path: string; text: string };

/** A note that both machines had; on `a` it is machine-local, an editor saved its old file, and it is forgotten. */
const leftOnA = startOnce(['a', 'b'], async ({ a, b }, machines) => {
  const { id, path = '' } = await writeNote(a, { title: 'X', body: 'one\n' });
  await machines.sync(a, b);
  await a.finish();
  const text = readFileSync(path, 'utf8');
  await a.perform({ kind: 'move', id, scope: 'machine-local' });
  await machines.sync(a);
  await a.finish();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}PRIVATE\n`);
  await a.perform({ kind: 'forget', id });
  expect(await leftOf(a)).toHaveLength(1);
  return { id, path, text };
});

/** Commits at the remote, as anyone who may push can. */
const commitAtRemote = ({ folder }: Machines, message: string, change: (clone: string) => void): void => {
  const clone = join(folder, 'clone');
  mkdirSync(clone, { recursive: true });
  personsGit(clone, 'init', '-q', '--initial-branch=main');
  personsGit(clone, 'pull', '-q', join(folder, 'remote.git'), 'main');
  change(clone);
  personsGit(clone, 'add', '-A');
  personsGit(clone, 'commit', '-q', '--allow-empty', '-m', message);
  personsGit(clone, 'push', '-q', join(folder, 'remote.git'), 'HEAD:main');
};

const addOther =
  ({ id, text }: Left) =>
  (clone: string): void => {
    mkdirSync(join(clone, 'semantic', 'other'), { recursive: true });
    writeFileSync(join(clone, 'semantic', 'other', `${id}.md`), text.replace('one', 'THEIRS'));
  };

/** The message of an event with a future time that names `a` as its machine. */
const messageOf = (id: string, kind: string, event: string, more = ''): string =>
  `${kind}: X\n\nFormat: 1\nEvent: 01QQQQQQQQQQQQQQ${event}\nKind: ${kind}\nAt: 2036-01-01T12:00:00+00:00\nNote: ${id}\nMachine: a\n${more}`;

/** Syncs twice, because the next sync looks again at what was left. */
const expectLeft = async (
  { machines, a, id, path, text }: Left,
  next = `anamnesis move ${id} --scope portable`,
): Promise<void> => {
  await machines.sync(a, a);
  await writeNote(a, { title: 'Another' });
  expect((await inspectTree(await a.store(), 'portable')).left).toHaveLength(1);
  expect(await leftOf(a)).toMatchObject([{ reason: expect.stringContaining(next) }]);
  await machines.sync(a);
  expect(readFileSync(path, 'utf8')).toBe(`${text}PRIVATE\n`);
  expect(published(machines)).not.toContain('PRIVATE');
};

describe('the file that was left of a forgotten machine-local note', () => {
  it('stays left when another machine edited the note meanwhile', async () => {
    const one = await leftOnA();
    await one.b.perform({ kind: 'edit', id: one.id, set: { title: 'Beta' } });
    await one.machines.sync(one.a, one.b);
    await expectLeft(one);
  });

  it('stays left when a commit adds a file of that note in another folder', async () => {
    const one = await leftOnA();
    commitAtRemote(one.machines, 'mine', addOther(one));
    await expectLeft(one);
  });

  it('stays left when a command of this machine edits the note that came back', async () => {
    const one = await leftOnA();
    commitAtRemote(one.machines, 'mine', addOther(one));
    await one.machines.sync(one.a);
    await one.a.perform({ kind: 'tag', id: one.id, add: ['t'], remove: [] });
    await expectLeft(one);
  });

  it('stays left when another machine of the same name edited the note', async () => {
    const one = await leftOnA();
    const { machines, a, id } = one;
    const twin = openStore({ home: join(machines.folder, 'twin'), machine: 'a' }).memory;
    await twin.initialise();
    await setRemote(twin, join(machines.folder, 'remote.git'));
    await machines.sync(twin);
    await twin.perform({ kind: 'restore', id, scope: 'portable' });
    await twin.perform({ kind: 'edit', id, set: { title: 'Beta' } });
    await machines.sync(twin, a);
    await endForGood(twin);
    await expectLeft(one);
  });

  it.each([
    ['an edit', 'note.edited', ''],
    ['a move', 'note.moved', `Move: portable ${'0'.repeat(40)} semantic/other/X.md\n`],
  ])(
    'stays left when commits that claim to come from this machine add and remove a file by %s',
    async (_, kind, more) => {
      const one = await leftOnA();
      const { machines, id } = one;
      commitAtRemote(machines, messageOf(id, kind, 'EVENT00001', more), addOther(one));
      commitAtRemote(machines, messageOf(id, 'note.edited', 'EVENT00002'), (clone) =>
        rmSync(join(clone, 'semantic', 'other'), { recursive: true }),
      );
      await expectLeft(one, `anamnesis restore ${id}`);
    },
  );

  it('stays left when more commits claim to come from this machine than are read', async () => {
    const one = await leftOnA();
    const { machines, id } = one;
    commitAtRemote(machines, 'mine', (clone) => {
      addOther(one)(clone);
      const stream = Array.from({ length: 1001 }, (_, at) => {
        const message = messageOf(id, 'note.edited', `EVENT${String(at).padStart(5, '0')}`);
        const from = at === 0 ? 'from refs/heads/main^0\n' : '';
        return `commit refs/heads/main\ncommitter e <e@x> 2100000000 +0000\ndata ${message.length}\n${message}\n${from}`;
      });
      execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: clone, input: stream.join('') });
    });
    await expectLeft(one);
  });

  it('is published by a move to the portable notes', async () => {
    const { machines, a, b, id } = await leftOnA();
    await b.perform({ kind: 'edit', id, set: { title: 'Beta' } });
    await machines.sync(a, b, a);
    expect(await a.perform({ kind: 'move', id, scope: 'portable' })).toMatchObject({ status: 'recorded' });
    expect(await leftOf(a)).toEqual([]);
    await machines.sync(a);
    expect(published(machines)).toContain('PRIVATE');
  });
});

describe('a note that came back after it was machine-local here', () => {
  it('can be edited like any other in the file that was checked out', async () => {
    const machines = newMachines();
    const [a, b] = [await machines.open('a'), await machines.open('b')];
    const { id, path = '' } = await writeNote(a, { title: 'X', body: 'one\n' });
    await machines.sync(a, b);
    await a.perform({ kind: 'move', id, scope: 'machine-local' });
    await a.perform({ kind: 'forget', id });
    await b.perform({ kind: 'edit', id, set: { title: 'Beta' } });
    await machines.sync(a, b, a);
    await a.finish();
    appendFileSync(path, 'more\n');
    expect(await leftOf(a)).toEqual([]);
    await machines.sync(a);
    expect(published(machines)).toContain('more');
  });
});

describe('the file of a machine-local note that an editor saved again', () => {
  it.each([
    ['undoing the move', (a: Memory) => undoEvent(a, undefined)],
    [
      'undoing the move by its id',
      async (a: Memory, _: string, move: string) => {
        await writeNote(a, { title: 'Another' });
        return undoEvent(a, move);
      },
    ],
    [
      'undoing it after a forget was undone',
      async (a: Memory, id: string) => {
        await a.perform({ kind: 'forget', id });
        await undoEvent(a, undefined);
        return undoEvent(a, undefined);
      },
    ],
  ])('is not recorded by %s, which is refused with the command that publishes it', async (_, undo) => {
    const machines = newMachines();
    const a = await machines.open('a');
    const { id, path = '' } = await writeNote(a, { title: 'X', body: 'one\n' });
    await machines.sync(a);
    await a.finish();
    const text = readFileSync(path, 'utf8');
    const moved = await a.perform({ kind: 'move', id, scope: 'machine-local' });
    await a.finish();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}PRIVATE\n`);
    const undone = await undo(a, id, (moved.status === 'recorded' && moved.event?.id) || '');
    expect(JSON.stringify(undone)).toContain('file-blocked');
    expect(JSON.stringify(undone)).toContain(`anamnesis move ${id} --scope portable`);
    await a.finish();
    expect(git(a, 'log', '-p', '--all')).not.toContain('PRIVATE');
    expect(readFileSync(path, 'utf8')).toContain('PRIVATE');
    await machines.sync(a);
  });
});

describe('the portable file of a note that is machine-local here', () => {
  it('is left alone when it was given the machine-local text without its scope', async () => {
    const { machines, b, id, local, portable } = await inBoth();
    writeFileSync(portable, readFileSync(local, 'utf8').replace('scope: machine-local\n', ''));
    const left = [{ reason: expect.stringContaining(`anamnesis move ${id} --scope portable`) }];
    expect((await inspectTree(await b.store(), 'portable')).left).toMatchObject(left);
    expect(await leftOf(b)).toMatchObject(left);
    await machines.sync(b, b);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(readFileSync(portable, 'utf8')).toContain('PRIVATE');
  });

  it('is left alone when it was renamed and given that text, and the others keep the note', async () => {
    const { machines, a, b, id, local, portable } = await inBoth();
    const other = join(dirname(dirname(portable)), 'other', `${id}.md`);
    mkdirSync(dirname(other), { recursive: true });
    rmSync(portable);
    writeFileSync(other, readFileSync(local, 'utf8').replace('scope: machine-local\n', ''));
    expect(await leftOf(b)).toHaveLength(1);
    await machines.sync(b, a);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(await a.show(id)).toMatchObject({ ok: true });
  });

  it('is published with that text by a move to the portable notes', async () => {
    const { machines, b, id, local, portable } = await inBoth();
    writeFileSync(portable, readFileSync(local, 'utf8').replace('scope: machine-local\n', ''));
    expect(await b.perform({ kind: 'move', id, scope: 'portable' })).toMatchObject({ status: 'recorded' });
    await machines.sync(b);
    expect(published(machines)).toContain('PRIVATE');
  });
});
