/** Machine-local texts in a person's own commits: a sync refuses them before it merges, and before it pushes. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { undoEvent } from '../../src/app/undoing.js';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { type Machines, newMachines } from '../support/machines.js';
import { writeNote } from '../support/store.js';
import { startOnce } from '../support/template-machines.js';
import {
  amendAll,
  commitAll,
  copyTo,
  expectRefused,
  fiveLines,
  git,
  inBoth,
  leftCopy,
  movedOnB,
  pathOf,
  published,
  refused,
} from './support/private-notes.js';

const editElsewhere = async (machines: Machines, a: Memory, id: string): Promise<void> => {
  await a.perform({ kind: 'edit', id, set: { body: fiveLines.replace('one', 'ANOTHER') } });
  await machines.sync(a);
};

describe('a person’s commit of a machine-local text, when others changed the note too', () => {
  it('is refused again after another machine’s edit arrived', async () => {
    const { machines, a, b, id, local, portable } = await movedOnB();
    copyTo(local, portable);
    commitAll(b);
    await expectRefused(machines, b);
    await a.perform({ kind: 'edit', id, set: { body: fiveLines.replace('four', 'FOUR') } });
    await machines.sync(a);
    await expectRefused(machines, b);
    await expectRefused(machines, b);
  });

  it('is refused when it was written over the portable file', async () => {
    const { machines, a, b, id, local, portable } = await inBoth();
    copyTo(local, portable);
    commitAll(b);
    await editElsewhere(machines, a, id);
    await expectRefused(machines, b);
  });

  it('is refused when the machine-local file doesn’t say machine-local', async () => {
    const { machines, a, b, id, local, portable } = await inBoth();
    writeFileSync(local, readFileSync(local, 'utf8').replace('scope: machine-local', 'scope: portable'));
    await b.adopt('hold');
    await b.finish();
    copyTo(local, portable);
    commitAll(b);
    await expectRefused(machines, b);
    await editElsewhere(machines, a, id);
    await expectRefused(machines, b);
  });

  it('is refused when the file can’t be parsed as a note', async () => {
    const { machines, a, b, id, local, portable } = await inBoth();
    writeFileSync(portable, readFileSync(local, 'utf8').replace(/^type: .*$/m, 'type: nothing'));
    commitAll(b);
    await editElsewhere(machines, a, id);
    await expectRefused(machines, b);
  });

  it('blocks no changes of others once it is reset', async () => {
    const { machines, a, b, id, local, portable } = await inBoth();
    copyTo(local, portable);
    commitAll(b);
    await editElsewhere(machines, a, id);
    await expectRefused(machines, b);
    git(b, 'reset', '-q', '--hard', 'HEAD^');
    await machines.sync(b);
    expect(readFileSync(portable, 'utf8')).toContain('ANOTHER');
  });

  it('is left out once a command settles that the note is machine-local', async () => {
    const { machines, b, id, local, portable } = await movedOnB();
    copyTo(local, portable);
    commitAll(b);
    await b.perform({ kind: 'move', id, scope: 'machine-local' });
    await machines.sync(b);
    expect(published(machines)).not.toContain('PRIVATE');
  });
});

describe('a machine-local text in a commit of the program', () => {
  it('is refused when a person amended the commit with it', async () => {
    const { machines, a } = await leftCopy();
    await writeNote(a, { title: 'Another', body: 'x\n' });
    amendAll(a);
    await expectRefused(machines, a);
  });

  it('is refused when it was amended into the commit that moved the note away', async () => {
    const { machines, b, id, local } = await movedOnB();
    await b.perform({ kind: 'move', id, scope: 'portable' });
    await b.perform({ kind: 'move', id, scope: 'machine-local' });
    await b.finish();
    const other = join(b.journals.portable.folder, 'episodic', `${id}.md`);
    copyTo(local, other);
    writeFileSync(
      other,
      readFileSync(other, 'utf8').replace('scope: machine-local\n', '').replace('PRIVATE', 'SECRET'),
    );
    amendAll(b);
    expect(await syncStore(b)).toMatchObject(refused);
    expect(published(machines)).not.toContain('SECRET');
  });

  it('is refused when it was amended into the commit that undid the note’s publication', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    const { id } = await writeNote(a, { title: 'X', body: 'harmless\n', scope: 'machine-local' });
    await a.perform({ kind: 'move', id, scope: 'portable' });
    await machines.sync(a);
    await undoEvent(a, undefined);
    await a.perform({ kind: 'edit', id, set: { body: 'PRIVATE\n' } });
    await a.finish();
    const copy = join(a.journals.portable.folder, 'semantic', `${id}.md`);
    copyTo(await pathOf(a, id), copy);
    writeFileSync(copy, readFileSync(copy, 'utf8').replace('scope: machine-local\n', ''));
    amendAll(a);
    await expectRefused(machines, a);
  });

  it('stays here when an undo made the note portable for a while, and only the portable text is published', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    const { id } = await writeNote(a, { title: 'X', body: 'portable\n' });
    await a.perform({ kind: 'move', id, scope: 'machine-local' });
    const first = await undoEvent(a, undefined);
    const event = first.ok ? first.answer.answer.event?.id : undefined;
    expect(await undoEvent(a, event)).toMatchObject({ ok: true });
    await a.perform({ kind: 'edit', id, set: { body: 'PRIVATE\n' } });
    await machines.sync(a);
    expect(published(machines)).toContain('portable');
    expect(published(machines)).not.toContain('PRIVATE');
  });

  it('is refused when a person marked the note’s own file as machine-local', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    const { path = '' } = await writeNote(a, { title: 'X', body: 'one\n' });
    await a.finish();
    writeFileSync(path, markedText(path));
    amendAll(a);
    await expectRefused(machines, a);
  });

  it('stays here when a command made the note portable for a while, and only the portable text is published', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    const { id } = await writeNote(a, { title: 'X', body: 'one\n', scope: 'machine-local' });
    await a.perform({ kind: 'move', id, scope: 'portable' });
    await a.perform({ kind: 'edit', id, set: { body: 'portable\n' } });
    await a.perform({ kind: 'move', id, scope: 'machine-local' });
    await a.perform({ kind: 'edit', id, set: { body: 'PRIVATE\n' } });
    await machines.sync(a);
    expect(published(machines)).toContain('portable');
    expect(published(machines)).not.toContain('PRIVATE');
  });
});

describe('a person’s commit, whatever its time', () => {
  it.each(['2020-01-01T12:00:00', '2036-01-01T12:00:00'])('is refused with a commit time of %s', async (time) => {
    const { machines, a } = await leftCopy();
    git(a, 'add', '-A');
    process.env['GIT_COMMITTER_DATE'] = time;
    try {
      git(a, 'commit', '-qm', 'mine');
    } finally {
      delete process.env['GIT_COMMITTER_DATE'];
    }
    await expectRefused(machines, a);
  });

  it('is published when the note became machine-local after it', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    const { id, path = '' } = await writeNote(a, { title: 'X', body: 'one\n' });
    await a.finish();
    // Another note, known only to git.
    const mine = join(a.journals.portable.folder, 'semantic', '01JC0000000000000000000000.md');
    writeFileSync(mine, readFileSync(path, 'utf8').replaceAll(id, '01JC0000000000000000000000').replace('one', 'mine'));
    process.env['GIT_COMMITTER_DATE'] = '2036-01-01T12:00:00';
    try {
      commitAll(a);
    } finally {
      delete process.env['GIT_COMMITTER_DATE'];
    }
    await a.adopt('hold');
    for (const one of [id, '01JC0000000000000000000000']) {
      expect(await a.perform({ kind: 'move', id: one, scope: 'machine-local' })).toMatchObject({ status: 'recorded' });
      await a.perform({ kind: 'edit', id: one, set: { body: 'PRIVATE\n' } });
    }
    await machines.sync(a);
    expect(published(machines)).toContain('mine');
    expect(published(machines)).not.toContain('PRIVATE');
  });
});

const markedText = (path: string): string =>
  readFileSync(path, 'utf8').replace('scope: portable', 'scope: machine-local').replace('one\n', 'one\nPRIVATE\n');

/** A portable file that a person marked as machine-local, edited and committed. */
const markedAndCommitted = startOnce(['a'], async ({ a }, machines) => {
  const { id, path = '' } = await writeNote(a, { title: 'X', body: 'one\n' });
  await machines.sync(a);
  await a.finish();
  writeFileSync(path, markedText(path));
  commitAll(a);
  return { id, path };
});

