/** Refs of a remote that have names as this program gives none: anybody who may push can make them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readMarks } from '../../src/events/git/remote/machine-marks.js';
import { newMachines } from '../support/machines.js';
import { personsGit, writeNote } from '../support/store.js';

const twoMachines = async () => {
  const machines = newMachines();
  const one = await machines.open('one');
  const two = await machines.open('two');
  await writeNote(one, { title: 'Ports' });
  await machines.sync(one, two, one);
  const remote = join(machines.folder, 'remote.git');
  const mark = personsGit(remote, 'rev-parse', 'refs/anamnesis/machines/two').trim();
  return { machines, one, two, remote, mark };
};

it('one in the place of a machine stops neither that machine nor the others', async () => {
  const { machines, one, two, remote, mark } = await twoMachines();
  personsGit(remote, 'update-ref', '-d', 'refs/anamnesis/machines/two');
  personsGit(remote, 'update-ref', 'refs/anamnesis/machines/two/x', mark);
  await writeNote(two, { title: 'Of two' });
  await machines.sync(two, one);
  expect((await one.list({}, 9)).notes.map(({ title }) => title).toSorted()).toEqual(['Of two', 'Ports']);
});

it('one that was fetched before a machine had that name makes way for it', async () => {
  const { machines, one, remote, mark } = await twoMachines();
  const { folders } = one.journals.portable;
  personsGit(folders.gitDir, 'update-ref', 'refs/anamnesis/machines/three/x', mark);
  const three = await machines.open('three');
  await machines.sync(three, one);
  expect((await readMarks(folders)).map(({ machine }) => machine)).toEqual(['one', 'three', 'two']);
  expect(personsGit(remote, 'for-each-ref', 'refs/anamnesis')).not.toContain('/x');
});

it.each(['loose', 'packed'])(
  'of more machines than there is room for, those that are known stay so: %s',
  async (form) => {
    const { machines, one, two, remote, mark } = await twoMachines();
    // As `git gc` does.
    if (form === 'packed') personsGit(one.journals.portable.folder, 'pack-refs', '--all');
    personsGit(remote, 'pack-refs', '--all');
    const refs = Array.from(
      { length: 1100 },
      (_, at) => `${mark} refs/anamnesis/machines/a${String(at).padStart(4, '0')}`,
    );
    const packed = readFileSync(join(remote, 'packed-refs'), 'utf8').split('\n').slice(1);
    const lines = [...packed.filter((line) => line !== ''), ...refs].toSorted((a, b) =>
      a.slice(41) < b.slice(41) ? -1 : 1,
    );
    writeFileSync(join(remote, 'packed-refs'), `# pack-refs with: sorted\n${lines.join('\n')}\n`);
    await writeNote(two, { title: 'Of two' });
    await machines.sync(two, one);
    const marks = personsGit(one.journals.portable.folders.gitDir, 'for-each-ref', 'refs/anamnesis/machines');
    expect(marks.trim().split('\n')).toHaveLength(1000);
    expect(marks).toContain('refs/anamnesis/machines/two');
    const known = personsGit(one.journals.portable.folder, 'rev-parse', 'refs/anamnesis/machines/two');
    expect(known).toBe(personsGit(remote, 'rev-parse', 'refs/anamnesis/machines/two'));
    expect((await one.list({}, 9)).total).toBe(2);
  },
);
