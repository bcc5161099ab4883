/** A person’s own commit of a machine-local note’s file, and the ways to resolve the sync’s refusal. */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConflicts, readInBoth, readLostValues } from '../../src/app/conflicts.js';
import { undoEvent } from '../../src/app/undoing.js';
import type { Memory } from '../../src/store/memory.js';
import { syncStore } from '../../src/sync/syncing.js';
import { personsGit, writeNote } from '../support/store.js';
import {
  commitAll,
  copyTo,
  expectRefused,
  git,
  inBoth,
  leftCopy,
  movedOnB,
  pathOf,
  published,
} from './support/private-notes.js';

/** A copy with another text, committed by a person. */
const committedCopy = async (change = (text: string): string => text.replace('PRIVATE', 'PRIVATE, EDITED')) => {
  const one = await leftCopy();
  const path = join(one.a.journals.portable.folder, 'semantic', `${one.id}.md`);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  commitAll(one.a);
  return { ...one, path };
};
const notesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && !path.startsWith('.git'),
  );
const textsIn = (folder: string): string =>
  notesIn(folder)
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
const keepHere = async (memory: Memory, id: string): Promise<readonly string[]> => {
  const moved = await memory.perform({ kind: 'move', id, scope: 'machine-local' });
  await memory.finish();
  return moved.status === 'refused' ? [moved.refusal.message] : moved.warnings;
};

describe('a machine-local note whose file in memory/ was only committed by hand', () => {
  it('is reported as one that no other machine has', async () => {
    const { machines, a, id } = await committedCopy();
    await expectRefused(machines, a);
    expect(await readInBoth(a)).toEqual([{ id, title: 'X', published: false }]);
  });

  it('is told apart from one that another machine has too', async () => {
    const { b, id } = await inBoth();
    expect(await readInBoth(b)).toEqual([{ id, title: 'N', published: true }]);
  });

  it('leaves no note in memory/ once a move keeps it here, and keeps the other text beside it', async () => {
    const { a, id } = await committedCopy();
    const said = (await keepHere(a, id)).join('\n');
    expect(notesIn(a.journals.portable.folder)).toEqual([]);
    expect(textsIn(a.journals.local.folder)).toContain('PRIVATE, EDITED');
    expect(said).not.toContain('other machines');
    const { conflicts } = await readConflicts(a, {}, { conflicts: 9, diffLines: 9 });
    expect(conflicts.map(({ conflicts_with: other }) => other.id)).toEqual([id]);
    expect(await a.show(conflicts[0]?.id ?? '')).toMatchObject({ answer: { scope: 'machine-local' } });
  });

  it('keeps its title out of the history of memory/', async () => {
    const { a, id } = await committedCopy((text) => text.replace('title: X', 'title: Secret plans'));
    await keepHere(a, id);
    expect(git(a, 'log', '--format=%B')).not.toContain('Secret plans');
    expect(await readLostValues(a, 9)).toMatchObject([{ note: id, key: 'title', value: 'Secret plans' }]);
  });

  it('leaves the other machines their text, and keeps here the one that was written over it', async () => {
    const { machines, a, b, id, local, portable } = await inBoth();
    writeFileSync(portable, readFileSync(local, 'utf8').replace('four PRIVATE', 'four PRIVATE, EDITED'));
    commitAll(b);
    await expectRefused(machines, b);
    await keepHere(b, id);
    expect(textsIn(b.journals.portable.folder)).not.toContain('PRIVATE');
    expect(textsIn(b.journals.local.folder)).toContain('PRIVATE, EDITED');
    await machines.sync(b, a);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(textsIn(a.journals.portable.folder)).toContain('ONE');
  });
});

const edited = (memory: Memory, id: string) => memory.perform({ kind: 'edit', id, set: { body: 'OTHER, EDITED\n' } });

describe("a machine-local note's file that was committed over another note's file", () => {
  const inPlaceOfAnother = async () => {
    const two = await movedOnB();
    const { machines, a, b, local } = two;
    const { id: other } = await writeNote(b, { title: 'Other', body: 'OTHER\n' });
    await machines.sync(b, a);
    await b.finish();
    copyTo(local, await pathOf(b, other));
    commitAll(b);
    await expectRefused(machines, b);
    return { ...two, other };
  };

  it('belongs to a note that no other machine has', async () => {
    const { b, id } = await inPlaceOfAnother();
    expect(await readInBoth(b)).toEqual([{ id, title: 'N', published: false }]);
  });

  it('gives the other note its text back under its own id once a move keeps it here', async () => {
    const { machines, a, b, id, other } = await inPlaceOfAnother();
    expect(await keepHere(b, id)).toEqual([expect.stringContaining(other)]);
    await machines.sync(b, a);
    for (const one of [a, b])
      expect(await one.show(other)).toMatchObject({ answer: { title: 'Other', body: 'OTHER\n' } });
    expect(await a.show(id)).toMatchObject({ ok: false });
    expect(published(machines)).not.toContain('PRIVATE');
  });

  it.each<[string, boolean, (memory: Memory, other: string) => unknown, string]>([
    ['that was recorded since it was published', true, edited, 'OTHER, EDITED\n'],
    ['that was never published', false, () => undefined, 'OTHER\n'],
    ['that was edited and never published', false, edited, 'OTHER, EDITED\n'],
  ])('gives the other note the text back %s', async (_, isPublished, change, text) => {
    const { machines, a, b, id, local } = await movedOnB();
    const { id: other } = await writeNote(b, { title: 'Other', body: 'OTHER\n' });
    if (isPublished) await machines.sync(b, a);
    await change(b, other);
    await b.finish();
    copyTo(local, await pathOf(b, other));
    commitAll(b);
    await expectRefused(machines, b);
    await keepHere(b, id);
    await machines.sync(b, a);
    for (const one of [a, b]) expect(await one.show(other)).toMatchObject({ answer: { title: 'Other', body: text } });
    expect(published(machines)).not.toContain('PRIVATE');
  });

  it.each<[string, (memory: Memory, other: string) => unknown]>([
    ['its writing was undone', (memory) => undoEvent(memory, undefined)],
    ['a command had forgotten it', (memory, other) => memory.perform({ kind: 'forget', id: other })],
  ])('does not bring the other note back when %s', async (_, remove) => {
    const { machines, a, b, id, local } = await movedOnB();
    const { id: other, path = '' } = await writeNote(b, { title: 'Other', body: 'OTHER\n' });
    await machines.sync(b, a);
    await remove(b, other);
    await b.finish();
    copyTo(local, path);
    commitAll(b);
    await keepHere(b, id);
    await machines.sync(b, a);
    expect((await a.list({}, 9)).notes).toEqual([]);
  });
});

