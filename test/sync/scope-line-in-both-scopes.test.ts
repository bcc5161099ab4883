/** A note in both scopes whose file in memory/ a person marked `scope: machine-local`: that text stays here. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConflicts, readInBoth } from '../../src/app/conflicts.js';
import type { Memory } from '../../src/store/memory.js';
import { newMachines } from '../support/machines.js';
import { writeNote } from '../support/store.js';
import { published } from './support/private-notes.js';

const privateTexts = async (memory: Memory): Promise<readonly string[]> => {
  const { notes } = await memory.list({ scope: 'machine-local' }, 9);
  const shown = await Promise.all(notes.map(({ id }) => memory.show(id)));
  return shown.map((one) => (one.ok ? (one.answer.body ?? '') : '')).sort();
};

/** `a` made it machine-local while `b` edited it; then `type` changes the note's two files on `a`. */
const inBoth = async (type: (files: { readonly portable: string; readonly local: string }) => void) => {
  const machines = newMachines();
  const [a, b] = [await machines.open('a'), await machines.open('b')];
  const { id, path = '' } = await writeNote(a, { title: 'X', body: 'one\n' });
  await machines.sync(a, b);
  await a.perform({ kind: 'move', id, scope: 'machine-local' });
  await a.perform({ kind: 'edit', id, set: { body: 'HERE\n' } });
  await b.perform({ kind: 'edit', id, set: { body: 'THEIRS\n' } });
  await machines.sync(b, a);
  await a.finish();
  type({ portable: path, local: path.replace('/memory/', '/local/') });
  return { machines, a, b, id, path };
};
const edited = (file: string, ...changes: readonly (readonly [string, string])[]): void =>
  writeFileSync(
    file,
    changes.reduce((text, [from, to]) => text.replace(from, to), readFileSync(file, 'utf8')),
  );
const typePrivate = ({ portable }: { readonly portable: string }): void =>
  edited(portable, ['scope: portable', 'scope: machine-local'], ['THEIRS', 'TYPED']);
const changePlaces = ({ portable, local }: { readonly portable: string; readonly local: string }): void => {
  const [theirs, own] = [readFileSync(portable), readFileSync(local)];
  writeFileSync(portable, own);
  writeFileSync(local, theirs);
};

describe('a text typed into the portable file of a note in both scopes, under scope: machine-local', () => {
  it('is kept in local/ beside the note by the move that status names', async () => {
    const { machines, a, b, id, path } = await inBoth(typePrivate);
    expect((await a.adopt('hold')).portable.left).toMatchObject([
      { reason: expect.stringContaining(`anamnesis move ${id} --scope machine-local`) },
    ]);
    expect(await a.perform({ kind: 'move', id, scope: 'machine-local' })).toMatchObject({ status: 'recorded' });
    await machines.sync(a, b);
    expect(await privateTexts(a)).toEqual(['HERE\n', 'TYPED\n']);
    expect((await readConflicts(a, {}, { conflicts: 9, diffLines: 9 })).total).toBe(1);
    expect(existsSync(path)).toBe(false);
    expect(await readInBoth(a)).toEqual([]);
    expect(published(machines)).not.toContain('TYPED');
    expect((await b.list({}, 9)).notes).toHaveLength(1);
  });

  it('is not published by a move to the portable notes: the refusal names both ways out', async () => {
    const { machines, a, id, path } = await inBoth(typePrivate);
    const refused = await a.perform({ kind: 'move', id, scope: 'portable' });
    expect(refused).toMatchObject({ status: 'refused', refusal: { code: 'file-blocked' } });
    expect(JSON.stringify(refused)).toMatch(/move \w+ --scope machine-local keeps it here; without that line/);
    await machines.sync(a);
    expect(published(machines)).not.toContain('TYPED');
    expect(readFileSync(path, 'utf8')).toContain('TYPED');
  });

  it('is published by that move once the line is gone', async () => {
    const { machines, a, id, path } = await inBoth(typePrivate);
    await a.adopt('hold');
    edited(path, ['scope: machine-local\n', '']);
    expect(await a.perform({ kind: 'move', id, scope: 'portable' })).toMatchObject({ status: 'recorded' });
    await machines.sync(a);
    expect(published(machines)).toContain('TYPED');
  });
});

describe('the two files of a note in both scopes that a person swapped', () => {
  it('both stay here after a move to the machine-local notes', async () => {
    const { machines, a, b, id } = await inBoth(changePlaces);
    await a.adopt('record');
    expect(await a.perform({ kind: 'move', id, scope: 'machine-local' })).toMatchObject({ status: 'recorded' });
    await machines.sync(a, b);
    expect(await privateTexts(a)).toEqual(['HERE\n', 'THEIRS\n']);
    expect(published(machines)).not.toContain('HERE');
  });

  it('are not published by a move to the portable notes, which is refused', async () => {
    const { machines, a, id } = await inBoth(changePlaces);
    await a.adopt('record');
    expect(await a.perform({ kind: 'move', id, scope: 'portable' })).toMatchObject({ status: 'refused' });
    await machines.sync(a);
    expect(published(machines)).not.toContain('HERE');
  });
});
