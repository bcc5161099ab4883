/** A person commits with git while a version is recorded that no file shows yet: it is not taken back by that. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { undoEvent } from '../../../src/app/undoing.js';
import { listNoteFiles } from '../../../src/events/worktree/walk-notes.js';
import type { Memory } from '../../../src/store/memory.js';
import type { NoteJson } from '../../../src/store/note-json.js';
import { syncStore } from '../../../src/sync/syncing.js';
import { newMachines } from '../../support/machines.js';
import { openStore, personsGit, temporaryFolder, writeNote } from '../../support/store.js';

const text = 'one\ntwo\nthree\n';
const more = `${text}four\n`;
const plantedKey = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;

const replace = (path: string, from: string, to: string): void =>
  writeFileSync(path, readFileSync(path, 'utf8').replace(`\n${from}`, `\n${to}`));
const bodyOf = async (memory: Memory, id: string): Promise<string> => {
  const found = await memory.show(id);
  return found.ok ? (found.answer.body ?? '') : found.refusal.code;
};

/** As a process that is killed at its first step of that name. */
const killedAt = async (
  { home, machine = 'testbox' }: { readonly home: string; readonly machine?: string },
  at: string,
  run: (memory: Memory) => Promise<unknown>,
): Promise<void> => {
  const step = (name: string): void => {
    if (name === at) throw new Error('killed');
  };
  await expect(run(openStore({ home, machine, step }).memory)).rejects.toThrow('killed');
};

