/** A person commits with git before the next command: what they reverted stays reverted, and what they kept stays. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore, personsGit, type TestStore, writeNote } from '../../support/store.js';

let store: TestStore;
let folder = '';
let path = '';
let id = '';

beforeEach(async () => {
  store = openStore();
  const note = await writeNote(store.memory, { title: 'Ports', body: 'one\ntwo\nthree\n' });
  await store.memory.finish();
  ({ folder } = store.memory.journals.portable);
  ({ id } = note);
  path = note.path ?? '';
});
afterEach(async () => {
  await store.close();
});

const git = (...args: string[]): string => personsGit(folder, ...args);
const replace = (from: string, to: string): void =>
  writeFileSync(path, readFileSync(path, 'utf8').replace(`\n${from}\n`, `\n${to}\n`));
const body = async (): Promise<string> => {
  const found = await store.memory.show(id);
  return found.ok ? (found.answer.body ?? '') : found.refusal.code;
};
const next = async (): Promise<void> => {
  await writeNote(store.memory, { title: 'next' });
  await store.memory.finish();
};

it('a reverted edit stays reverted', async () => {
  replace('two', 'EDITED');
  git('commit', '-aqm', 'mine');
  git('revert', '--no-edit', 'HEAD');
  await next();
  expect(await body()).toBe('one\ntwo\nthree\n');
});

it('an edit that a later commit removes stays removed', async () => {
  replace('two', 'EDITED');
  git('commit', '-aqm', 'mine');
  replace('one', 'AND THIS');
  git('commit', '-aqm', 'more');
  replace('AND THIS', 'one');
  replace('EDITED', 'two');
  git('commit', '-aqm', 'neither');
  await next();
  expect(await body()).toBe('one\ntwo\nthree\n');
});

it('a branch whose merge is reverted stays out', async () => {
  git('switch', '-qc', 'side');
  replace('two', 'EDITED');
  git('commit', '-aqm', 'mine');
  git('switch', '-q', 'main');
  git('merge', '-q', '--no-ff', '-m', 'merged', 'side');
  git('revert', '--no-edit', '-m', '1', 'HEAD');
  await next();
  expect(await body()).toBe('one\ntwo\nthree\n');
});

it('a note that is added and removed again stays removed', async () => {
  const added = path.replace(id, '01K00000000000000000000000');
  writeFileSync(added, readFileSync(path, 'utf8').replaceAll(id, '01K00000000000000000000000'));
  git('add', '-A');
  git('commit', '-qm', 'mine');
  git('rm', '-q', added);
  git('commit', '-qm', 'not mine');
  await next();
  expect(existsSync(added)).toBe(false);
  expect((await store.memory.show('01K00000000000000000000000')).ok).toBe(false);
});

it('a note whose folder is renamed and renamed back stays at its path', async () => {
  const elsewhere = join(dirname(dirname(path)), 'elsewhere', `${id}.md`);
  mkdirSync(dirname(elsewhere));
  renameSync(path, elsewhere);
  git('add', '-A');
  git('commit', '-qm', 'moved');
  mkdirSync(dirname(path), { recursive: true });
  renameSync(elsewhere, path);
  git('add', '-A');
  git('commit', '-qm', 'moved back');
  await next();
  expect(existsSync(elsewhere)).toBe(false);
  expect(await body()).toBe('one\ntwo\nthree\n');
});

it('an edit stays when its commit is applied again after a reworded one', async () => {
  const other = await writeNote(store.memory, { title: 'Other', body: 'o\n' });
  await store.memory.finish();
  writeFileSync(other.path ?? '', `${readFileSync(other.path ?? '', 'utf8')}more\n`);
  git('commit', '-aqm', 'first');
  replace('two', 'EDITED');
  git('commit', '-aqm', 'second');
  await store.memory.adopt('hold');
  const [second = '', first = ''] = git('log', '-2', '--format=%H').split('\n');
  git('reset', '-q', '--hard', `${first}^`);
  git('cherry-pick', first);
  git('commit', '-q', '--amend', '-m', 'reworded');
  git('cherry-pick', second);
  await next();
  expect(await body()).toBe('one\nEDITED\nthree\n');
});

it('a merge whose first parent is the other branch reverts nothing', async () => {
  git('branch', 'side');
  await store.memory.perform({ kind: 'edit', id, set: { body: 'one\ntwo\nthree\nfour\n' } });
  await store.memory.finish();
  git('switch', '-q', 'side');
  git('commit', '--allow-empty', '-qm', 'on the side');
  git('merge', '-q', '--no-edit', 'main');
  git('branch', '-f', 'main', 'side');
  git('switch', '-q', 'main');
  await next();
  expect(await body()).toBe('one\ntwo\nthree\nfour\n');
});

it('an edit that continues after its commit stays whole', async () => {
  replace('two', 'EDITED');
  git('commit', '-aqm', 'mine');
  replace('three', 'THREE');
  await next();
  expect(await body()).toBe('one\nEDITED\nTHREE\n');
});

it('an edit that continues after its commit stays even if the file was unreadable in between', async () => {
  replace('two', 'EDITED');
  git('commit', '-aqm', 'mine');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('\ntitle: ', '\ntitle: [half '));
  await next();
  writeFileSync(path, text);
  replace('EDITED', 'AGAIN');
  await store.memory.adopt('hold');
  await next();
  expect(await body()).toBe('one\nAGAIN\nthree\n');
});

it('a new note that is edited after its commit keeps the edit', async () => {
  const id2 = '01K00000000000000000000000';
  const added = path.replace(id, id2);
  writeFileSync(added, readFileSync(path, 'utf8').replaceAll(id, id2));
  git('add', '-A');
  git('commit', '-qm', 'mine');
  writeFileSync(added, readFileSync(added, 'utf8').replace('\ntwo\n', '\nEDITED\n'));
  await store.memory.adopt('hold');
  const found = await store.memory.show(id2);
  expect(found.ok && found.answer.body).toBe('one\nEDITED\nthree\n');
});

it('an edit that is pushed into the repository stays, although a push checks no file out', async () => {
  const clone = join(store.home, 'clone');
  git('clone', '-q', folder, clone);
  const theirs = path.replace(folder, clone);
  writeFileSync(theirs, readFileSync(theirs, 'utf8').replace('\ntwo\n', '\nPUSHED\n'));
  personsGit(clone, 'commit', '-aqm', 'elsewhere');
  git('config', 'receive.denyCurrentBranch', 'ignore');
  personsGit(clone, 'push', '-q', 'origin', 'HEAD:main');
  await next();
  expect(await body()).toBe('one\nPUSHED\nthree\n');
  expect(readFileSync(path, 'utf8')).toContain('PUSHED');
});

it('an edit that is reverted in another clone and pulled stays reverted', async () => {
  const clone = join(store.home, 'clone');
  git('clone', '-q', folder, clone);
  const theirs = path.replace(folder, clone);
  writeFileSync(theirs, readFileSync(theirs, 'utf8').replace('\ntwo\n', '\nTAKEN\n'));
  personsGit(clone, 'commit', '-aqm', 'elsewhere');
  personsGit(clone, 'revert', '--no-edit', 'HEAD');
  git('pull', '-q', clone, 'main');
  await next();
  expect(await body()).toBe('one\ntwo\nthree\n');
});

it('files that are removed after a commit stay removed and can be forgotten', async () => {
  const other = await writeNote(store.memory, { title: 'Other', body: 'one\ntwo\nthree\n' });
  await store.memory.finish();
  const paths = [path, other.path ?? ''];
  for (const one of paths) writeFileSync(one, readFileSync(one, 'utf8').replace('\ntwo\n', '\nMINE\n'));
  git('commit', '-aqm', 'mine');
  for (const one of paths) rmSync(one);
  await store.memory.adopt('hold');
  expect(existsSync(path)).toBe(false);
  await store.memory.adopt('record');
  expect([await body(), (await store.memory.show(other.id)).ok]).toEqual(['note-forgotten', false]);
});

it('an edit stays even if git has lost a commit that its reflog names', async () => {
  const log = join(folder, '.git', 'logs', 'HEAD');
  const before = git('rev-parse', 'HEAD').trim();
  replace('two', 'EDITED');
  git('commit', '-aqm', 'mine');
  const after = git('rev-parse', 'HEAD').trim();
  const lines = [before, 'd'.repeat(40), after].map(
    (to, at, all) => `${all[at - 1]} ${to} Pat <p@x.dev> 1 +0000\tcommit: x`,
  );
  writeFileSync(log, `${'0'.repeat(40)} ${before} Pat <p@x.dev> 1 +0000\tx\n${lines.slice(1).join('\n')}\n`);
  await next();
  expect(await body()).toBe('one\nEDITED\nthree\n');
});

it('our edit and a later one stay after a commit from an outdated git index', async () => {
  const index = readFileSync(join(folder, '.git', 'index'));
  await store.memory.perform({ kind: 'edit', id, set: { body: 'one\ntwo\nthree\nfour\n' } });
  await store.memory.finish();
  writeFileSync(join(folder, '.git', 'index'), index);
  git('commit', '--allow-empty', '-qm', 'stale');
  replace('one', 'EDITED');
  git('commit', '-aqm', 'mine');
  await next();
  expect(await body()).toBe('EDITED\ntwo\nthree\nfour\n');
});
