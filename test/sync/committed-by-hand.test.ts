/** A person’s own commit of a machine-local note’s file, while a sync refuses it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConflicts, readInBoth, readLostValues } from '../../src/app/conflicts.js';
import type { Memory } from '../../src/store/memory.js';
import { commitAll, expectRefused, git, inBoth, leftCopy } from './support/private-notes.js';

/** The copy says something else, and a person committed it. */
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
  it('is named as one that no other machine has', async () => {
    const { machines, a, id } = await committedCopy();
    await expectRefused(machines, a);
    expect(await readInBoth(a)).toEqual([{ id, title: 'X', published: false }]);
  });

  it('is told from one that another machine has too', async () => {
    const { b, id } = await inBoth();
    expect(await readInBoth(b)).toEqual([{ id, title: 'N', published: true }]);
  });

  it('leaves no note in memory/ where it is told to stay, and keeps the other text beside it', async () => {
    const { a, id } = await committedCopy();
    const said = (await keepHere(a, id)).join('\n');
    expect(notesIn(a.journals.portable.folder)).toEqual([]);
    expect(textsIn(a.journals.local.folder)).toContain('PRIVATE, EDITED');
    expect(said).not.toContain('other machines');
    const { conflicts } = await readConflicts(a, {}, { conflicts: 9, diffLines: 9 });
    expect(conflicts.map(({ conflicts_with: other }) => other.id)).toEqual([id]);
    expect(await a.show(conflicts[0]?.id ?? '')).toMatchObject({ answer: { scope: 'machine-local' } });
  });

  it('does not name its title in the history of memory/', async () => {
    const { a, id } = await committedCopy((text) => text.replace('title: X', 'title: Secret plans'));
    await keepHere(a, id);
    expect(git(a, 'log', '--format=%B')).not.toContain('Secret plans');
    expect(await readLostValues(a, 9)).toMatchObject([{ note: id, key: 'title', value: 'Secret plans' }]);
  });

  it('keeps the text of the other machines for them, and the one that was written over it here', async () => {
    const { machines, b, id, local, portable } = await inBoth();
    writeFileSync(portable, readFileSync(local, 'utf8').replace('four PRIVATE', 'four PRIVATE, EDITED'));
    commitAll(b);
    await expectRefused(machines, b);
    await keepHere(b, id);
    expect(textsIn(b.journals.portable.folder)).not.toContain('PRIVATE');
    expect(textsIn(b.journals.local.folder)).toContain('PRIVATE, EDITED');
    expect(textsIn(b.journals.portable.folder)).toContain('ONE');
  });
});
