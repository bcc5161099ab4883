/** A repository made to attack: it is refused or accepted, and nothing outside the store is read, written or run. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readStatus } from '../../src/app/status.js';
import { type GitFolders, runGit } from '../../src/events/git/git-process.js';
import { replayStore } from '../../src/maintenance/replaying.js';
import { verifyStore } from '../../src/maintenance/verifying.js';
import type { Memory } from '../../src/store/memory.js';
import { type SyncAnswer, syncStore } from '../../src/sync/syncing.js';
import {
  commitForeign,
  commitTree,
  type Entry,
  fileOf,
  folderOf,
  linkTo,
  submodule,
  writeTree,
} from '../support/hostile-trees.js';
import { personsGit, writeNote } from '../support/store.js';
import { tellOnce } from '../support/template-machines.js';
import { useStore } from '../support/use-store.js';

const idA = '01J0000000000000000000000A';
const idB = '01J0000000000000000000000B';
const note = (id: string, title: string, lines: readonly string[] = []): string =>
  ['---', `id: ${id}`, 'type: semantic', `title: ${title}`, ...lines, '---', `Text of ${title}.\n`].join('\n');

/** A machine with one note, which the remote has too. */
const machineWithNote = tellOnce(async (machines) => {
  const one = await machines.open('one');
  await writeNote(one, { title: 'Ours' });
  await machines.sync(one);
});

