/** Machines with machine-local notes, and a person's own commits that could publish them. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Memory } from '../../../src/store/memory.js';
import { syncStore } from '../../../src/sync/syncing.js';
import type { Machines } from '../../support/machines.js';
import { personsGit, writeNote } from '../../support/store.js';
import { startOnce } from '../../support/template-machines.js';

export const git = (memory: Memory, ...args: string[]): string => personsGit(memory.journals.portable.folder, ...args);
export const commitAll = (memory: Memory): void => {
  git(memory, 'add', '-A');
  git(memory, 'commit', '-qm', 'mine');
};
/** Amends the last commit, which keeps the trailers of its event. */
export const amendAll = (memory: Memory): void => {
  git(memory, 'add', '-A');
  git(memory, 'commit', '-q', '--amend', '--no-edit');
};
export const published = ({ folder }: Machines): string =>
  personsGit(join(folder, 'remote.git'), 'log', '-p', '--all', '--format=%B');
export const pathOf = async (memory: Memory, id: string): Promise<string> => {
  const shown = await memory.show(id);
  return (shown.ok && shown.answer.path) || '';
};
export const refused = { outcome: 'refused', trouble: { code: 'note-private' } };
export const expectRefused = async (machines: Machines, memory: Memory): Promise<void> => {
  expect(await syncStore(memory)).toMatchObject(refused);
  expect(published(machines)).not.toContain('PRIVATE');
};

export const fiveLines = 'one\n\ntwo\n\nthree\n\nfour\n\nfive\n';

const tellPair = async ({ a, b }: Record<'a' | 'b', Memory>, machines: Machines) => {
  const { id, path = '' } = await writeNote(a, { title: 'N', body: fiveLines });
  await machines.sync(a, b);
  return { id, portable: path.replace('/a/', '/b/') };
};

/** On `b` the note is machine-local and has a text of its own; its portable file is gone everywhere. */
export const movedOnB = startOnce(['a', 'b'], async (both, machines) => {
  const two = await tellPair(both, machines);
  const { b } = both;
  const { id } = two;
  await b.perform({ kind: 'move', id, scope: 'machine-local' });
  await machines.sync(b);
  await b.perform({ kind: 'edit', id, set: { body: fiveLines.replace('four', 'four PRIVATE') } });
  await b.finish();
  return { ...two, local: await pathOf(b, id) };
});

/** On `b` the note is machine-local, and `a` keeps it as a portable one. */
export const inBoth = startOnce(['a', 'b'], async (both, machines) => {
  const two = await tellPair(both, machines);
  const { a, b } = both;
  const { id } = two;
  await b.perform({ kind: 'move', id, scope: 'machine-local' });
  await b.perform({ kind: 'edit', id, set: { body: fiveLines.replace('four', 'four PRIVATE') } });
  await a.perform({ kind: 'edit', id, set: { body: fiveLines.replace('one', 'ONE') } });
  await machines.sync(a, b);
  await b.finish();
  return { ...two, local: await pathOf(b, id) };
});

export const copyTo = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
};

/** A copy of a machine-local note in memory/, which adopting leaves alone. */
export const leftCopy = startOnce(['a'], async ({ a }, _machines, to: string = 'semantic') => {
  const note = await writeNote(a, { title: 'X', body: 'PRIVATE\n', scope: 'machine-local' });
  await a.finish();
  const name = to === 'semantic' ? `semantic/${note.id}.md` : to;
  copyTo(note.path ?? '', join(a.journals.portable.folder, name));
  return { id: note.id };
});
