import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStatus } from '../../src/app/status.js';
import { undoEvent } from '../../src/app/undoing.js';
import { replayStore } from '../../src/maintenance/replaying.js';
import { verifyStore } from '../../src/maintenance/verifying.js';
import { currentGeneration } from '../../src/projections/generation.js';
import { openStore, personsGit, reachableObjects, type TestStore, writeCommand, writeNote } from '../support/store.js';

const idA = '01J0000000000000000000000A';
const file = (id: string, lines: readonly string[] = [], body = 'text\n'): string =>
  ['---', `id: ${id}`, 'type: semantic', 'title: By hand', ...lines, '---', body].join('\n');

describe('bad input', () => {
  let store: TestStore;
  let folder = '';
  beforeEach(async () => {
    store = openStore();
    await store.memory.initialise();
    folder = store.memory.journals.portable.folder;
  });
  afterEach(async () => {
    await store.close();
  });

  const put = (name: string, content: string | Buffer): string => {
    const path = join(folder, 'semantic', name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  const total = async (): Promise<number> => (await store.memory.list({}, 1)).total;

  describe('an unreadable note file', () => {
    const cases: readonly (readonly [string, string | Buffer, RegExp])[] = [
      ['code as front matter', '---js\nglobalThis.hacked = true\n---\nbody\n', /never code/],
      ['broken YAML', `---\nid: ${idA}\ntitle: "open\n---\nbody\n`, /not valid YAML/],
      ['duplicate keys', `---\nid: ${idA}\ntitle: a\ntitle: b\n---\n`, /^line 4: .*duplicated/],
      ['a key of the wrong type', file(idA, ['tags: {a: 1}']), /^line 5: tags: must be a list/],
      ['a NUL byte', file(idA, [], 'a\0b'), /NUL/],
      ['invalid UTF-8', Buffer.concat([Buffer.from(file(idA)), Buffer.from([0xff, 0xfe])]), /UTF-8/],
      ['an id that points outside the store', file('../../../etc/passwd'), /not a ULID/],
      ['no content yet', '', /empty/],
    ];
    it.each(cases)('with %s is reported, left unchanged and blocks nothing else', async (_, content, reason) => {
      const path = put(`0A/${idA}.md`, content);
      const note = await writeNote(store.memory);
      const settled = await store.memory.adopt('hold');
      expect(settled.portable.left).toEqual([{ path: `semantic/0A/${idA}.md`, reason: expect.stringMatching(reason) }]);
      // Callers print the path next to the reason.
      expect(settled.portable.left[0]?.reason).not.toContain(idA);
      expect(readFileSync(path)).toEqual(Buffer.from(content));
      expect((await readStatus(store.memory)).left).toHaveLength(1);
      expect((await store.memory.show(note.id)).ok).toBe(true);
      expect(globalThis).not.toHaveProperty('hacked');
    });

    it('is skipped, counted and reported when a person committed it', async () => {
      put(`0A/${idA}.md`, '---js\nglobalThis.hacked = true\n---\n');
      await writeNote(store.memory);
      personsGit(folder, 'add', '-A');
      personsGit(folder, 'commit', '-qm', 'mine');
      const { skipped, total: notes } = await readStatus(store.memory);
      expect(notes).toBe(1);
      expect(skipped).toMatchObject([{ path: `semantic/0A/${idA}.md`, code: 'front-matter-language', line: 1 }]);
      expect((await replayStore(store.memory, { verify: true })).verified).toBe(true);
      expect((await verifyStore(store.memory)).problems).toMatchObject([{ kind: 'unreadable-note' }]);
    });
  });

  it.each([
    ['a byte order mark', `\ufeff${file(idA)}`],
    ['CRLF line endings', file(idA).replaceAll('\n', '\r\n')],
    ['bare dates', file(idA, ['created_at: 2026-01-02', 'updated_at: 2026-01-03'])],
    ['10 MiB of text', file(idA, [], 'long line of text\n'.repeat(600_000))],
  ])('adopts a hand-made note with %s byte for byte', async (_, content) => {
    const path = put(`0A/${idA}.md`, content);
    await store.memory.adopt('hold');
    const shown = await store.memory.show(idA);
    expect(shown).toMatchObject({ ok: true, answer: { title: 'By hand' } });
    expect(readFileSync(path).equals(Buffer.from(content))).toBe(true);
    await store.memory.finish();
    expect(personsGit(folder, 'status', '--porcelain')).toBe('');
  });

  it('follows no link, whether to a note or to a folder of notes', async () => {
    const outside = join(store.home, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, `${idA}.md`), file(idA));
    mkdirSync(join(folder, 'semantic'), { recursive: true });
    symlinkSync(join(outside, `${idA}.md`), join(folder, 'semantic', `${idA}.md`));
    symlinkSync(outside, join(folder, 'procedural'));
    const settled = await store.memory.adopt('hold');
    expect(settled.portable.left.map(({ reason }) => reason)).toEqual(['not a folder', 'a symbolic link']);
    expect(await total()).toBe(0);
    const answer = await store.memory.perform(writeCommand({ type: 'procedural' }));
    expect(answer).toMatchObject({ status: 'refused', refusal: { code: 'file-blocked' } });
    expect(readdirSync(outside)).toEqual([`${idA}.md`]);
  });

  it('reports a file whose name is not UTF-8', async () => {
    mkdirSync(join(folder, 'semantic'), { recursive: true });
    writeFileSync(
      Buffer.concat([Buffer.from(join(folder, 'semantic/')), Buffer.from([0xe9, 0x2e, 0x6d, 0x64])]),
      file(idA),
    );
    const note = await writeNote(store.memory);
    const settled = await store.memory.adopt('hold');
    expect(settled.portable.left).toMatchObject([{ reason: expect.stringContaining('UTF-8') }]);
    expect((await store.memory.show(note.id)).ok).toBe(true);
  });

  it('adopts notes that a .gitignore hides from git', async () => {
    writeFileSync(join(folder, '.gitignore'), '*.md\nsemantic/\n');
    put(`0A/${idA}.md`, file(idA));
    await store.memory.adopt('hold');
    expect(await total()).toBe(1);
    expect(personsGit(folder, 'ls-tree', '-r', '--name-only', 'main')).toContain(idA);
  });

  it('masks a secret in a note that was edited by hand', async () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const path = put(`0A/${idA}.md`, file(idA, [], `token ${secret}\n`));
    const settled = await store.memory.adopt('hold');
    expect(settled.portable.masked).toEqual([{ kind: 'github-token', count: 1 }]);
    expect(readFileSync(path, 'utf8')).not.toContain(secret);
    expect(personsGit(folder, 'log', '-p', 'main')).not.toContain(secret);
  });

  it('masks a secret in a note that a person committed', async () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    await writeNote(store.memory);
    await store.memory.finish();
    put(`0A/${idA}.md`, file(idA, [], `token ${secret}\n`));
    personsGit(folder, 'add', '-A');
    personsGit(folder, 'commit', '-qm', 'mine');
    const settled = await store.memory.adopt('hold');
    expect(settled.portable.masked).toEqual([{ kind: 'github-token', count: 1 }]);
    expect(await store.memory.show(idA)).toMatchObject({ answer: { body: 'token [REDACTED:github-token]\n' } });
    expect(personsGit(folder, 'show', `main:semantic/0A/${idA}.md`)).not.toContain(secret);
  });

  describe('a person who works on the same files', () => {
    it('loses nothing by running git add -A and git commit between writes', async () => {
      const first = await writeNote(store.memory, { title: 'first' });
      put(`0A/${idA}.md`, file(idA));
      personsGit(folder, 'add', '-A');
      const second = await writeNote(store.memory, { title: 'second' });
      await store.memory.finish();
      personsGit(folder, 'commit', '-qm', 'mine');
      const third = await writeNote(store.memory, { title: 'third' });
      for (const id of [first.id, second.id, third.id, idA]) expect((await store.memory.show(id)).ok).toBe(true);
      expect((await replayStore(store.memory, { verify: true })).verified).toBe(true);
    });

    it('undoes what a commit from a git index older than our latest writes reverted', async () => {
      const first = await writeNote(store.memory, { title: 'first', body: 'old text\n' });
      await store.memory.finish();
      const stale = readFileSync(join(folder, '.git', 'index'));
      await store.memory.perform({ kind: 'edit', id: first.id, set: { body: 'new text\n' } });
      const second = await writeNote(store.memory, { title: 'second' });
      await store.memory.finish();
      writeFileSync(join(folder, '.git', 'index'), stale);
      personsGit(folder, 'commit', '--allow-empty', '-qm', 'mine');
      await writeNote(store.memory, { title: 'third' });
      const commit = (await store.memory.events({ note: first.id }, 10)).find(({ kind }) => kind === 'hand.adopted');
      expect((await undoEvent(store.memory, commit?.id ?? 'none')).ok).toBe(true);
      expect(await store.memory.show(first.id)).toMatchObject({ answer: { body: 'new text\n' } });
      expect((await store.memory.show(second.id)).ok).toBe(true);
    });

    it('can merge a branch and sees every note it brought', async () => {
      await writeNote(store.memory);
      await store.memory.finish();
      personsGit(folder, 'switch', '-qc', 'side');
      put(`0A/${idA}.md`, file(idA));
      personsGit(folder, 'add', '-A');
      personsGit(folder, 'commit', '-qm', 'on the side');
      personsGit(folder, 'switch', '-q', 'main');
      await writeNote(store.memory, { title: 'on main' });
      await store.memory.finish();
      personsGit(folder, 'merge', '-q', '--no-ff', '-m', 'merged', 'side');
      await writeNote(store.memory, { title: 'after' });
      expect((await store.memory.show(idA)).ok).toBe(true);
      expect(await store.memory.events({ note: idA }, 10)).toHaveLength(1);
      expect((await replayStore(store.memory, { verify: true })).verified).toBe(true);
    });

    it('is told when HEAD is detached, and nothing is written', async () => {
      await writeNote(store.memory);
      await store.memory.finish();
      personsGit(folder, 'checkout', '-q', '--detach');
      await expect(store.memory.perform(writeCommand())).rejects.toMatchObject({ code: 'head-elsewhere' });
      personsGit(folder, 'switch', '-q', 'main');
      expect((await store.memory.perform(writeCommand())).status).toBe('recorded');
    });

    it('keeps both texts when a command edits the same note', async () => {
      const note = await writeNote(store.memory, { body: 'one\ntwo\nthree\n' });
      const shown = await store.memory.show(note.id);
      const path = shown.ok ? (shown.answer.path ?? '') : '';
      writeFileSync(path, readFileSync(path, 'utf8').replace('three', 'three by hand'));
      await store.memory.perform({ kind: 'edit', id: note.id, set: { title: 'Renamed' } });
      expect(await store.memory.show(note.id)).toMatchObject({
        answer: { title: 'Renamed', body: 'one\ntwo\nthree by hand\n' },
      });
    });

    it('loses nothing by saving a file while a command writes it', async () => {
      const note = await writeNote(store.memory, { body: 'one\ntwo\nthree\n' });
      const path = (await pathOf(note.id)) ?? '';
      await store.memory.finish();
      let saved = false;
      const racing = openStore({
        home: store.home,
        step: (name) => {
          if (name !== 'put' || saved) return;
          saved = true;
          writeFileSync(path, readFileSync(path, 'utf8').replace('three', 'three by hand'));
        },
      });
      await racing.memory.perform({ kind: 'edit', id: note.id, set: { body: 'one by command\ntwo\nthree\n' } });
      await racing.close();
      expect(saved).toBe(true);
      expect(await store.memory.show(note.id)).toMatchObject({
        answer: { body: 'one by command\ntwo\nthree by hand\n' },
      });
      expect((await replayStore(store.memory, { verify: true })).verified).toBe(true);
    });

    it('finds their conflicting text in a separate note', async () => {
      const note = await writeNote(store.memory, { body: 'one line\n' });
      const path = (await pathOf(note.id)) ?? '';
      await store.memory.finish();
      let saved = false;
      const racing = openStore({
        home: store.home,
        step: (name) => {
          if (name !== 'put' || saved) return;
          saved = true;
          writeFileSync(path, readFileSync(path, 'utf8').replace('one line', 'the line by hand'));
        },
      });
      await racing.memory.perform({ kind: 'edit', id: note.id, set: { body: 'the line by command\n' } });
      await racing.close();
      expect(await store.memory.show(note.id)).toMatchObject({ answer: { body: 'the line by command\n' } });
      const { hits } = await store.memory.search('line by hand', {});
      expect(hits.map((hit) => hit.title)).toContain('Use WAL mode (conflicting edit)');
    });

    it('may keep the store inside their own repository', async () => {
      personsGit(store.home, 'init', '-q', '-b', 'main');
      const note = await writeNote(store.memory);
      await store.memory.finish();
      expect((await store.memory.show(note.id)).ok).toBe(true);
      expect(personsGit(store.home, 'rev-list', '--all', '--count').trim()).toBe('0');
    });

    it('forgets a note by removing its file, while removing many waits for confirmation', async () => {
      const notes = [];
      for (let at = 0; at < 9; at += 1) notes.push(await writeNote(store.memory, { title: `n${at}` }));
      rmSync((await pathOf(notes[0]!.id)) ?? '');
      await store.memory.adopt('hold');
      expect(await total()).toBe(8);
      for (const name of readdirSync(folder)) if (name !== '.git') rmSync(join(folder, name), { recursive: true });
      const held = await store.memory.adopt('hold');
      expect(held.portable.heldDeletions).toHaveLength(8);
      expect(await total()).toBe(8);
      expect((await store.memory.search('Readers', {})).hits).toHaveLength(8);
      await store.memory.adopt('put-back');
      expect(existsSync((await pathOf(notes[3]!.id)) ?? '')).toBe(true);
    });
  });

  const pathOf = async (id: string): Promise<string | undefined> => {
    const shown = await store.memory.show(id);
    return shown.ok ? shown.answer.path : undefined;
  };

  describe('an index file that is', () => {
    const damage: readonly (readonly [string, (file: string) => void])[] = [
      ['truncated', (path) => truncateSync(path, 5000)],
      ['zeroed', (path) => writeFileSync(path, Buffer.alloc(20_000))],
      ['gone', (path) => rmSync(path)],
      [
        'of a newer schema',
        (path) => {
          const database = new Database(path);
          database.pragma('user_version = 99');
          database.close();
        },
      ],
    ];
    it.each(damage)('%s while it is open is rebuilt, and answers stay right', async (_, harm) => {
      const note = await writeNote(store.memory, { title: 'Findable pelican' });
      expect((await store.memory.search('pelican', {})).hits).toHaveLength(1);
      harm(currentGeneration(join(store.home, 'index')) ?? '');
      const fresh = openStore({ home: store.home });
      expect((await fresh.memory.search('pelican', {})).hits.map((hit) => hit.id)).toEqual([note.id]);
      await fresh.close();
      expect((await store.memory.search('pelican', {})).hits.map((hit) => hit.id)).toEqual([note.id]);
      await writeNote(store.memory, { title: 'Second pelican' });
      expect((await store.memory.search('pelican', {})).hits).toHaveLength(2);
    });
  });

  it('recovers from a missing state.db: stale files are updated and hand edits adopted', async () => {
    const note = await writeNote(store.memory, { body: 'old\n' });
    const other = await writeNote(store.memory, { title: 'other', body: 'kept\n' });
    const path = (await pathOf(note.id)) ?? '';
    const old = readFileSync(path);
    await store.memory.perform({ kind: 'edit', id: note.id, set: { body: 'new\n' } });
    await store.memory.finish();
    for (const end of ['', '-wal', '-shm']) rmSync(join(store.home, `state.db${end}`), { force: true });
    writeFileSync(path, old);
    const otherPath = (await pathOf(other.id)) ?? '';
    writeFileSync(otherPath, readFileSync(otherPath, 'utf8').replace('kept', 'kept and edited'));
    await writeNote(store.memory, { title: 'third' });
    expect(await store.memory.show(note.id)).toMatchObject({ answer: { body: 'new\n' } });
    expect(await store.memory.show(other.id)).toMatchObject({ answer: { body: 'kept and edited\n' } });
    expect(await store.memory.events({ kind: 'hand.adopted' }, 10)).toHaveLength(1);
  });

  it('gets past lock files left by a killed git', async () => {
    await writeNote(store.memory);
    const old = new Date(Date.now() - 60_000);
    for (const name of ['index.lock', 'refs/heads/main.lock']) {
      writeFileSync(join(folder, '.git', name), '');
      utimesSync(join(folder, '.git', name), old, old);
    }
    expect((await store.memory.perform(writeCommand({ title: 'after' }))).status).toBe('recorded');
    await store.memory.finish();
    expect(personsGit(folder, 'status', '--porcelain')).toBe('');
  });

  it('adopts, in one event, a folder of notes that is not yet a repository', async () => {
    const other = openStore();
    const notes = join(other.home, 'memory', 'semantic');
    mkdirSync(notes, { recursive: true });
    for (let at = 0; at < 5; at += 1)
      writeFileSync(join(notes, `01J000000000000000000000${at}A.md`), file(`01J000000000000000000000${at}A`));
    await other.memory.initialise();
    expect(await other.memory.events({}, 10)).toMatchObject([{ kind: 'hand.adopted', noteCount: 5 }]);
    expect((await other.memory.list({}, 10)).total).toBe(5);
    await other.close();
  });

  it('writes a note under umask 0', async () => {
    const before = process.umask(0);
    try {
      const note = await writeNote(store.memory);
      expect(readFileSync((await pathOf(note.id)) ?? '').length).toBeGreaterThan(0);
    } finally {
      process.umask(before);
    }
    chmodSync(store.home, 0o700);
    expect(reachableObjects(folder).size).toBeGreaterThan(0);
  });
});
