/** A remote whose commits have forged metadata: none of it becomes a command, a name or a ref. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GitFolders, runGit } from '../../src/events/git/git-process.js';
import { setRemote } from '../../src/sync/remote.js';
import { type SyncAnswer, syncStore } from '../../src/sync/syncing.js';
import { anyCharacter } from '../support/any-character.js';
import { fileOf, writeTrees } from '../support/hostile-trees.js';
import { openStore, personsGit, type TestStore, temporaryFolder, writeNote } from '../support/store.js';

const noteId = '01J0000000000000000000000A';
const theirs = `---\nid: ${noteId}\ntype: semantic\ntitle: Theirs\n---\nText of theirs.\n`;

let folder = '';
let store: TestStore;
let first: GitFolders;
let second = '';
beforeEach(async () => {
  folder = temporaryFolder();
  for (const name of ['first.git', 'second.git'])
    personsGit(folder, 'init', '--quiet', '--bare', '--initial-branch=main', join(folder, name));
  first = { gitDir: join(folder, 'first.git'), workTree: folder };
  second = join(folder, 'second.git');
  mkdirSync(join(folder, 'home'));
  store = openStore({ home: join(folder, 'home'), machine: 'laptop' });
  await writeNote(store.memory, { title: 'Ours' });
  await setRemote(store.memory, first.gitDir);
  expect(await sync()).toMatchObject({ outcome: 'synced' });
  personsGit(first.gitDir, 'update-ref', 'refs/heads/base', 'main');
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const sync = (options: Parameters<typeof syncStore>[1] = {}): Promise<SyncAnswer> =>
  syncStore(store.memory, { environment: {}, ...options });
const git = async (args: readonly string[], input?: Iterable<Buffer | string>): Promise<string> =>
  (await runGit(first, args, input)).toString('latin1').trim();

type ForgedCommit = {
  readonly message: Buffer | string;
  readonly author?: string;
  readonly head?: string;
};

/** Pushes a commit of exactly these bytes, as another person who adds a note. */
const push = async ({ message, author = 'M <m@example.com> 1700000000 +0000', head = '' }: ForgedCommit) => {
  const parent = await git(['rev-parse', 'main']);
  const files = (await git(['ls-tree', '-r', '-z', 'main']))
    .split('\0')
    .filter((line) => line !== '' && !line.endsWith(`${noteId}.md`));
  const entries = files.map((line): [string, { mode: string; id: string }] => {
    const [info = '', path = ''] = line.split('\t');
    const [fileMode = '', , id = ''] = info.split(' ');
    return [path, { mode: fileMode, id }];
  });
  const file = await fileOf(first, theirs);
  const tree = await writeTrees(first, [...entries, [`semantic/0A/${noteId}.md`, file]]);
  const lines = `tree ${tree}\nparent ${parent}\nauthor ${author}\ncommitter ${author}\n${head}\n`;
  const commit = await git(
    ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'],
    [Buffer.from(lines), typeof message === 'string' ? Buffer.from(message) : message],
  );
  await git(['update-ref', 'refs/heads/main', commit]);
};

const trailersOf = (fields: Readonly<Record<string, string>>): string => {
  const all = {
    Format: '1',
    Event: '01J0000000000000000000000E',
    Kind: 'note.written',
    At: '2026-06-24T18:33:07+00:00',
    Note: noteId,
    ...fields,
  };
  return `note.written: Theirs\n\n${Object.entries(all)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')}`;
};

const refs = (): readonly string[] =>
  personsGit(join(store.home, 'memory'), 'for-each-ref', '--format=%(refname)').trim().split('\n');
const expectedRef =
  /^refs\/(?:heads\/main|anamnesis\/(?:head|remote|incoming|building|rescue\/(?:withheld\/)?[0-9A-Z]{26}|machines\/laptop))$/;

