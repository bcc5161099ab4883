import { beforeEach, describe, expect, it } from 'vitest';
import type { GitJournal } from '../../../../src/events/git/git-journal.js';
import { type IncomingReport, incomingLimits, inspectIncoming } from '../../../../src/events/git/remote/incoming.js';
import {
  commitTree,
  type Entry,
  fileOf,
  folderOf,
  linkTo,
  submodule,
  writeRawTree,
  writeTree,
  writeTrees,
} from '../../../support/hostile-trees.js';
import { newJournal } from '../../../support/journals.js';

const id = (n: number): string => `01J00000000000000000${String(n).padStart(6, '0')}`;
const usual = (n: number): string => `semantic/${id(n).slice(-2)}/${id(n)}.md`;

describe('an incoming commit', () => {
  let journal: GitJournal;
  beforeEach(async () => {
    journal = (await newJournal()).journal;
  });

  const file = (content: Buffer | string = 'note\n'): Promise<Entry> => fileOf(journal.folders, content);
  const commit = async (...entries: readonly (readonly [string, Entry])[]): Promise<string> =>
    commitTree(journal.folders, await writeTrees(journal.folders, entries));
  const inspect = (to: string, limits: Partial<typeof incomingLimits> = {}): Promise<IncomingReport> =>
    inspectIncoming(journal, undefined, to, { ...incomingLimits, ...limits });

  it('is accepted as a whole, with the size of its notes, when nothing is unusual', async () => {
    const to = await commit(
      [usual(1), await file('12345')],
      [usual(2), await file('123')],
      [`procedural/My notes/${id(3)}.md`, await file('1')],
      ['README.md', await file('a long text that is not a note')],
      ['eval/cases.jsonl', await file('{}')],
    );
    expect(await inspect(to)).toEqual({ refused: undefined, carried: [], noteBytes: 9 });
  });

  it.each<readonly [string, (entries: { file: Entry; link: Entry; large: Entry }) => [string, Entry], RegExp]>([
    ['a link instead of a note', ({ link }) => [usual(9), link], /symbolic link/],
    ['a link instead of a folder', ({ link }) => ['semantic/ZZ', link], /symbolic link/],
    ['a link beside the notes', ({ link }) => ['passwd', link], /symbolic link/],
    ['a submodule', () => ['semantic/sub', submodule], /repository inside/],
    ['a file that is too large', ({ large }) => [usual(9), large], /too large for a note: 33554433 bytes/],
    ['a Windows device name', ({ file }) => [`semantic/com1.txt/${id(9)}.md`, file], /Windows/],
    ['a .git folder', ({ file }) => [`semantic/.GIT/${id(9)}.md`, file], /git/],
    [
      'a folder that climbs out',
      ({ file }) => [`semantic/../${id(9)}.md`, file],
      /a folder in its path is `\.` or `\.\.`/,
    ],
    [
      'a path of more than 1000 bytes',
      ({ file }) => [`semantic/${`${'a'.repeat(200)}/`.repeat(5)}${id(9)}.md`, file],
      /1000 bytes/,
    ],
    ['control characters', ({ file }) => [`semantic/\u001b[2J/${id(9)}.md`, file], /control/],
    ['another name', ({ file }) => ['semantic/notes.md', file], /<ULID>/],
  ])('is accepted with %s, which is listed as carried', async (what, make, reason) => {
    const large = what.includes('too large') ? await file(Buffer.alloc(32 * 1024 ** 2 + 1)) : await file();
    const odd = make({ file: await file(), link: await linkTo(journal.folders, '/etc/passwd'), large });
    const report = await inspect(await commit([usual(1), await file('good')], odd));
    expect(report).toEqual({
      refused: undefined,
      carried: [{ path: odd[0], reason: expect.stringMatching(reason) }],
      noteBytes: 4,
    });
  });

  it('lists the later of two paths that differ only by case as carried', async () => {
    const [first, second] = [`semantic/AB/${id(1)}.md`, `semantic/ab/${id(1)}.md`];
    const to = await commit([second, await file('second')], [first, await file('first')]);
    const report = await inspect(to);
    expect(report.carried).toEqual([{ path: second, reason: expect.stringContaining(first) }]);
    expect(report.noteBytes).toBe(5);
  });

  it('is inspected only where it differs from the local commit', async () => {
    const here = await commit([usual(1), await file('here')], ['old', await linkTo(journal.folders, '/')]);
    const to = await commit(
      [usual(1), await file('here')],
      ['old', await linkTo(journal.folders, '/')],
      [usual(2), await file('new one')],
      ['new', await linkTo(journal.folders, '/')],
    );
    expect(await inspectIncoming(journal, here, to)).toEqual({
      refused: undefined,
      carried: [{ path: 'new', reason: expect.stringContaining('symbolic link') }],
      noteBytes: 7,
    });
  });

  describe('is refused as a whole', () => {
    it('when a folder is nested in itself repeatedly', async () => {
      let tree = await writeTree(journal.folders, [[`${id(1)}.md`, await file()]]);
      for (let depth = 0; depth < 10; depth += 1) {
        tree = await writeTree(
          journal.folders,
          Array.from({ length: 20 }, (_, at) => [`f${at}`, folderOf(tree)] as const),
        );
      }
      const to = await commitTree(journal.folders, await writeTree(journal.folders, [['semantic', folderOf(tree)]]));
      expect((await inspect(to, { entries: 50_000 })).refused).toMatch(/more than 50000 files and folders/);
    });

    it('when it has millions of folders and no file', async () => {
      let tree = await writeTree(journal.folders, []);
      for (let depth = 0; depth < 10; depth += 1) {
        tree = await writeTree(
          journal.folders,
          Array.from({ length: 20 }, (_, at) => [`f${at}`, folderOf(tree)] as const),
        );
      }
      const to = await commitTree(journal.folders, tree);
      expect((await inspect(to, { entries: 50_000 })).refused).toMatch(/more than 50000 files and folders/);
    });

    it('when its folders are nested too deeply', async () => {
      const to = await commit([`semantic/${'a/'.repeat(300)}${id(1)}.md`, await file()]);
      expect((await inspect(to)).refused).toMatch(/more than 64 nested folders/);
    });

    it('when a path is longer than any system allows, before the folder at its end is read', async () => {
      const missing = folderOf('e'.repeat(40));
      const inside = await writeTree(journal.folders, [['b'.repeat(2100), missing]]);
      const to = await commitTree(
        journal.folders,
        await writeTree(journal.folders, [['a'.repeat(2100), folderOf(inside)]]),
      );
      expect((await inspect(to)).refused).toMatch(/a path of more than 4096 characters/);
    });

    it('when its paths, including those of empty folders, have too many characters together', async () => {
      const empty = folderOf(await writeTree(journal.folders, []));
      const inside = await writeTree(
        journal.folders,
        Array.from({ length: 50 }, (_, at) => [`d${at}`, empty] as const),
      );
      const to = await commitTree(
        journal.folders,
        await writeTree(journal.folders, [['a'.repeat(1000), folderOf(inside)]]),
      );
      expect((await inspect(to)).refused).toBe(undefined);
      expect((await inspect(to, { pathUnits: 40_000 })).refused).toMatch(/more than 40000 characters together/);
    });

    it('when its notes need more than may be checked out at once', async () => {
      const large = await file(Buffer.alloc(1024 ** 2));
      const to = await commit(...Array.from({ length: 20 }, (_, at) => [usual(at), large] as const));
      expect((await inspect(to)).noteBytes).toBe(20 * 1024 ** 2);
      expect((await inspect(to, { noteBytes: 10 * 1024 ** 2 })).refused).toMatch(/need 20 MiB, and at most 10 MiB/);
    });

    it('when the disk has too little space left', async () => {
      const to = await commit([usual(1), await file()]);
      expect((await inspect(to, { reserve: Number.MAX_SAFE_INTEGER })).refused).toMatch(
        /1 MiB of disk space, and 0 MiB/,
      );
    });

    it('when a hundred thousand note files have the same content', async () => {
      const one = await file();
      const tree = await writeTree(
        journal.folders,
        Array.from({ length: 100_000 }, (_, at) => [`${id(at)}.md`, one] as const),
      );
      const to = await commitTree(journal.folders, await writeTree(journal.folders, [['semantic', folderOf(tree)]]));
      expect((await inspect(to)).refused).toMatch(/one content is in 100000 files/);
    });

    it('when more than a thousand files that are not notes have the same content', async () => {
      const one = await file();
      const folder = await writeTree(
        journal.folders,
        Array.from({ length: 1001 }, (_, at) => [`${at}.txt`, one] as const),
      );
      const to = await commitTree(journal.folders, await writeTree(journal.folders, [['papers', folderOf(folder)]]));
      expect((await inspect(to)).refused).toMatch(/one content is in 1001 files, at papers\/0.txt and elsewhere/);
    });

    it('when it reaches too many files that are not notes, in one sync or over several', async () => {
      const some = async (count: number): Promise<string> =>
        commit(
          [usual(1), await file('a note')],
          ...(await Promise.all(
            Array.from({ length: count }, async (_, at) => [`papers/of/${at}.txt`, await file(`${at}`)] as const),
          )),
        );
      const [few, more] = [await some(8), await some(11)];
      const limits = { ...incomingLimits, carried: 10 };
      expect((await inspect(few, limits)).refused).toBe(undefined);
      const refused = "it holds more than 10 files that aren't notes, many of them in papers/";
      expect((await inspect(more, limits)).refused).toBe(refused);
      expect((await inspectIncoming(journal, few, more, limits)).refused).toBe(refused);
    });

    it('when an entry marked as a file is not one', async () => {
      const tree = await writeTree(journal.folders, [['a', await file()]]);
      const notes = await writeRawTree(journal.folders, `${id(1)}.md`, { mode: '100644', id: tree });
      const to = await commit(['semantic', folderOf(notes)]);
      expect((await inspect(to)).refused).toMatch(/is missing or not a file/);
    });

    it('when a content is missing', async () => {
      const to = await commit([usual(1), { mode: '100644', id: 'e'.repeat(40) }]);
      expect((await inspect(to)).refused).toMatch(/the content of semantic.* is missing/);
    });
  });
});
