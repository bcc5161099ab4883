/** Refs of a remote with names that this program never gives: anyone who may push can create them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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

it('a foreign ref under a machine’s name stops neither that machine nor the others', async () => {
  const { machines, one, two, remote, mark } = await twoMachines();
  personsGit(remote, 'update-ref', '-d', 'refs/anamnesis/machines/two');
  personsGit(remote, 'update-ref', 'refs/anamnesis/machines/two/x', mark);
  await writeNote(two, { title: 'Of two' });
  await machines.sync(two, one);
  expect((await one.list({}, 9)).notes.map(({ title }) => title).toSorted()).toEqual(['Of two', 'Ports']);
});

it.each(['loose', 'packed'])(
  'known machines stay known when the remote names more machines than are kept (%s refs)',
  async (form) => {
    const { machines, one, two, remote, mark } = await twoMachines();
    // `git gc` does the same.
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
