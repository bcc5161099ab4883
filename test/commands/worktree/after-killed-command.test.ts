/** A command is killed, and a person continues with git or an editor from what it left behind. */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeNote } from '../../support/store.js';
import { killedAt, more, replace, text, useSite } from './support/killed-command.js';

describe('after a killed command', () => {
  const site = useSite();

  it('a hand edit is based on the version that a hard reset checked out', async () => {
    await killedAt(site(), 'put', site().edit);
    site().commitY();
    site().git('reset', '-q', '--hard', 'HEAD~1');
    expect(readFileSync(site().x.path, 'utf8')).toContain('four');
    replace(site().x.path, 'four\n', '');
    expect(await site().bodyAfter(site().x.id)).toBe(text);
  });

  it.each([
    ['adds to', `${more}five\n`, (target: string) => appendFileSync(target, 'five\n')],
    ['edits', more.replace('two', 'MINE'), (target: string) => replace(target, 'two', 'MINE')],
  ])('a version merged into a renamed file is kept when a person %s the file', async (_, body, action) => {
    await killedAt(site(), 'put', site().edit);
    const target = site().elsewhere();
    renameSync(site().x.path, target);
    await killedAt(site(), 'put', (one) => writeNote(one, { title: 'killed' }));
    action(target);
    expect(await site().bodyAfter(site().x.id)).toBe(body);
    expect(await site().notePaths(site().x.id)).toEqual([target]);
  });

  it.each(['put', 'index', 'checkpoint'])('an edit reverted after it was adopted stays out (%s)', async (at) => {
    const before = readFileSync(site().x.path);
    appendFileSync(site().x.path, 'four\n');
    await killedAt(site(), at, (one) => one.adopt('hold'));
    writeFileSync(site().x.path, before);
    expect(await site().bodyAfter(site().x.id)).toBe(text);
  });

  it('an edit reverted and committed after it was adopted stays out', async () => {
    const before = readFileSync(site().x.path);
    appendFileSync(site().x.path, 'four\n');
    await killedAt(site(), 'put', (one) => one.adopt('hold'));
    writeFileSync(site().x.path, before);
    replace(site().x.path, 'one', 'MINE');
    site().git('commit', '-aqm', 'mine');
    expect(await site().bodyAfter(site().x.id)).toBe(text.replace('one', 'MINE'));
  });

  it('a version merged into a renamed file is kept when a person commits the file', async () => {
    await killedAt(site(), 'put', site().edit);
    const target = site().elsewhere();
    renameSync(site().x.path, target);
    await killedAt(site(), 'put', (one) => writeNote(one, { title: 'killed' }));
    replace(target, 'two', 'MINE');
    site().git('add', '-A');
    site().git('commit', '-aqm', 'mine');
    expect(await site().bodyAfter(site().x.id)).toBe(more.replace('two', 'MINE'));
    expect(await site().notePaths(site().x.id)).toEqual([target]);
  });

  it.each([
    ['renames the file', more, () => undefined],
    ['renames the file and edits it', more.replace('one', 'MINE'), () => replace(site().x.path, 'one', 'MINE')],
  ])('a commit that replaces a version and %s leaves the note one file', async (_, body, action) => {
    await killedAt(site(), 'put', site().edit);
    const target = site().elsewhere();
    action();
    site().git('mv', site().x.path, target);
    site().git('commit', '-aqm', 'moved');
    expect(await site().bodyAfter(site().x.id)).toBe(body);
    expect(await site().notePaths(site().x.id)).toEqual([target]);
    expect(existsSync(site().x.path)).toBe(false);
  });

  it.each([
    ['merged', 'main', ['merge', '-q', '--no-edit', 'side']],
    ['merged into another branch', 'side', ['merge', '-q', '--no-edit', 'main']],
    ['rebased', 'main', ['rebase', '-q', 'side']],
  ])('a commit that replaced a version does not replace it again when it is %s', async (_, branch, args) => {
    await killedAt(site(), 'put', site().edit);
    site().commitY();
    site().git('switch', '-qc', 'side', 'HEAD~1');
    replace(site().z.path, 'two', 'MINE');
    site().git('commit', '-aqm', 'side');
    site().git('switch', '-q', branch);
    site().git(...args);
    site().git('switch', '-qC', 'main');
    expect(await site().bodyAfter(site().x.id)).toBe(more);
  });

  it('a commit that replaced a version does not replace it when it is merged with an edit of it', async () => {
    await killedAt(site(), 'put', site().edit);
    site().commitY();
    site().git('switch', '-qc', 'side', 'HEAD~1');
    replace(site().x.path, 'one', 'MINE');
    site().git('commit', '-aqm', 'side');
    site().git('merge', '-q', '--no-edit', 'main');
    site().git('switch', '-qC', 'main');
    expect(await site().bodyAfter(site().x.id)).toBe(more.replace('one', 'MINE'));
  });

  it('a file stays as edited when a commit replaced its version and the revert of that is reset', async () => {
    await killedAt(site(), 'put', site().edit);
    site().commitY();
    site().git('revert', '--no-edit', 'HEAD');
    replace(site().x.path, 'two', 'MINE');
    site().git('reset', '-q', '--soft', 'HEAD~1');
    expect(await site().bodyAfter(site().x.id)).toBe(more.replace('two', 'MINE'));
  });
});
