/** Files planted in the remote so that a machine-local text is taken for one that may be published. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { Memory } from '../../src/store/memory.js';
import { type Machines, newMachines } from '../support/machines.js';
import { personsGit, writeNote } from '../support/store.js';
import { commitAll, expectRefused, inBoth, pathOf } from './support/private-notes.js';

/** Publishes a copy of the note that says it is machine-local, in a folder that holds no notes. */
const plant = async ({ folder }: Machines, memory: Memory, id: string, then: 'stays' | 'goes'): Promise<void> => {
  const theirs = join(folder, 'theirs');
  personsGit(folder, 'clone', '-q', join(folder, 'remote.git'), theirs);
  mkdirSync(join(theirs, 'x'));
  const text = readFileSync(await pathOf(memory, id), 'utf8');
  writeFileSync(join(theirs, 'x', `${id}.md`), text.replace('scope: portable', 'scope: machine-local'));
  personsGit(theirs, 'add', '-A');
  personsGit(theirs, 'commit', '-qm', 'planted');
  if (then === 'goes') {
    rmSync(join(theirs, 'x'), { recursive: true });
    personsGit(theirs, 'commit', '-qam', 'gone');
  }
  personsGit(theirs, 'push', '-q', 'origin', 'main');
};

describe('a copy in the remote that says the note is machine-local', () => {
  it.each(['stays', 'goes'] as const)(
    'does not make a file publishable that a person marked as machine-local (the copy %s)',
    async (then) => {
      const machines = newMachines();
      const a = await machines.open('a');
      const { id, path = '' } = await writeNote(a, { title: 'X', body: 'one\n' });
      await machines.sync(a);
      await plant(machines, a, id, then);
      await machines.sync(a);
      await a.finish();
      const text = readFileSync(path, 'utf8').replace('scope: portable', 'scope: machine-local');
      writeFileSync(path, text.replace('one\n', 'one\nPRIVATE\n'));
      commitAll(a);
      await expectRefused(machines, a);
    },
  );

  it('does not make the text publishable when the note is machine-local here too', async () => {
    const { machines, a, b, id, local, portable } = await inBoth();
    await plant(machines, a, id, 'stays');
    await machines.sync(b);
    await b.finish();
    writeFileSync(portable, readFileSync(local, 'utf8').replace('five', 'five more'));
    commitAll(b);
    await expectRefused(machines, b);
  });
});
