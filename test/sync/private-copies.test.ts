/** Copies of machine-local texts that a person commits under other names or in another form. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { syncStore } from '../../src/sync/syncing.js';
import { newMachines } from '../support/machines.js';
import { commitAll, expectRefused, leftCopy, published } from './support/private-notes.js';

describe('a copy of a machine-local note that is no note by its name', () => {
  it.each(['copy-of-mine.md', 'semantic/copy.md', 'deep/er/Copy.MD'])('is refused as %s', async (name) => {
    const { machines, a, id } = await leftCopy(name);
    commitAll(a);
    const { trouble } = await syncStore(a);
    expect(trouble?.message).toContain(name);
    expect(trouble?.message).toContain(id);
    await expectRefused(machines, a);
  });

  it('is published where it only tells of such notes', async () => {
    const machines = newMachines();
    const a = await machines.open('a');
    writeFileSync(
      join(a.journals.portable.folder, 'README.md'),
      '# Notes\n\nNotes with\n\n---\nscope: machine-local\n---\n\nstay here.\n',
    );
    commitAll(a);
    await machines.sync(a);
    expect(published(machines)).toContain('stay here');
  });
});
