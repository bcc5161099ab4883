/** A person's commit does not revert a recorded version that was not checked out yet. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { undoEvent } from '../../../src/app/undoing.js';
import { openStore, personsGit, writeNote } from '../../support/store.js';
import { bodyOf, killedAt, more, replace, text, useSite } from './support/killed-command.js';

const plantedKey = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;

describe('a command that was killed before it checked out a file', () => {
  const site = useSite();

  it.each([
    ['a reset', () => site().git('reset', '-q')],
    ['a soft reset', () => site().git('reset', '-q', '--soft', 'HEAD')],
    ['a switch to a branch and back', () => site().git('switch', '-qc', 'side') + site().git('switch', '-q', 'main')],
    ['a commit of all files', () => site().commitY()],
    [
      'a commit of all files and its reset',
      () => `${site().commitY()}${site().git('reset', '-q', '--soft', 'HEAD~1')}`,
    ],
    [
      'a commit of another file',
      () => {
        replace(site().y.path, 'two', 'MINE');
        site().git('commit', '-qm', 'mine', '--', site().y.path);
      },
    ],
  ])('keeps its edit through %s', async (_, action) => {
    await killedAt(site(), 'put', site().edit);
    action();
    expect(await site().bodyAfter(site().x.id)).toBe(more);
  });

  it('keeps its edit along with a committed edit of the same note', async () => {
    await killedAt(site(), 'put', site().edit);
    replace(site().x.path, 'one', 'MINE');
    site().git('commit', '-aqm', 'mine');
    expect(await site().bodyAfter(site().x.id)).toBe(more.replace('one', 'MINE'));
  });

  it.each(['commit', 'index', 'checkpoint'])(
    'keeps its edit along with one in a file that was committed unreadable, when killed again at %s',
    async (at) => {
      await killedAt(site(), 'put', site().edit);
      replace(site().x.path, 'one', 'MINE');
      replace(site().x.path, 'title: ', 'title: [half ');
      site().git('commit', '-aqm', 'mine');
      await site().bodyAfter(site().y.id);
      replace(site().x.path, 'title: [half ', 'title: ');
      await killedAt(site(), at, (one) => one.adopt('hold'));
      expect(await site().bodyAfter(site().x.id)).toBe(more.replace('one', 'MINE'));
    },
  );

  it.each([
    ['renamed', more, () => undefined],
    ['renamed and edited', more.replace('one', 'MINE'), () => replace(site().x.path, 'one', 'MINE')],
  ])('keeps its edit in a file that is %s', async (_, body, action) => {
    await killedAt(site(), 'put', site().edit);
    action();
    const target = site().renameX();
    expect(await site().bodyAfter(site().x.id)).toBe(body);
    expect(await site().notePaths(site().x.id)).toEqual([target]);
  });

  it.each(['index', 'checkpoint'])('does not repeat a text that a person continues (%s)', async (at) => {
    appendFileSync(site().x.path, 'four\n');
    await site().memory.show(site().x.id);
    await killedAt(site(), at, (one) => writeNote(one, { title: 'killed' }));
    appendFileSync(site().x.path, 'five\n');
    expect(await site().bodyAfter(site().x.id)).toBe(`${more}five\n`);
  });

  it('keeps a note forgotten when its file is renamed', async () => {
    await killedAt(site(), 'put', (one) => one.perform({ kind: 'forget', id: site().x.id }));
    site().renameX();
    expect(await site().bodyAfter(site().x.id)).toBe('note-forgotten');
    expect(await site().notePaths(site().x.id)).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('publishes nothing private when its file is renamed (step %i)', async (count) => {
    let left = count;
    const step = (): void => {
      left -= 1;
      if (left === 0) throw new Error('killed');
    };
    const { memory: killed } = openStore({ home: site().home, step });
    await killed.perform({ kind: 'move', id: site().x.id, scope: 'machine-local' }).catch(() => undefined);
    const isPrivate = site()
      .git('-C', join(site().home, 'local'), 'rev-list', '--all', '--objects')
      .includes(site().x.id);
    if (!existsSync(site().x.path)) return;
    site().renameX();
    expect(await site().bodyAfter(site().x.id)).toBe(text);
    await openStore({ home: site().home }).memory.adopt('hold');
    expect(site().git('ls-tree', '-r', '--name-only', 'main').includes(site().x.id)).toBe(!isPrivate);
  });

  it.each(['put', 'index', 'done'])('no longer protects its file once another command followed (%s)', async (at) => {
    await killedAt(site(), at, site().edit);
    replace(site().y.path, 'two', 'MINE');
    site().git('mv', site().z.path, join(dirname(site().y.path), basename(site().z.path)));
    expect(await site().bodyAfter(site().x.id)).toBe(more);
    site().git('rm', '-q', '-f', site().x.path);
    site().git('commit', '-aqm', 'without X');
    expect(await site().bodyAfter(site().x.id)).toBe('note-forgotten');
  });

  it.each(['--soft', '--mixed', '--hard'])('keeps its edit when the replacing commit is reset (%s)', async (how) => {
    await killedAt(site(), 'put', site().edit);
    site().commitY();
    await killedAt(site(), 'put', (one) => writeNote(one, { title: 'killed' }));
    site().git('reset', '-q', how, 'HEAD~1');
    expect(await site().bodyAfter(site().x.id)).toBe(more);
  });

  it('has its edit checked out by a revert, after which a person can remove it', async () => {
    await killedAt(site(), 'put', site().edit);
    site().commitY();
    site().git('revert', '--no-edit', 'HEAD');
    replace(site().x.path, 'four\n', '');
    expect(await site().bodyAfter(site().x.id)).toBe(text);
  });

  it('keeps its edit when a person commits while the next command reconciles', async () => {
    await killedAt(site(), 'put', site().edit);
    let isFirst = true;
    const step = (name: string): void => {
      if (name !== 'put' || !isFirst) return;
      isFirst = false;
      site().commitY();
    };
    const next = openStore({ home: site().home, step }).memory;
    await writeNote(next, { title: 'next' });
    await next.adopt('hold');
    expect(await bodyOf(next, site().x.id)).toBe(more);
    await next.finish();
  });

  it.each([1, 2])('keeps its edit over commits of a file that %i commands could not read', async (count) => {
    await killedAt(site(), 'put', site().edit);
    replace(site().x.path, 'one', 'MINE');
    replace(site().x.path, 'title: ', 'title: [half ');
    site().git('commit', '-aqm', 'half');
    for (let at = 0; at < count; at += 1) {
      expect(await site().bodyAfter(site().y.id)).toBe(text);
      replace(site().x.path, 'title: [half ', 'title: [half [half ');
      site().git('commit', '-aqm', 'half');
    }
    writeFileSync(site().x.path, readFileSync(site().x.path, 'utf8').replaceAll('[half ', ''));
    expect(await site().bodyAfter(site().x.id)).toBe(more.replace('one', 'MINE'));
  });

  it('keeps its undo', async () => {
    await site().edit(site().memory);
    await site().memory.finish();
    await killedAt(site(), 'put', (one) => undoEvent(one, undefined));
    site().commitY();
    expect(await site().bodyAfter(site().x.id)).toBe(text);
  });

  it('keeps a note forgotten', async () => {
    await killedAt(site(), 'put', (one) => one.perform({ kind: 'forget', id: site().x.id }));
    site().commitY();
    expect(await site().bodyAfter(site().x.id)).toBe('note-forgotten');
  });

  it.each(['commit', 'put', 'index', 'checkpoint'])(
    'does not bring back a note that an earlier commit removed (%s)',
    async (at) => {
      site().git('rm', '-q', site().x.path);
      site().git('commit', '-qm', 'without X');
      replace(site().y.path, 'two', 'MINE');
      await site().memory.show(site().y.id);
      await killedAt(site(), at, (one) => writeNote(one, { title: 'killed' }));
      expect(await site().bodyAfter(site().x.id)).toBe('note-forgotten');
      expect(await site().bodyAfter(site().y.id)).toBe(text.replace('two', 'MINE'));
    },
  );

  const pushX = (line = 'PUSHED'): void => {
    const clone = join(site().home, 'clone');
    const { folder } = site().memory.journals.portable;
    site().git('clone', '-q', folder, clone);
    replace(site().x.path.replace(folder, clone), 'two', line);
    personsGit(clone, 'commit', '-aqm', 'elsewhere');
    site().git('config', 'receive.denyCurrentBranch', 'ignore');
    personsGit(clone, 'push', '-q', 'origin', 'HEAD:main');
  };

  it('keeps an edit that was pushed into the repository', async () => {
    pushX();
    site().commitY();
    expect(await site().bodyAfter(site().x.id)).toBe(text.replace('two', 'PUSHED'));
  });

  it('masks a secret that was pushed and then replaced by a commit', async () => {
    pushX(`token ${plantedKey}`);
    site().commitY();
    expect(await site().bodyAfter(site().x.id)).not.toContain(plantedKey);
  });

  it('keeps an edit that was pushed for a file that is renamed', async () => {
    pushX();
    const target = site().renameX();
    expect(await site().bodyAfter(site().x.id)).toBe(text.replace('two', 'PUSHED'));
    expect(await site().notePaths(site().x.id)).toEqual([target]);
  });
});

it('a file in which a person reverts their own commit is shown as it is', async () => {
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