it('a machine-local note is not taken for published when another note lies at its usual path', async () => {
  const { machines, a, b, id, local, portable } = await movedOnB();
  const { id: other } = await writeNote(a, { title: 'Other', body: 'OTHER\n' });
  await machines.sync(a);
  await a.finish();
  const usual = portable.replace('/b/', '/a/');
  mkdirSync(dirname(usual), { recursive: true });
  renameSync(await pathOf(a, other), usual);
  await machines.sync(a, b);
  copyTo(local, join(b.journals.portable.folder, 'semantic', 'x', `${id}.md`));
  commitAll(b);
  await expectRefused(machines, b);
  expect(await readInBoth(b)).toEqual([{ id, title: 'N', published: false }]);
});

describe('a sync that was refused because of a commit with a machine-local text', () => {
  it('succeeds once a move keeps the note here, and publishes what was written since', async () => {
    const { machines, a, id } = await committedCopy();
    await writeNote(a, { title: 'Later', body: 'harmless\n' });
    await expectRefused(machines, a);
    await keepHere(a, id);
    await machines.sync(a);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(published(machines)).not.toContain(id);
    expect(published(machines)).toContain('harmless');
    expect(textsIn(a.journals.local.folder)).toContain('PRIVATE, EDITED');
  });

  it('says that a move resolves it and leaves the file out', async () => {
    const { a, id } = await committedCopy();
    const { trouble } = await syncStore(a);
    expect(trouble?.next).toContain(`anamnesis move ${id} --scope machine-local`);
    expect(trouble?.next).toContain('without that file');
  });

  it('succeeds once the file is removed from memory/ with git', async () => {
    const { machines, a, path } = await committedCopy();
    await writeNote(a, { title: 'Later', body: 'harmless\n' });
    await a.finish();
    git(a, 'rm', '-q', path);
    commitAll(a);
    await machines.sync(a);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(published(machines)).toContain('harmless');
  });

  it('publishes the rest of that commit once a move keeps the note here', async () => {
    const { machines, a, id } = await leftCopy();
    writeFileSync(join(a.journals.portable.folder, 'README.md'), 'for everybody\n');
    commitAll(a);
    await expectRefused(machines, a);
    await keepHere(a, id);
    await machines.sync(a);
    expect(published(machines)).toContain('for everybody');
    expect(published(machines)).not.toContain('PRIVATE');
    expect(git(a, 'status', '--porcelain')).toBe('');
  });

  it('keeps the former history under a rescue ref, which it does not publish', async () => {
    const { machines, a, id } = await committedCopy();
    await keepHere(a, id);
    const { rescued } = await syncStore(a);
    expect(git(a, 'log', '-p', '--format=', rescued ?? '')).toContain('PRIVATE, EDITED');
    expect(personsGit(join(machines.folder, 'remote.git'), 'for-each-ref', '--format=%(refname)')).not.toContain(
      'rescue',
    );
  });

  it('succeeds when another machine edited the note too', async () => {
    const { machines, a, b, id, local, portable } = await inBoth();
    copyTo(local, portable);
    commitAll(b);
    await a.perform({ kind: 'edit', id, set: { body: 'ANOTHER\n' } });
    await machines.sync(a);
    await expectRefused(machines, b);
    await keepHere(b, id);
    await machines.sync(b, a);
    expect(published(machines)).not.toContain('PRIVATE');
    expect(textsIn(a.journals.portable.folder)).toContain('ANOTHER');
    expect(textsIn(b.journals.local.folder)).toContain('PRIVATE');
  });

  it('succeeds when the commit brought back a portable file that was gone everywhere', async () => {
    const { machines, b, id, local, portable } = await movedOnB();
    copyTo(local, portable);
    commitAll(b);
    await expectRefused(machines, b);
    await keepHere(b, id);
    await machines.sync(b);
    expect(published(machines)).not.toContain('PRIVATE');
  });

  it('stays refused while the file is in memory/', async () => {
    const { machines, a, path } = await committedCopy();
    writeFileSync(path, readFileSync(path, 'utf8').replace('PRIVATE, EDITED', 'something else'));
    commitAll(a);
    await expectRefused(machines, a);
  });
});
