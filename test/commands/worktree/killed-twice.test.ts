/** A command is killed, and a person's git or editor goes on from what it left behind. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listNoteFiles } from '../../../src/events/worktree/walk-notes.js';
import type { Memory } from '../../../src/store/memory.js';
import type { NoteJson } from '../../../src/store/note-json.js';
import { openStore, personsGit, temporaryFolder, writeNote } from '../../support/store.js';

const text = 'one\ntwo\nthree\n';
const more = `${text}four\n`;

const replace = (path: string, from: string, to: string): void =>
  writeFileSync(path, readFileSync(path, 'utf8').replace(`\n${from}`, `\n${to}`));
const bodyOf = async (memory: Memory, id: string): Promise<string> => {
  const found = await memory.show(id);
  return found.ok ? (found.answer.body ?? '') : found.refusal.code;
};
const killedAt = async (home: string, at: string, run: (memory: Memory) => Promise<unknown>): Promise<void> => {
  const step = (name: string): void => {
    if (name === at) throw new Error('killed');
  };
  await expect(run(openStore({ home, step }).memory)).rejects.toThrow('killed');
};

describe('a person goes on from what a killed command left', () => {
  let home = '';
  let memory: Memory;
  let x: NoteJson;
  let y: NoteJson;
  let nowMs = Date.now();
  beforeEach(async () => {
    home = temporaryFolder();
    ({ memory } = openStore({ home, nowMs: () => nowMs }));
    x = await writeNote(memory, { title: 'X', body: text });
    y = await writeNote(memory, { title: 'Y', body: text });
    await memory.finish();
    nowMs += 60_000;
  });
  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });
  const git = (...args: string[]): string => personsGit(memory.journals.portable.folder, ...args);
  const then = async (id: string): Promise<string> => {
    const next = openStore({ home }).memory;
    await writeNote(next, { title: 'next' });
    const body = await bodyOf(next, id);
    await next.finish();
    return body;
  };
  const notePaths = async (id: string): Promise<readonly string[]> => {
    const { folder } = memory.journals.portable;
    const { paths } = await listNoteFiles(folder);
    return paths.filter((path) => path.endsWith(`${id}.md`)).map((path) => join(folder, path));
  };
  const elsewhere = (): string => {
    const target = join(memory.journals.portable.folder, 'semantic', 'd1', basename(x.path ?? ''));
    mkdirSync(dirname(target), { recursive: true });
    return target;
  };
  const edit = (one: Memory): Promise<unknown> => one.perform({ kind: 'edit', id: x.id, set: { body: more } });
  const commitY = (): void => {
    replace(y.path ?? '', 'two', 'MINE');
    git('commit', '-aqm', 'mine');
  };

  it('a version that a hard reset lays out is what a person edits then', async () => {
    await killedAt(home, 'put', edit);
    commitY();
    git('reset', '-q', '--hard', 'HEAD~1');
    expect(readFileSync(x.path ?? '', 'utf8')).toContain('four');
    replace(x.path ?? '', 'four\n', '');
    expect(await then(x.id)).toBe(text);
  });

  it.each([
    ['adds to', `${more}five\n`, (target: string) => appendFileSync(target, 'five\n')],
    ['edits', more.replace('two', 'MINE'), (target: string) => replace(target, 'two', 'MINE')],
  ])('a version merged into a renamed file that a person then %s is kept', async (_, body, deed) => {
    await killedAt(home, 'put', edit);
    const target = elsewhere();
    renameSync(x.path ?? '', target);
    await killedAt(home, 'put', (one) => writeNote(one, { title: 'killed' }));
    deed(target);
    expect(await then(x.id)).toBe(body);
    expect(await notePaths(x.id)).toEqual([target]);
  });

  it.each(['put', 'index', 'checkpoint'])('an edit taken back after it was taken in is out (%s)', async (at) => {
    const before = readFileSync(x.path ?? '');
    appendFileSync(x.path ?? '', 'four\n');
    await killedAt(home, at, (one) => one.adopt('hold'));
    writeFileSync(x.path ?? '', before);
    expect(await then(x.id)).toBe(text);
  });

  it('an edit taken back and committed after it was taken in is out', async () => {
    const before = readFileSync(x.path ?? '');
    appendFileSync(x.path ?? '', 'four\n');
    await killedAt(home, 'put', (one) => one.adopt('hold'));
    writeFileSync(x.path ?? '', before);
    replace(x.path ?? '', 'one', 'MINE');
    git('commit', '-aqm', 'mine');
    expect(await then(x.id)).toBe(text.replace('one', 'MINE'));
  });

  it('a version merged into a renamed file that a person then commits is kept', async () => {
    await killedAt(home, 'put', edit);
    const target = elsewhere();
    renameSync(x.path ?? '', target);
    await killedAt(home, 'put', (one) => writeNote(one, { title: 'killed' }));
    replace(target, 'two', 'MINE');
    git('add', '-A');
    git('commit', '-aqm', 'mine');
    expect(await then(x.id)).toBe(more.replace('two', 'MINE'));
    expect(await notePaths(x.id)).toEqual([target]);
  });

  it.each([
    ['renames the file', more, () => undefined],
    ['renames the file and edits it', more.replace('one', 'MINE'), () => replace(x.path ?? '', 'one', 'MINE')],
  ])('a commit that takes a version back and %s leaves the note one file', async (_, body, deed) => {
    await killedAt(home, 'put', edit);
    const target = elsewhere();
    deed();
    git('mv', x.path ?? '', target);
    git('commit', '-aqm', 'moved');
    expect(await then(x.id)).toBe(body);
    expect(await notePaths(x.id)).toEqual([target]);
    expect(existsSync(x.path ?? '')).toBe(false);
  });
});