describe('a portable file that a person marked as machine-local and committed', () => {
  it('is refused, and the refusal names both ways out', async () => {
    const { machines, a, id, path } = await markedAndCommitted();
    const { trouble } = await syncStore(a);
    expect(trouble).toMatchObject({
      code: 'note-private',
      message: expect.stringContaining('says scope: machine-local'),
    });
    expect(trouble?.next).toContain(`anamnesis move ${id} --scope portable, which removes that line`);
    expect(trouble?.next).toContain(`anamnesis move ${id} --scope machine-local`);
    await expectRefused(machines, a);
    git(a, 'reset', '-q', 'HEAD^');
    expect(await a.perform({ kind: 'move', id, scope: 'machine-local' })).toMatchObject({ status: 'recorded' });
    expect(readFileSync(await pathOf(a, id), 'utf8')).toContain('PRIVATE');
    await machines.sync(a);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(path).not.toBe(await pathOf(a, id));
  });

  it('is refused when the scope is capitalised', async () => {
    const { machines, a, path } = await markedAndCommitted();
    writeFileSync(path, readFileSync(path, 'utf8').replace('machine-local', 'Machine-Local'));
    git(a, 'commit', '-qa', '--amend', '--no-edit');
    await expectRefused(machines, a);
    expect(published(machines)).not.toContain('PRIVATE');
  });

  it('is published once that line is gone again', async () => {
    const { machines, a, path } = await markedAndCommitted();
    await expectRefused(machines, a);
    writeFileSync(path, readFileSync(path, 'utf8').replace('scope: machine-local', 'scope: portable'));
    commitAll(a);
    await machines.sync(a);
    expect(published(machines)).toContain('PRIVATE');
  });

  it.each([
    ['git reverts it', async (a: Memory): Promise<unknown> => git(a, 'revert', '--no-edit', 'HEAD')],
    ['a command edits the note', (a: Memory, id: string) => a.perform({ kind: 'tag', id, add: ['t'], remove: [] })],
    ['a command undoes the last event', (a: Memory) => undoEvent(a, undefined)],
  ])('stays refused when %s', async (_, then) => {
    const { machines, a, id } = await markedAndCommitted();
    await a.adopt('hold');
    await then(a, id);
    await expectRefused(machines, a);
  });

  it('is left out once the note is moved to the machine-local ones', async () => {
    const { machines, a, id } = await markedAndCommitted();
    await a.adopt('hold');
    await a.perform({ kind: 'move', id, scope: 'machine-local' });
    await machines.sync(a);
    expect(published(machines)).not.toContain('PRIVATE');
  });

  it('is published like any other when the published note said machine-local before', async () => {
    const machines = newMachines();
    const [a, b] = [await machines.open('a'), await machines.open('b')];
    const { id, path = '' } = await writeNote(a, { title: 'X', body: 'one\n' });
    await a.finish();
    git(a, 'rm', '-q', '--cached', path);
    writeFileSync(path, readFileSync(path, 'utf8').replace('scope: portable', 'scope: machine-local'));
    amendAll(a);
    // Published with git, past the check.
    git(a, 'push', '-q', join(machines.folder, 'remote.git'), 'main');
    await machines.sync(a, b);
    await a.finish();
    writeFileSync(path, readFileSync(path, 'utf8').replace('one\n', 'two\n'));
    commitAll(a);
    await a.adopt('hold');
    await a.perform({ kind: 'forget', id });
    await machines.sync(a, b);
    await a.perform({ kind: 'restore', id });
    await machines.sync(a, b);
    expect(readFileSync(await pathOf(b, id), 'utf8')).toContain('two');
  });
});

describe('a commit that adds to a portable file everything that only the same note’s machine-local file says', () => {
  const typedInto = async (line: string) => {
    const two = await inBoth();
    const { machines, b, id, portable } = two;
    await machines.sync(b);
    await b.finish();
    appendFileSync(portable, `${line}\n`);
    git(b, 'commit', '-qam', 'mine');
    await writeNote(b, { title: 'Later', body: 'LATER\n' });
    return { machines, b, id };
  };

  it('is refused until a move says where the note belongs', async () => {
    const { machines, b, id } = await typedInto('one\nfour PRIVATE');
    await expectRefused(machines, b);
    await b.perform({ kind: 'move', id, scope: 'machine-local' });
    expect(await syncStore(b)).toMatchObject({ outcome: 'synced' });
    expect(published(machines)).toContain('LATER');
    expect(published(machines)).not.toContain('PRIVATE');
  });

  it('is pushed when it adds something else', async () => {
    const { machines, b } = await typedInto('five more');
    expect(await syncStore(b)).toMatchObject({ outcome: 'synced' });
    expect(published(machines)).toContain('five more');
  });
});
