import { cpSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readStatus } from '../../src/app/status.js';
import { isRefusal } from '../../src/files/settings-file.js';
import { findRemote, setRemote } from '../../src/sync/remote.js';
import { syncStore } from '../../src/sync/syncing.js';
import { openStore, personsGit, type TestStore, temporaryFolder, writeNote } from '../support/store.js';

describe("a remote that is another store's machine-local journal", () => {
  let folder = '';
  let store: TestStore;
  let other: TestStore;
  beforeEach(async () => {
    folder = temporaryFolder();
    store = openStore({ home: join(folder, 'home') });
    other = openStore({ home: join(folder, 'other') });
    await writeNote(other.memory, { title: 'Portable' });
    await writeNote(other.memory, { title: 'Private', scope: 'machine-local' });
  });
  afterEach(async () => {
    await store.close();
    await other.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['local', 'local/.git', 'copied'])('is refused: %s', async (name) => {
    renameSync(join(folder, 'other'), join(folder, 'moved'));
    cpSync(join(folder, 'moved', 'local'), join(folder, 'moved', 'copied'), { recursive: true });
    const answer = await setRemote(store.memory, join(folder, 'moved', name));
    expect(answer).toMatchObject({ code: 'own-folder' });
    expect(findRemote(store.memory, {})).toBeUndefined();
  });

  it('is refused for its location when its hook is missing', async () => {
    rmSync(join(folder, 'other', 'local', '.git', 'hooks'), { recursive: true });
    expect(await setRemote(store.memory, join(folder, 'other', 'local'))).toMatchObject({ code: 'own-folder' });
  });

  it('is refused, but that store’s portable journal is accepted', async () => {
    expect(isRefusal(await setRemote(store.memory, join(folder, 'other', 'memory')))).toBe(false);
  });
});

describe('a remote that is the store itself', () => {
  let folder = '';
  let home = '';
  let store: TestStore;
  beforeEach(async () => {
    folder = temporaryFolder();
    home = join(folder, 'home');
    store = openStore({ home });
    await writeNote(store.memory, { title: 'Portable' });
    await writeNote(store.memory, { title: 'Private', scope: 'machine-local' });
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const link = (target: string, name: string): string => {
    symlinkSync(target, join(folder, name));
    return join(folder, name);
  };
  const addresses: Readonly<Record<string, () => string>> = {
    'its local journal': () => join(home, 'local'),
    'the repository in it': () => join(home, 'local', '.git'),
    'its memory': () => join(home, 'memory'),
    'the store': () => home,
    'a folder in it that is not there yet': () => join(home, 'new', 'remote.git'),
    'a roundabout path': () => join(folder, 'other', '..', 'home', 'local', ''),
    'a file address': () => `file://${join(home, 'local')}`,
    'a file address with a host': () => `file://localhost${join(home, 'local')}`,
    'a file address with an escape': () => `file://${join(home, '%6cocal')}`,
    'a link to it': () => link(join(home, 'local'), 'link'),
    'a link to the store': () => join(link(home, 'link'), 'local'),
  };

  it.each(Object.keys(addresses))('is refused: %s', async (name) => {
    const address = addresses[name]?.() ?? '';
    expect(await setRemote(store.memory, address)).toMatchObject({ code: 'own-folder', next: expect.any(String) });
    expect(findRemote(store.memory, {})).toBeUndefined();
    const environment = { ANAMNESIS_GIT_REMOTE: address };
    expect(await syncStore(store.memory, { environment })).toMatchObject({ outcome: 'refused', pulled: 0 });
    expect(personsGit(join(home, 'memory'), 'log', '--all', '--format=%s')).not.toContain('Private');
  });

  it('is told apart from repositories beside it, even when their names begin the same', async () => {
    for (const name of ['remote.git', 'home.git', 'home-2']) {
      personsGit(folder, 'init', '--quiet', '--bare', '--initial-branch=main', join(folder, name));
      expect(isRefusal(await setRemote(store.memory, join(folder, name)))).toBe(false);
    }
  });
});

it('a token in the remote’s address appears in no answer and is not stored', async () => {
  const store = openStore();
  onTestFinished(() => store.close());
  const answers = [
    await setRemote(store.memory, 'https://me:p4ssw0rd@127.0.0.1:9/x.git?private_token=t0ken'),
    await syncStore(store.memory),
    await readStatus(store.memory),
    findRemote(store.memory, {}),
  ].map((answer) => JSON.stringify(answer, (key, value: unknown) => (key === 'url' ? undefined : value)));
  expect(answers.join('\n')).toContain('"shown":"https://127.0.0.1:9/x.git?…"');
  expect(answers[1]).toContain("unable to access 'https://127.0.0.1:9/x.git?…'");
  const { home } = store.memory.settings;
  const kept = ['state.db', 'state.db-wal'].map((name) => readFileSync(join(home, name), 'latin1')).join('');
  expect(kept).toContain('127.0.0.1:9');
  expect(`${answers.join('\n')}${kept}`).not.toMatch(/p4ssw0rd|t0ken/);
});
