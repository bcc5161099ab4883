/** A commit that claims to be the other half of one of our commands. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { undoEvent } from '../../src/app/undoing.js';
import { newMachines } from '../support/machines.js';
import { personsGit, writeNote } from '../support/store.js';

it('a forged half is not undone in place of the real one: undoing a move takes the note out of the portable journal', async () => {
  const machines = newMachines();
  const one = await machines.open('one');
  const other = await writeNote(one, { title: 'Other' });
  const { id } = await writeNote(one, { title: 'Plan', body: 'private text\n', scope: 'machine-local' });
  await one.perform({ kind: 'move', id, scope: 'portable' });
  await machines.sync(one);
  const clone = join(machines.folder, 'clone');
  personsGit(machines.folder, 'clone', '-q', join(machines.folder, 'remote.git'), clone);
  const message = personsGit(clone, 'log', '-1', '--format=%B');
  // Its id sorts before that of the true half.
  const forged = message.replace(/^(Event: .{10}).*$/m, `$1${'0'.repeat(16)}`);
  expect(forged).not.toBe(message);
  appendFileSync(join(clone, personsGit(clone, 'ls-files', `*${other.id}.md`).trim()), 'a line of somebody else\n');
  personsGit(clone, 'commit', '-qa', '-m', forged);
  personsGit(clone, 'push', '-q');
  await machines.sync(one);
  expect((await undoEvent(one, undefined)).ok).toBe(true);
  await machines.sync(one);
  const files = personsGit(one.journals.portable.folder, 'ls-tree', '-r', '--name-only', 'main');
  expect(files).toContain(other.id);
  expect(files).not.toContain(id);
  expect(await one.show(id)).toMatchObject({ ok: true, answer: { scope: 'machine-local' } });
});
