import { beforeEach, describe, expect, it } from 'vitest';
import type { GitJournal } from '../../../../src/events/git/git-journal.js';
import { checkIncoming, incomingLimits } from '../../../../src/events/git/remote/incoming.js';
import {
  commitTree,
  type Entry,
  fileOf,
  folderOf,
  linkTo,
  submodule,
  writeTree,
  writeTrees,
} from '../../../support/hostile-trees.js';
import { newJournal } from '../../../support/journals.js';

const id = (n: number): string => `01J00000000000000000${String(n).padStart(6, '0')}`;
const usual = (n: number): string => `semantic/${id(n).slice(-2)}/${id(n)}.md`;

describe('an incoming history', () => {
  let journal: GitJournal;
  beforeEach(async () => {
    journal = (await newJournal()).journal;
  });

  const file = (content: Buffer | string = 'note\n'): Promise<Entry> => fileOf(journal.folders, content);
  const commit = async (...entries: readonly (readonly [string, Entry])[]): Promise<string> =>
    commitTree(journal.folders, await writeTrees(journal.folders, entries));
  const check = (to: string, limits: Partial<typeof incomingLimits> = {}) =>
    checkIncoming(journal.folders, undefined, to, { ...incomingLimits, ...limits });
  /** A folder that holds itself many times over, in a few hundred bytes. */
  const nested = async (inside: readonly (readonly [string, Entry])[]): Promise<string> => {
    let tree = await writeTree(journal.folders, inside);
    for (let depth = 0; depth < 10; depth += 1)
      tree = await writeTree(
        journal.folders,
        Array.from({ length: 20 }, (_, at) => [`f${at}`, folderOf(tree)] as const),
      );
    return commitTree(journal.folders, tree);
  };

  it('is accepted with links and submodules, which are carried', async () => {
    const to = await commit(
      [usual(1), await file()],
      ['README.md', await file('a text')],
      ['passwd', await linkTo(journal.folders, '/etc/passwd')],
      ['semantic/sub', submodule],
    );
    expect(await check(to)).toEqual({ commit: to, bases: [] });
  });

  it('is refused when it is no history', async () => {
    expect(await check((await file()).id)).toBe('main there is a single file (a blob), not a commit');
  });

  it('is refused when a folder holds itself many times over, with files or without', async () => {
    for (const inside of [[[`${id(1)}.md`, await file()] as const], []])
      expect(await check(await nested(inside), { paths: 50_000 })).toMatch(/more than 50000 files and folders/);
  });

  it('is refused when its folders are nested too deeply', async () => {
    const to = await commit([`semantic/${'a/'.repeat(300)}${id(1)}.md`, await file()]);
    expect(await check(to)).toMatch(/more than 65 nested folders/);
  });

  it('is refused when a path is longer than any system allows', async () => {
    const to = await commit([`${'a'.repeat(2100)}/${'b'.repeat(2100)}`, await file()]);
    expect(await check(to)).toMatch(/a path of more than 4096 characters/);
  });

  it('is refused when its paths have too many characters together', async () => {
    const to = await commit([`${'a'.repeat(1000)}/x`, await file()]);
    expect(await check(to, { pathUnits: 1000 })).toMatch(/more than 1000 characters together/);
  });

  it('is refused when few bytes would fill many files', async () => {
    const large = await file(Buffer.alloc(1024 ** 2));
    const to = await commit(...Array.from({ length: 20 }, (_, at) => [usual(at), large] as const));
    expect(await check(to, { bytes: 10 * 1024 ** 2 })).toMatch(/brings more than 10 MiB/);
  });

  it('is refused when it has many files that are not notes', async () => {
    const to = await commit(['a.txt', await file()], ['b.txt', await file()]);
    expect(await check(to, { others: 1 })).toMatch(/more than 1 files that aren't notes/);
  });

  it('is refused when a content is missing', async () => {
    const to = await commit([usual(1), { ...(await file()), id: 'e'.repeat(40) }]);
    expect(await check(to)).toContain(`the content of ${usual(1)} is missing`);
  });

  it('is refused when it has more commits than any store', async () => {
    expect(await check(await commit([usual(1), await file()]), { commits: 0 })).toMatch(/more than 0 commits/);
  });
});
