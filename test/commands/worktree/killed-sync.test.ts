/** A sync is killed before it has checked out what it fetched, or skips a half-saved file. */
import { mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { syncStore } from '../../../src/sync/syncing.js';
import { newMachines } from '../../support/machines.js';
import { personsGit, writeNote } from '../../support/store.js';
import { startOnce } from '../../support/template-machines.js';
import { bodyOf, killedAt, more, replace, text } from './support/killed-command.js';

const rename = (path: string, folder: string): void => {
  const target = join(dirname(dirname(path)), folder, basename(path));
  mkdirSync(dirname(target), { recursive: true });
  renameSync(path, target);
};

/** `two` published an edit that `one` has yet to sync. */
const editedElsewhere = startOnce(['one', 'two'], async ({ one, two }, machines) => {
  const { id, path = '' } = await writeNote(one, { title: 'X', body: text });
  await machines.sync(one, two);
  await two.perform({ kind: 'edit', id, set: { body: more } });
  await machines.sync(two);
  return { id, path };
});

/** `two` published an edit, a removal and a new note that `one` has yet to sync; Y is unchanged. */
const muchElsewhere = startOnce(['one', 'two'], async ({ one, two }, machines) => {
  const x = await writeNote(one, { title: 'X', body: text });
  const y = await writeNote(one, { title: 'Y', body: text });
  const gone = await writeNote(one, { title: 'Gone' });
  await machines.sync(one, two);
  await one.finish();
  await two.perform({ kind: 'edit', id: x.id, set: { body: more } });
  await two.perform({ kind: 'forget', id: gone.id });
  const z = await writeNote(two, { title: 'Z' });
  await machines.sync(two);
  return { x: x.id, y: y.path ?? '', gone: gone.id, z: z.id };
});

const paragraphs = 'one\n\ntwo\n\nthree\n\nfour\n\nfive\n';
const editedInBoth = startOnce(['one', 'two'], async ({ one, two }, machines) => {
  const { id, path = '' } = await writeNote(one, { title: 'X', body: paragraphs });
  await machines.sync(one, two);
  await two.perform({ kind: 'edit', id, set: { body: paragraphs.replace('one', 'THEIRS') } });
  await machines.sync(two);
  await one.perform({ kind: 'edit', id, set: { body: paragraphs.replace('five', 'OURS') } });
  await one.finish();
  return { id, path };
});

const renamedElsewhere = startOnce(['one', 'two'], async ({ one, two }, machines) => {
  const { id, path = '' } = await writeNote(one, { title: 'X', body: text });
  await machines.sync(one, two);
  const there = path.replace(one.journals.portable.folder, two.journals.portable.folder);
  await one.finish();
  await two.finish();
  rename(there, 'd1');
  await two.adopt('hold');
  await two.perform({ kind: 'edit', id, set: { body: more } });
  await machines.sync(two);
  return { id, path };
});

describe('a sync that did not check out a file', () => {
  it('keeps what it fetched over a commit of an unreadable file', async () => {
    const { machines, one, two, id, path } = await editedElsewhere();
    replace(path, 'title: ', 'title: [half ');
    await machines.sync(one);
    await one.finish();
    personsGit(one.journals.portable.folder, 'commit', '-aqm', 'half');
    await writeNote(one, { title: 'next' });
    replace(path, 'title: [half ', 'title: ');
    await machines.sync(one, two);
    for (const memory of [one, two]) expect(await bodyOf(memory, id)).toBe(more);
  });

  it.each(['sync:moved', 'sync:checkpoint', 'sync:indexed', 'sync:put'])(
    'shows readers what it recorded, so that an edit can build on it (%s)',
    async (at) => {
      const { one, id } = await editedElsewhere();
      await killedAt({ home: one.settings.home, machine: 'one' }, at, (memory) => syncStore(memory));
      expect(await bodyOf(one, id)).toBe(more);
      const { hits } = await one.search('four', {});
      expect(hits.map(({ snippet }) => snippet)).toEqual([expect.stringContaining('four')]);
    },
  );

  it.each(['sync:moved', 'sync:checkpoint', 'sync:indexed', 'sync:put'])(
    'keeps what it fetched when it is killed at %s and a commit by hand follows',
    async (at) => {
      const { machines, one, two, x, y, gone, z } = await muchElsewhere();
      await killedAt({ home: join(machines.folder, 'one'), machine: 'one' }, at, (memory) => syncStore(memory));
      replace(y, 'two', 'MINE');
      personsGit(one.journals.portable.folder, 'commit', '-aqm', 'mine');
      await machines.sync(one, two);
      for (const memory of [one, two]) {
        expect(await bodyOf(memory, x)).toBe(more);
        expect(await bodyOf(memory, basename(y, '.md'))).toBe(text.replace('two', 'MINE'));
        expect(await bodyOf(memory, gone)).toBe('note-forgotten');
        expect((await memory.show(z)).ok).toBe(true);
      }
    },
  );

  it.each(['sync:moved', 'sync:checkpoint', 'sync:indexed', 'sync:put'])(
    'keeps what it merged with our edit when it is killed at %s and a commit by hand follows',
    async (at) => {
      const { machines, one, two, id, path } = await editedInBoth();
      await killedAt({ home: one.settings.home, machine: 'one' }, at, (memory) => syncStore(memory));
      replace(path, 'three', 'MINE');
      personsGit(one.journals.portable.folder, 'commit', '-aqm', 'mine');
      await machines.sync(one, two);
      for (const memory of [one, two]) expect(await bodyOf(memory, id)).toBe('THEIRS\n\ntwo\n\nMINE\n\nfour\n\nOURS\n');
    },
  );

  it('keeps what it fetched for a file that was half saved and is committed since', async () => {
    const machines = newMachines();
    const [one, two] = [await machines.open('one'), await machines.open('two')];
    const { id, path = '' } = await writeNote(one, { title: 'X', body: text });
    await machines.sync(one, two);
    await one.finish();
    await two.perform({ kind: 'edit', id, set: { body: more } });
    await machines.sync(two);
    replace(path, 'one', 'MINE');
    replace(path, 'title: ', 'title: [half ');
    await machines.sync(one);
    await one.finish();
    replace(path, 'title: [half ', 'title: ');
    personsGit(one.journals.portable.folder, 'commit', '-aqm', 'mine');
    await machines.sync(one, two);
    for (const memory of [one, two]) expect(await bodyOf(memory, id)).toBe(more.replace('one', 'MINE'));
  });

  it.each(['sync:moved', 'sync:checkpoint', 'sync:indexed'])(
    'keeps a note that is renamed on both machines (%s)',
    async (at) => {
      const { machines, one, two, id, path } = await renamedElsewhere();
      await killedAt({ home: join(machines.folder, 'one'), machine: 'one' }, at, (memory) => syncStore(memory));
      rename(path, 'd2');
      await one.adopt('hold');
      await machines.sync(one, two);
      for (const memory of [one, two]) expect(await bodyOf(memory, id)).toBe(more);
    },
  );
});