describe('a command that was killed before it laid out a file', () => {
  let home = '';
  let memory: Memory;
  let x: NoteJson;
  let y: NoteJson;
  let z: NoteJson;
  beforeEach(async () => {
    home = temporaryFolder();
    ({ memory } = openStore({ home }));
    x = await writeNote(memory, { title: 'X', body: text });
    y = await writeNote(memory, { title: 'Y', body: text });
    z = await writeNote(memory, { title: 'Z', body: text });
    await memory.finish();
  });
  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });

  const git = (...args: string[]): string => personsGit(memory.journals.portable.folder, ...args);
  /** The body of the note, or why it has none, after a new process has written something. */
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
  const renameX = (): string => {
    const target = join(memory.journals.portable.folder, 'semantic', 'd1', basename(x.path ?? ''));
    mkdirSync(dirname(target), { recursive: true });
    renameSync(x.path ?? '', target);
    return target;
  };
  const edit = (one: Memory): Promise<unknown> => one.perform({ kind: 'edit', id: x.id, set: { body: more } });
  const commitY = (): void => {
    replace(y.path ?? '', 'two', 'MINE');
    git('commit', '-aqm', 'mine');
  };

  it.each([
    ['a reset', () => git('reset', '-q')],
    ['a soft reset', () => git('reset', '-q', '--soft', 'HEAD')],
    ['a branch and back', () => git('switch', '-qc', 'side') + git('switch', '-q', 'main')],
    ['a commit of all files', commitY],
    ['a commit of all files that is reset', () => `${commitY()}${git('reset', '-q', '--soft', 'HEAD~1')}`],
    [
      'a commit of another file',
      () => {
        replace(y.path ?? '', 'two', 'MINE');
        git('commit', '-qm', 'mine', '--', y.path ?? '');
      },
    ],
  ])('keeps its edit through %s', async (_, deed) => {
    await killedAt({ home }, 'put', edit);
    deed();
    expect(await then(x.id)).toBe(more);
  });

  it('keeps its edit beside one of the same note that is committed', async () => {
    await killedAt({ home }, 'put', edit);
    replace(x.path ?? '', 'one', 'MINE');
    git('commit', '-aqm', 'mine');
    expect(await then(x.id)).toBe(more.replace('one', 'MINE'));
  });

  it.each([
    ['renamed', more, () => undefined],
    ['renamed and edited', more.replace('one', 'MINE'), () => replace(x.path ?? '', 'one', 'MINE')],
  ])('keeps its edit in a file that is %s', async (_, body, deed) => {
    await killedAt({ home }, 'put', edit);
    deed();
    const target = renameX();
    expect(await then(x.id)).toBe(body);
    expect(await notePaths(x.id)).toEqual([target]);
  });

  it.each(['index', 'checkpoint'])('has what a person goes on writing once (%s)', async (at) => {
    appendFileSync(x.path ?? '', 'four\n');
    await memory.show(x.id);
    await killedAt({ home }, at, (one) => writeNote(one, { title: 'killed' }));
    appendFileSync(x.path ?? '', 'five\n');
    expect(await then(x.id)).toBe(`${more}five\n`);
  });

  it('keeps a note forgotten of which the file is renamed', async () => {
    await killedAt({ home }, 'put', (one) => one.perform({ kind: 'forget', id: x.id }));
    renameX();
    expect(await then(x.id)).toBe('note-forgotten');
    expect(await notePaths(x.id)).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('publishes nothing private in a file that is renamed (step %i)', async (count) => {
    let left = count;
    const step = (): void => {
      left -= 1;
      if (left === 0) throw new Error('killed');
    };
    const { memory: killed } = openStore({ home, step });
    await killed.perform({ kind: 'move', id: x.id, scope: 'machine-local' }).catch(() => undefined);
    const isPrivate = git('-C', join(home, 'local'), 'rev-list', '--all', '--objects').includes(x.id);
    if (!existsSync(x.path ?? '')) return;
    renameX();
    expect(await then(x.id)).toBe(text);
    await openStore({ home }).memory.adopt('hold');
    expect(git('ls-tree', '-r', '--name-only', 'main').includes(x.id)).toBe(!isPrivate);
  });

  it.each(['put', 'index', 'done'])('is over once another one has followed (%s)', async (at) => {
    await killedAt({ home }, at, edit);
    replace(y.path ?? '', 'two', 'MINE');
    git('mv', z.path ?? '', join(dirname(y.path ?? ''), basename(z.path ?? '')));
    expect(await then(x.id)).toBe(more);
    git('rm', '-q', '-f', x.path ?? '');
    git('commit', '-aqm', 'without X');
    expect(await then(x.id)).toBe('note-forgotten');
  });

  it.each(['--soft', '--mixed', '--hard'])('keeps its edit where what had put it back is reset (%s)', async (how) => {
    await killedAt({ home }, 'put', edit);
    commitY();
    await killedAt({ home }, 'put', (one) => writeNote(one, { title: 'killed' }));
    git('reset', '-q', how, 'HEAD~1');
    expect(await then(x.id)).toBe(more);
  });

  it('is laid out by a revert, and what a person takes out then is out', async () => {
    await killedAt({ home }, 'put', edit);
    commitY();
    git('revert', '--no-edit', 'HEAD');
    replace(x.path ?? '', 'four\n', '');
    expect(await then(x.id)).toBe(text);
  });

  it('keeps its edit where a person commits while the next command reconciles', async () => {
    await killedAt({ home }, 'put', edit);
    let isFirst = true;
    const step = (name: string): void => {
      if (name !== 'put' || !isFirst) return;
      isFirst = false;
      commitY();
    };
    const next = openStore({ home, step }).memory;
    await writeNote(next, { title: 'next' });
    await next.adopt('hold');
    expect(await bodyOf(next, x.id)).toBe(more);
    await next.finish();
  });

  it.each([1, 2])('keeps its edit over a commit of a file that %i commands could not read', async (count) => {
    await killedAt({ home }, 'put', edit);
    replace(x.path ?? '', 'one', 'MINE');
    replace(x.path ?? '', 'title: ', 'title: [half ');
    git('commit', '-aqm', 'half');
    for (let at = 0; at < count; at += 1) {
      expect(await then(y.id)).toBe(text);
      replace(x.path ?? '', 'title: [half ', 'title: [half [half ');
      git('commit', '-aqm', 'half');
    }
    writeFileSync(x.path ?? '', readFileSync(x.path ?? '', 'utf8').replaceAll('[half ', ''));
    expect(await then(x.id)).toBe(more.replace('one', 'MINE'));
  });

  it('keeps its undoing', async () => {
    await edit(memory);
    await memory.finish();
    await killedAt({ home }, 'put', (one) => undoEvent(one, undefined));
    commitY();
    expect(await then(x.id)).toBe(text);
  });

  it('keeps a note forgotten', async () => {
    await killedAt({ home }, 'put', (one) => one.perform({ kind: 'forget', id: x.id }));
    commitY();
    expect(await then(x.id)).toBe('note-forgotten');
  });

  it.each(['commit', 'put', 'index', 'checkpoint'])(
    'leaves a note removed that was removed by a commit before it (%s)',
    async (at) => {
      git('rm', '-q', x.path ?? '');
      git('commit', '-qm', 'without X');
      replace(y.path ?? '', 'two', 'MINE');
      await memory.show(y.id);
      await killedAt({ home }, at, (one) => writeNote(one, { title: 'killed' }));
      expect(await then(x.id)).toBe('note-forgotten');
      expect(await then(y.id)).toBe(text.replace('two', 'MINE'));
    },
  );

  const pushX = (line = 'PUSHED'): void => {
    const clone = join(home, 'clone');
    const { folder } = memory.journals.portable;
    git('clone', '-q', folder, clone);
    replace((x.path ?? '').replace(folder, clone), 'two', line);
    personsGit(clone, 'commit', '-aqm', 'elsewhere');
    git('config', 'receive.denyCurrentBranch', 'ignore');
    personsGit(clone, 'push', '-q', 'origin', 'HEAD:main');
  };

  it('keeps what somebody pushed into the repository', async () => {
    pushX();
    commitY();
    expect(await then(x.id)).toBe(text.replace('two', 'PUSHED'));
  });

  it('masks a secret that somebody pushed and a commit took back', async () => {
    pushX(`token ${plantedKey}`);
    commitY();
    expect(await then(x.id)).not.toContain(plantedKey);
  });

  it('keeps what somebody pushed in a file that is renamed', async () => {
    pushX();
    const target = renameX();
    expect(await then(x.id)).toBe(text.replace('two', 'PUSHED'));
    expect(await notePaths(x.id)).toEqual([target]);
  });
});