describe('a hostile tree', () => {
  let memory: Memory;
  let folders: GitFolders;
  let remote: GitFolders;
  let outside = '';
  let backup = '';
  beforeEach(async () => {
    const { machines } = await machineWithNote();
    memory = await machines.open('one');
    folders = memory.journals.portable.folders;
    remote = { gitDir: join(machines.folder, 'remote.git'), workTree: machines.folder };
    outside = join(memory.settings.home, 'outside');
    backup = join(memory.settings.home, 'backup.anamnesis');
    mkdirSync(outside);
    writeFileSync(join(outside, `${idA}.md`), note(idA, 'Secret'));
  });

  const file = (content: Buffer | string): Promise<Entry> => fileOf(remote, content);
  /** Pushes a commit with these entries as another person, null to remove one, and syncs. */
  const arrive = async (...entries: readonly (readonly [string, Entry | null])[]): Promise<SyncAnswer> => {
    await commitForeign(remote, entries);
    return syncStore(memory);
  };
  const isThere = (path: string): boolean => existsSync(join(folders.workTree, path));
  const titles = async (): Promise<readonly string[]> =>
    (await memory.list({}, 100)).notes.map(({ title }) => title).toSorted();
  /** The reason by path for every file that status reports as left to git. */
  const named = async (): Promise<Readonly<Record<string, string>>> => {
    const { left, skipped } = await readStatus(memory);
    return Object.fromEntries([
      ...left.map(({ path, reason }) => [path, reason]),
      ...skipped.map(({ path, message }) => [path, message]),
    ]);
  };

  it('with links causes no reads or writes outside the store', async () => {
    await arrive(
      [`semantic/0A/${idA}.md`, await linkTo(remote, join(outside, `${idA}.md`))],
      [`semantic/0B/${idB}.md`, await linkTo(remote, '../../../outside/new.md')],
      ['semantic/folder', await linkTo(remote, outside)],
      ['procedural', await linkTo(remote, '../outside')],
      ['passwd.md', await linkTo(remote, '/etc/passwd')],
    );
    await useStore(memory, backup);
    expect(await titles()).toEqual(['Ours']);
    expect(await named()).toEqual({
      [`semantic/0A/${idA}.md`]: 'a symbolic link',
      [`semantic/0B/${idB}.md`]: 'a symbolic link',
      'semantic/folder': 'a symbolic link',
      procedural: 'a symbolic link',
      'passwd.md': 'a symbolic link',
    });
    for (const path of ['semantic/0A', 'semantic/folder', 'procedural', 'passwd.md']) expect(isThere(path)).toBe(false);
    expect(readdirSync(outside)).toEqual([`${idA}.md`]);
    expect(readFileSync(join(outside, `${idA}.md`), 'utf8')).toBe(note(idA, 'Secret'));
  });

  it('that replaces a folder of notes with a link removes the notes, and the link is not followed', async () => {
    await arrive([`semantic/0A/${idA}.md`, await file(note(idA, 'Theirs'))]);
    expect(await titles()).toEqual(['Ours', 'Theirs']);
    await arrive([`semantic/0A/${idA}.md`, null], ['semantic/0A', await linkTo(remote, outside)]);
    await useStore(memory, backup);
    expect(await titles()).toEqual(['Ours']);
    expect(readdirSync(outside)).toEqual([`${idA}.md`]);
    expect(isThere('semantic/0A')).toBe(false);
  });

  const tricks: readonly string[] = [
    `semantic/.git/${idA}.md`,
    `semantic/.GIT/hooks/${idA}.md`,
    `semantic/git~1/${idA}.md`,
    `semantic/../../${idA}.md`,
    `semantic/./${idA}.md`,
  ];

  it.each(['.git/hooks/post-commit', ...tricks])('with names reserved by git is refused: %s', async (path) => {
    const head = memory.journals.portable.head();
    const answer = await arrive([path, { ...(await file(note(idA, 'Hostile'))), mode: '100755' }]);
    expect(answer.outcome).toBe('refused');
    expect(answer.trouble?.next).toMatch(/\w/);
    expect(memory.journals.portable.head()).toBe(head);
    expect((await writeNote(memory, { title: 'Next' })).title).toBe('Next');
    expect(existsSync(join(folders.gitDir, 'hooks'))).toBe(false);
  });

  it('with names reserved by git has none of them checked out when a person committed it here', async () => {
    const hostile = await fileOf(folders, note(idA, 'Hostile'));
    await commitForeign(folders, [
      ...tricks.map((path) => [path, hostile] as const),
      ['.git/hooks/post-commit', { ...hostile, mode: '100755' }],
    ]);
    await memory.adopt('hold');
    await writeNote(memory, { title: 'Next' });
    expect(await replayStore(memory, { verify: true })).toMatchObject({ verified: true });
    expect(await titles()).toEqual(['Next', 'Ours']);
    expect(Object.keys(await named()).toSorted()).toEqual(tricks.toSorted());
    expect(existsSync(join(folders.gitDir, 'hooks'))).toBe(false);
    expect(readdirSync(join(folders.workTree, 'semantic'))).not.toContain('.git');
  });

  it.each([
    ['an update command', '\tupdate = !touch RAN\n', 'https://example.com/x'],
    ['a transport that is a command', '', 'ext::sh -c touch% RAN'],
    ['an option as its address', '', '--upload-pack=touch RAN'],
    ['a path outside the store', '\tpath = ../../outside\n', 'https://example.com/x'],
  ])('with a submodule whose .gitmodules names %s runs nothing and stops nothing', async (_, lines, url) => {
    const ran = join(memory.settings.home, 'ran');
    const section = (name: string): string => `[submodule "${name}"]\n\tpath = semantic/sub\n\turl = ${url}\n${lines}`;
    const content = (section('../x') + section('semantic/sub')).replaceAll('RAN', ran);
    const answer = await arrive(['semantic/sub', submodule], ['.gitmodules', await file(content)]);
    expect(answer.outcome).toBe('refused');
    // A person's own commit is not checked first.
    await commitForeign(folders, [
      ['semantic/sub', submodule],
      ['.gitmodules', await fileOf(folders, content)],
    ]);
    writeFileSync(join(folders.workTree, '.gitmodules'), content);
    await useStore(memory, backup);
    expect(await named()).toEqual({ 'semantic/sub': 'a repository inside this one' });
    expect(isThere('semantic/sub')).toBe(false);
    expect(existsSync(ran)).toBe(false);
  });

  it('with an ordinary submodule is accepted', async () => {
    const modules = '[submodule "sub"]\n\tpath = semantic/sub\n\turl = https://example.com/x\n';
    await arrive(['semantic/sub', submodule], ['.gitmodules', await file(modules)]);
    await useStore(memory, backup);
    expect(await named()).toEqual({ 'semantic/sub': 'a repository inside this one' });
    expect(isThere('semantic/sub')).toBe(false);
  });

  it('with a file that is too large leaves it to git and reports it', async () => {
    const large = await file(Buffer.concat([Buffer.from(note(idA, 'Large')), Buffer.alloc(33 * 1024 ** 2, 'a')]));
    await arrive([`semantic/0A/${idA}.md`, large], [`semantic/0B/${idB}.md`, await file(note(idB, 'Small'))]);
    await useStore(memory, backup);
    expect(await titles()).toEqual(['Ours', 'Small']);
    expect(isThere(`semantic/0A/${idA}.md`)).toBe(false);
    expect(await named()).toEqual({
      [`semantic/0A/${idA}.md`]: expect.stringMatching(/^too large for a note: \d+ bytes/),
    });
    expect((await verifyStore(memory)).problems).toMatchObject([
      { kind: 'unreadable-note', detail: expect.stringContaining('too large') },
    ]);
    await arrive([`semantic/0A/${idA}.md`, await file(note(idA, 'Small again'))]);
    await useStore(memory, backup.replace('backup', 'second'));
    expect(await titles()).toEqual(['Ours', 'Small', 'Small again']);
    expect(isThere(`semantic/0A/${idA}.md`)).toBe(true);
  });

  it('in which a note grows too large leaves its last text in the file and records nothing', async () => {
    await arrive([`semantic/0A/${idA}.md`, await file(note(idA, 'Theirs'))]);
    await arrive([`semantic/0A/${idA}.md`, await file(Buffer.alloc(33 * 1024 ** 2, 'a'))]);
    const events = (await memory.events({}, 1000)).length;
    const settled = await memory.adopt('hold');
    expect(settled.portable).toMatchObject({
      event: undefined,
      heldDeletions: [],
      left: [{ path: `semantic/0A/${idA}.md`, reason: expect.stringContaining('too large') }],
    });
    expect(await memory.events({}, 1000)).toHaveLength(events);
    expect(readFileSync(join(folders.workTree, `semantic/0A/${idA}.md`), 'utf8')).toBe(note(idA, 'Theirs'));
    expect(await titles()).toEqual(['Ours']);
    await useStore(memory, backup);
  });

  it('that changes a note keeps our oversized text of it beside the note', async () => {
    const path = `semantic/0A/${idA}.md`;
    await arrive([path, await file(note(idA, 'Theirs'))]);
    const large = Buffer.concat([Buffer.from(note(idA, 'Mine')), Buffer.alloc(33 * 1024 ** 2, 'a')]);
    writeFileSync(join(folders.workTree, path), large);
    await memory.finish();
    personsGit(folders.workTree, 'commit', '--quiet', '--all', '--message', 'mine');
    const mine = personsGit(folders.workTree, 'rev-parse', `main:${path}`).trim();
    expect(await arrive([path, await file(note(idA, 'Theirs again'))])).toMatchObject({ outcome: 'synced' });
    const tree = await memory.journals.portable.tree(memory.journals.portable.head() ?? '');
    expect(tree.filter(({ blob }) => blob === mine).map((entry) => entry.path)).toEqual([
      expect.stringMatching(new RegExp(`^semantic/0A/${idA}\\.md\\..+`)),
    ]);
    expect(await titles()).toEqual(['Ours', 'Theirs again']);
  });

  const replaceRoot = async (root: string): Promise<void> => {
    const head = (await runGit(remote, ['rev-parse', 'main'])).toString().trim();
    await runGit(remote, ['update-ref', 'refs/heads/main', await commitTree(remote, root, [head])]);
  };

  it('with 30 copies of one folder at each of 12 levels is refused, and the store still works', async () => {
    let tree = await writeTree(remote, [[`${idA}.md`, await file(note(idA, 'Bomb'))]]);
    for (let depth = 0; depth < 12; depth += 1) {
      tree = await writeTree(
        remote,
        Array.from({ length: 30 }, (_, at) => [`f${at}`, folderOf(tree)] as const),
      );
    }
    await replaceRoot(await writeTree(remote, [['semantic', folderOf(tree)]]));
    expect(await syncStore(memory)).toMatchObject({
      outcome: 'refused',
      trouble: { message: expect.stringMatching(/more than 2000000 files and folders/) },
    });
    await useStore(memory, backup);
    expect(await titles()).toEqual(['Ours']);
  });

  describe('with paths that differ only by case', () => {
    const first = `semantic/0A/${idA}.md`;
    const second = `semantic/0a/${idA}.md`;

    it('takes only the usual one for a note, whichever arrives first, and reports the other', async () => {
      await arrive([second, await file(note(idA, 'Second'))]);
      expect(await titles()).toEqual(['Ours']);
      await arrive([first, await file(note(idA, 'First'))]);
      await useStore(memory, backup);
      expect(await titles()).toEqual(['First', 'Ours']);
      expect(await named()).toEqual({ [second]: 'its path differs only by case from the usual one' });
      expect([isThere(first), isThere(second)]).toEqual([true, false]);
    });

    it('leaves alone a file of a person that could be mistaken for the note', async () => {
      await arrive([first, await file(note(idA, 'First'))]);
      mkdirSync(join(folders.workTree, 'semantic/0a'));
      writeFileSync(join(folders.workTree, second), note(idA, 'By hand'));
      const settled = await memory.adopt('hold');
      expect(settled.portable).toMatchObject({ event: undefined, left: [{ path: second }] });
      expect(readFileSync(join(folders.workTree, second), 'utf8')).toBe(note(idA, 'By hand'));
      expect(await titles()).toEqual(['First', 'Ours']);
    });
  });

  const oddFolders = {
    'a Windows device': 'con',
    'a Windows device with an extension': 'LPT1.notes',
    'a trailing dot': 'notes.',
    'a trailing space': 'notes ',
    'a colon': 'C:',
    'control characters': '\u001b]0;owned\u0007',
    '300 characters': 'n'.repeat(300),
  };
  it(`with folder names that some systems cannot hold is accepted: ${Object.keys(oddFolders).join(', ')}`, async () => {
    const names = Object.values(oddFolders);
    const paths = names.map((name, at) => `semantic/${name}/${idA.slice(0, -1)}${at}.md`);
    const odd = await file(note(idA, 'Odd'));
    await arrive(...paths.map((path) => [path, odd] as const));
    await useStore(memory, backup);
    expect(await titles()).toEqual(['Ours']);
    expect(Object.keys(await named()).toSorted()).toEqual(paths.toSorted());
    const checkedOut = readdirSync(join(folders.workTree, 'semantic'));
    expect(names.filter((name) => checkedOut.includes(name))).toEqual([]);
  });

  const laughs = (): readonly string[] => {
    const lines = ['a: &a [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]'];
    for (let at = 1; at < 12; at += 1) {
      const before = String.fromCharCode(96 + at);
      const alias = `*${before}`;
      lines.push(
        `${String.fromCharCode(97 + at)}: &${String.fromCharCode(97 + at)} [${Array(10).fill(alias).join(', ')}]`,
      );
    }
    return lines;
  };
  const bombs: readonly (readonly [string, string | Buffer, RegExp])[] = [
    ['a billion laughs', note(idA, 'x', laughs()), /too long with its aliases expanded/],
    [
      'a tag of 100 kB, a hundred thousand times',
      note(idA, 'x', [`y: &y ${'a'.repeat(100_000)}`, `tags: [${Array(100_000).fill('*y').join(',')}]`]),
      /too long with its aliases expanded/,
    ],
    ['a list that contains itself', note(idA, 'x', ['y: &y [*y]']), /lists or maps nested more than 100 deep/],
    [
      '100,000 nested lists',
      note(idA, 'x', [`y: ${'['.repeat(100_000)}${']'.repeat(100_000)}`]),
      /nested more than 100 deep/,
    ],
    [
      '100,000 nested maps',
      note(idA, 'x', [`y: ${'{a: '.repeat(100_000)}${'}'.repeat(100_000)}`]),
      /nested more than 100 deep/,
    ],
    ...(['\n', '\r', '\u2028', '\n \u2029', '\t \r'] as const).map(
      (ends) =>
        [
          `a hundred thousand empty lines, ${JSON.stringify(ends)} each`,
          note(idA, 'x', ['y: [a]', ends.repeat(100_000)]),
          /100 empty lines/,
        ] as const,
    ),
    [
      'megabytes of keys',
      note(
        idA,
        'x',
        Array.from({ length: 200_000 }, (_, at) => `key${at}: [v]`),
      ),
      /too long/,
    ],
    ['code', `---js\nrequire('node:fs').writeFileSync('ran', '')\n---\n`, /never code/],
    ['a tag that creates code', note(idA, 'x', ['y: !!js/function "function () {}"']), /unknown tag/],
    ['a duplicate key', note(idA, 'x', ['y: 1', 'y: [2]']), /duplicated mapping key/],
    [
      'a number a megabyte long',
      note(idA, 'x', [`confidence: ${'9'.repeat(1_000_000)}`]),
      /^must be a number, not "9{100,200}…?/,
    ],
    ['an infinite number', note(idA, 'x', ['confidence: 1e999']), /must be a number/],
    ['an impossible time', note(idA, 'x', ['created_at: 999999-01-01']), /must be a time/],
    ['invalid UTF-8', Buffer.concat([Buffer.from(note(idA, 'x')), Buffer.from([0xc0, 0x80])]), /not valid UTF-8/],
    ['UTF-16', Buffer.from(note(idA, 'x'), 'utf16le'), /NUL/],
    ['a NUL', note(idA, 'x', ['y: a\0b']), /NUL/],
  ];
  it('with exploding front matter has each file skipped and reported, whatever reads it', async () => {
    const id = (n: number): string => `01J2000000000000000000${String(n).padStart(4, '0')}`;
    const entries: [string, Entry][] = [];
    for (const [at, [, content]] of bombs.entries()) entries.push([`semantic/bombs/${id(at)}.md`, await file(content)]);
    await arrive(...entries);
    await useStore(memory, backup);
    expect(await titles()).toEqual(['Ours']);
    const names = await named();
    for (const [at, [what, , reason]] of bombs.entries()) {
      const message = names[`semantic/bombs/${id(at)}.md`] ?? '';
      expect(message, what).toMatch(reason);
      expect(message.length, what).toBeLessThan(400);
    }
    expect(await replayStore(memory, { verify: true, workers: 2 })).toMatchObject({ verified: true });
  });

  it('may have JavaScript property names, merge keys and 90,000 keys in notes, which pollute nothing when read and edited', async () => {
    const lines: readonly (readonly string[])[] = [
      ['__proto__: {polluted: yes}', 'constructor: {prototype: {polluted: yes}}', 'toString: x'],
      ['base: {polluted: yes}', '<<: {a: b}'],
      Array.from({ length: 90_000 }, (_, at) => `k${at}: v`),
    ];
    const notes = lines.map((own, at) => ({ id: `${idA.slice(0, -1)}${at}`, title: `Odd keys ${at}`, own }));
    const entries = notes.map(async ({ id, title, own }) => {
      return [`semantic/0${id.slice(-1)}/${id}.md`, await file(note(id, title, own))] as const;
    });
    await arrive(...(await Promise.all(entries)));
    await useStore(memory, backup);
    expect(await titles()).toEqual([...notes.map(({ title }) => title), 'Ours']);
    for (const { id, title } of notes) {
      await memory.perform({ kind: 'edit', id, set: { body: 'Changed.\n' } });
      expect(await memory.show(id)).toMatchObject({ answer: { title, body: 'Changed.\n' } });
    }
    expect(({} as Readonly<Record<string, unknown>>)['polluted']).toBeUndefined();
  });

  it('with thousands of equal lines keeps a clashing hand edit in a conflict copy', async () => {
    const body = 'again\n'.repeat(20_000);
    const path = `semantic/0A/${idA}.md`;
    await arrive([path, await file(`${note(idA, 'Lines')}${body}`)]);
    writeFileSync(join(folders.workTree, path), `${note(idA, 'Lines')}${'mine\nagain\n'.repeat(5000)}`);
    await arrive([path, await file(`${note(idA, 'Lines')}theirs\n${body}theirs\n`)]);
    expect(await titles()).toEqual(['Lines', 'Lines (conflicting edit)', 'Ours']);
  });
});