/** Syncs, then accepts a second remote with another history; notes written afterwards stay. */
const syncToSecondRemote = async (): Promise<void> => {
  expect(await sync()).toMatchObject({ outcome: 'synced', trouble: null });
  await writeNote(store.memory, { title: 'Next' });
  personsGit(second, 'fetch', '-q', first.gitDir, '+base:main');
  const root = personsGit(second, 'commit-tree', '-m', 'elsewhere', '-p', 'main', 'main^{tree}').trim();
  personsGit(second, 'update-ref', 'refs/heads/main', root);
  await setRemote(store.memory, second);
  expect(await sync()).toMatchObject({ outcome: 'refused' });
  expect(await sync({ acceptRewrite: true })).toMatchObject({ outcome: 'synced' });
  await writeNote(store.memory, { title: 'Later' });
  expect(await sync()).toMatchObject({ outcome: 'synced' });
  const { notes } = await store.memory.list({}, 100);
  expect(notes.map(({ title }) => title).toSorted()).toEqual(['Later', 'Next', 'Ours', 'Theirs']);
  for (const { id } of notes) expect((await store.memory.show(id)).ok).toBe(true);
  for (const ref of refs()) expect(ref).toMatch(expectedRef);
  expect(personsGit(second, 'for-each-ref', '--format=%(refname)').trim().split('\n')).toEqual([
    'refs/anamnesis/machines/laptop',
    'refs/heads/main',
  ]);
  expect(personsGit(second, 'ls-tree', '-r', '--name-only', 'main').trim().split('\n')).toHaveLength(4);
  const authors = personsGit(second, 'log', '--format=%ae', `${root}..main`).trim().split('\n');
  for (const author of authors) expect(author).toMatch(/^anamnesis@[A-Za-z0-9._-]{1,64}$/);
};

/** fast-import commands that a line break in an author's name would inject. */
const command = 'x> 1 +0000\ncommitter x <x> 1 +0000\ndata 0\n\nreset refs/heads/pwned\nfrom refs/heads/main\n\n';

describe('a foreign commit is pulled and its note taken to another remote', () => {
  it.each<[string, ForgedCommit]>([
    ['its machine name contains commands', { message: trailersOf({ Machine: JSON.stringify(command) }) }],
    ['its machine name contains a bracket', { message: trailersOf({ Machine: 'a<b' }) }],
  ])('even if %s', async (_, forged) => {
    await push(forged);
    await syncToSecondRemote();
  });

  it('even if its trailers, author and time are arbitrary', async () => {
    const keys = ['Machine', 'By', 'Reason', 'User', 'Project', 'Session', 'Agent', 'Command-Id', 'Move', 'Undoes'];
    const anyValue = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 30 }).map((text) => JSON.stringify(text)),
      fc.constantFrom(JSON.stringify(command), 'a<b', `local ${'a'.repeat(40)} ../x`, '"', '\x1b[2J', '\xe9'),
    );
    const anyFields = fc.dictionary(fc.constantFrom(...keys, 'Lost', 'Adopted', 'Kind', 'At'), anyValue);
    const messages = fc.sample(anyFields, { numRuns: 30, seed: 10 });
    for (const [at, fields] of messages.entries()) {
      const event = `01J00000000000000000000${String(100 + at)}`;
      await push({ message: Buffer.from(trailersOf({ Event: event, ...fields }), at % 2 === 0 ? 'utf8' : 'latin1') });
    }
    await push({ message: 'hello\n', author: 'x <anamnesis@a b> 1700000000 +0000' });
    await push({ message: 'hello\n', author: 'x <x@y> 9999999999999 +0000' });
    await push({ message: Buffer.from('h\xe9\n', 'latin1'), head: 'encoding ISO-8859-1\n' });
    await push({ message: 'hello\n', head: 'encoding "x\\ y\n' });
    await syncToSecondRemote();
  });
});

it('a remote that overwrites the ref of this machine stops nothing', async () => {
  await git(['update-ref', 'refs/anamnesis/machines/laptop', (await fileOf(first, 'no commit')).id]);
  await push({ message: 'hello\n' });
  await writeNote(store.memory, { title: 'Next' });
  await sync();
  expect((await store.memory.list({}, 9)).total).toBe(3);
  expect((await writeNote(store.memory, { title: 'Later' })).title).toBe('Later');
});

it('a commit message over 32 MiB is refused before anything reads it, and writing still works', async () => {
  await push({ message: Buffer.alloc(32 * 1024 ** 2 + 1, 'x') });
  expect(await sync()).toMatchObject({ outcome: 'refused', trouble: { code: 'remote-hostile' } });
  expect((await store.memory.list({}, 9)).total).toBe(1);
  expect((await writeNote(store.memory, { title: 'Later' })).title).toBe('Later');
});
