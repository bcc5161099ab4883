import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRefusal } from '../../src/files/settings-file.js';
import type { Memory } from '../../src/store/memory.js';
import { setRemote } from '../../src/sync/remote.js';
import { syncStore } from '../../src/sync/syncing.js';
import { copyRemote } from '../support/copied-repositories.js';
import { openStore, personsGit, type TestStore, temporaryFolder, writeNote } from '../support/store.js';

let folder: string;
let bare: string;
let store: TestStore;
let memory: Memory;

beforeEach(async () => {
  folder = temporaryFolder();
  bare = join(folder, 'remote.git');
  copyRemote(bare);
  store = openStore({ home: join(folder, 'one'), machine: 'one' });
  memory = store.memory;
  await memory.initialise();
  const set = await setRemote(memory, bare);
  if (isRefusal(set)) throw new Error(set.message);
  await writeNote(memory, { title: 'First' });
  await syncStore(memory);
  await memory.finish();
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const token = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;
const git = (...args: readonly string[]): string => personsGit(memory.journals.portable.folder, ...args);
const commit = (path: string, text: string, message = 'by hand'): void => {
  const file = join(memory.journals.portable.folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  git('add', '--', path);
  git('commit', '-q', '-m', message);
};

describe('a secret in a commit that a person made', () => {
  it.each<[string, () => void]>([
    ['in a note', () => commit(noteFile(), noteText(`The token is ${token}.`))],
    ['in a file that is not a note', () => commit('README.md', `token: ${token}\n`)],
    ['in the name of a file', () => commit(`${token}.txt`, 'x\n')],
    ['in the message', () => commit('README.md', 'x\n', `token ${token}`)],
    [
      'in a version that a later commit replaces',
      () => {
        commit('README.md', `token: ${token}\n`);
        commit('README.md', 'gone\n');
      },
    ],
  ])('%s is not published: the answer names the commit and both ways out', async (_, make) => {
    make();
    const answer = await syncStore(memory);
    expect(answer).toMatchObject({ outcome: 'refused', pushed: 0, trouble: { code: 'secret-committed' } });
    expect(answer.trouble?.message).toMatch(/^nothing was published: commit [0-9a-f]{12} holds a secret in /);
    expect(answer.trouble?.next).toMatch(/redo that commit .* with git in .*; or .* anamnesis purge --literal/);
    expect(JSON.stringify(answer)).not.toContain(token);
    expect(personsGit(bare, 'log', '-p', 'main')).not.toContain(token);
  });

  it('is not looked for in a file that is no text', async () => {
    commit('talk.pdf', `%PDF\0${'\u0001'.repeat(50)} token: ${token}`);
    expect(await syncStore(memory)).toMatchObject({ outcome: 'synced', pushed: 1 });
  });

  it('no longer stops anything once the person has redone the commit', async () => {
    commit('README.md', `token: ${token}\n`);
    await syncStore(memory);
    writeFileSync(join(memory.journals.portable.folder, 'README.md'), 'no token\n');
    git('commit', '-q', '-a', '--amend', '-m', 'by hand');
    expect(await syncStore(memory)).toMatchObject({ outcome: 'synced' });
    expect(personsGit(bare, 'show', 'main:README.md')).toBe('no token\n');
  });
});

describe('a machine-local text in a commit that a person made', () => {
  it('is not published when the file says so', async () => {
    commit(noteFile(), noteText('Here.').replace('scope: portable', 'scope: machine-local'));
    const answer = await syncStore(memory);
    expect(answer).toMatchObject({ outcome: 'refused', trouble: { code: 'note-private' } });
    expect(answer.trouble?.message).toContain(`memory/${noteFile()}, which says scope: machine-local`);
  });

  it.each([
    ['its own', (path: string) => path],
    ['another', () => noteFile()],
  ])('is not published when its id is that of a note in local/, under %s name', async (_, nameOf) => {
    const { id } = await writeNote(memory, { title: 'Here', scope: 'machine-local' });
    await memory.finish();
    const path = `semantic/${id.slice(-2)}/${id}.md`;
    const text = readFileSync(join(memory.journals.local.folder, path), 'utf8');
    commit(nameOf(path), text.replace('scope: machine-local', 'scope: portable'));
    const answer = await syncStore(memory);
    expect(answer).toMatchObject({ outcome: 'refused', trouble: { code: 'note-private' } });
    expect(answer.trouble?.next).toContain(`anamnesis purge ${id} --journal memory`);
    expect(personsGit(bare, 'ls-tree', '-r', '--name-only', 'main')).not.toContain(id);
  });
});

const id = '01J0000000000000000000000A';
const noteFile = (): string => `semantic/${id.slice(-2)}/${id}.md`;
const noteText = (body: string): string =>
  `---\nid: ${id}\ntype: semantic\ntitle: By hand\nscope: portable\n---\n${body}\n`;
