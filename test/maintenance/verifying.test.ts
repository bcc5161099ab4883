import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { verifyStore } from '../../src/maintenance/verifying.js';
import { openStore, personsGit, writeNote } from '../support/store.js';

it('an id that is in many files is named with the first five of them', async () => {
  const { memory, close } = openStore();
  const { id } = await writeNote(memory, { title: 'Ports' });
  const { folder } = memory.journals.portable;
  const file = personsGit(folder, 'ls-tree', '-r', '--name-only', 'main').trim();
  for (let at = 10; at < 60; at += 1) {
    mkdirSync(join(folder, 'semantic', `d${at}`));
    copyFileSync(join(folder, file), join(folder, 'semantic', `d${at}`, basename(file)));
  }
  personsGit(folder, 'add', '-A');
  personsGit(folder, 'commit', '-qm', 'often');
  const repeated = (await verifyStore(memory)).problems.filter(({ kind }) => kind === 'repeated-id');
  expect(repeated.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(new RegExp(`^${id}: (?:semantic/\\S+\\.md, ){5}…$`)),
  ]);
  close();
});