it('a file in which a person takes their own commit back is shown as it is', async () => {
  const store = openStore();
  const { id, path = '' } = await writeNote(store.memory, { title: 'X', body: text });
  await store.memory.finish();
  const { folder } = store.memory.journals.portable;
  replace(path, 'two', 'MINE');
  personsGit(folder, 'commit', '-aqm', 'mine');
  personsGit(folder, 'checkout', '-q', 'HEAD~1', '--', path);
  expect(await bodyOf(store.memory, id)).toBe(text);
  await store.close();
});

describe('a sync that did not get to lay out a file', () => {
  it('keeps what it brought over a commit of a file that could not be read', async () => {
    const machines = newMachines();
    const one = await machines.open('one');
    const two = await machines.open('two');
    const { id, path = '' } = await writeNote(one, { title: 'X', body: text });
    await machines.sync(one, two);
    await two.perform({ kind: 'edit', id, set: { body: more } });
    await machines.sync(two);
    replace(path, 'title: ', 'title: [half ');
    await machines.sync(one);
    await one.finish();
    personsGit(one.journals.portable.folder, 'commit', '-aqm', 'half');
    await writeNote(one, { title: 'next' });
    replace(path, 'title: [half ', 'title: ');
    await machines.sync(one, two);
    for (const memory of [one, two]) expect(await bodyOf(memory, id)).toBe(more);
  });

  it.each(['sync:moved', 'sync:checkpoint', 'sync:indexed', 'sync:put'])(
    'is read as it was recorded, so that an edit stands on it (%s)',
    async (at) => {
      const machines = newMachines();
      const one = await machines.open('one');
      const two = await machines.open('two');
      const { id } = await writeNote(one, { title: 'X', body: text });
      await machines.sync(one, two);
      await two.perform({ kind: 'edit', id, set: { body: more } });
      await machines.sync(two);
      await killedAt({ home: one.settings.home, machine: 'one' }, at, (memory) => syncStore(memory));
      expect(await bodyOf(one, id)).toBe(more);
      const { hits } = await one.search('four', {});
      expect(hits.map(({ snippet }) => snippet)).toEqual([expect.stringContaining('four')]);
    },
  );

  it.each(['sync:moved', 'sync:checkpoint', 'sync:indexed', 'sync:put'])(
    'keeps what it brought, killed at %s and with a commit by hand since',
    async (at) => {
      const machines = newMachines();
      const [one, two] = [await machines.open('one'), await machines.open('two')];
      const x = await writeNote(one, { title: 'X', body: text });
      const y = await writeNote(one, { title: 'Y', body: text });
      const gone = await writeNote(one, { title: 'Gone' });
      await machines.sync(one, two);
      await one.finish();
      await two.perform({ kind: 'edit', id: x.id, set: { body: more } });
      await two.perform({ kind: 'forget', id: gone.id });
      const z = await writeNote(two, { title: 'Z' });
      await machines.sync(two);
      await killedAt({ home: join(machines.folder, 'one'), machine: 'one' }, at, (memory) => syncStore(memory));
      replace(y.path ?? '', 'two', 'MINE');
      personsGit(one.journals.portable.folder, 'commit', '-aqm', 'mine');
      await machines.sync(one, two);
      for (const memory of [one, two]) {
        expect(await bodyOf(memory, x.id)).toBe(more);
        expect(await bodyOf(memory, y.id)).toBe(text.replace('two', 'MINE'));
        expect(await bodyOf(memory, gone.id)).toBe('note-forgotten');
        expect((await memory.show(z.id)).ok).toBe(true);
      }
    },
  );

  it('keeps what it brought to a file that was half saved then and is committed since', async () => {
    const machines = newMachines();
    const [one, two] = [await machines.open('one'), await machines.open('two')];
    const { id, path = '' } = await writeNote(one, { title: 'X', body: text });
    await machines.sync(one, two);
    await one.finish();
    await two.perform({ kind: 'edit', id, set: { body: more } });
    await machines.sync(two);
    replace(path, 'one', 'MINE');
    replace(path, 'title: ', 'title: [half ');
    await machines.sync(one);
    await one.finish();
    replace(path, 'title: [half ', 'title: ');
    personsGit(one.journals.portable.folder, 'commit', '-aqm', 'mine');
    await machines.sync(one, two);
    for (const memory of [one, two]) expect(await bodyOf(memory, id)).toBe(more.replace('one', 'MINE'));
  });
});
