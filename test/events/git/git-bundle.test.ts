import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBundle } from '../../../src/events/git/git-bundle.js';
import { branch, type GitFolders } from '../../../src/events/git/git-process.js';
import { openStore, personsGit, type TestStore, writeNote } from '../../support/store.js';

describe('a bundle of the history of a journal', () => {
  let store: TestStore;
  let folders: GitFolders;
  beforeEach(async () => {
    store = openStore();
    await writeNote(store.memory, { title: 'One' });
    await writeNote(store.memory, { title: 'Two' });
    await store.memory.finish();
    folders = store.memory.journals.portable.folders;
  });
  afterEach(async () => {
    await store.close();
  });

  it('contains the branch even when other processes move it while git writes', async () => {
    const ids = ['HEAD', 'HEAD~1'].map((name) => personsGit(folders.workTree, 'rev-parse', name).trim());
    const ref = join(folders.gitDir, branch);
    for (let n = 0; n < 20; n += 1) personsGit(folders.workTree, 'update-ref', `refs/anamnesis/rescue/${n}`, 'HEAD');
    let isDone = false;
    const moving = (async () => {
      for (let n = 0; !isDone; n += 1) {
        writeFileSync(`${ref}.lock`, `${ids[n % 2]}\n`);
        renameSync(`${ref}.lock`, ref);
        await wait();
      }
    })();
    try {
      for (let n = 0; n < 40; n += 1) {
        const refs = await createBundle(folders, join(store.home, `bundle-${n}`));
        expect(refs.find(({ name }) => name === branch)?.id).toBeOneOf(ids);
      }
    } finally {
      isDone = true;
      await moving;
    }
  });
});
