/**
 * A store of the version in which a note could be in both journals (made at commit 2b4836f2): on machine one of two,
 * with a conflict, a purge, unpublished events, a note that is local here and portable on machine two, a local note's
 * file copied into memory/, a file in memory/ that says `scope: machine-local`, and a move that was killed between its
 * two commits. Whatever the version, it opens without losing a text, and nothing local leaves it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { keptProgram } from '../support/built-program.js';

const archive = resolve('test/stores/before-one-journal.tar.gz');

type Unpacked = {
  readonly folder: string;
  readonly anamnesis: (...args: readonly string[]) => string;
  readonly git: (repository: string, ...args: readonly string[]) => string;
};

const unpack = (): Unpacked => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'anamnesis-before-')));
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  const remote = join(folder, 'remote.git');
  writeFileSync(join(folder, 'one', 'config.json'), JSON.stringify({ remote }));
  const git = (repository: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'safe.directory=*', '-C', join(folder, repository), ...args], { encoding: 'utf8' });
  git('one/memory', 'remote', 'set-url', 'origin', remote);
  const env = { PATH: process.env['PATH'], HOME: folder, ANAMNESIS_MACHINE_ID: 'one' };
  const anamnesis = (...args: readonly string[]) =>
    execFileSync(process.execPath, [keptProgram, ...args], {
      encoding: 'utf8',
      env: { ...env, ANAMNESIS_HOME: join(folder, 'one') },
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: folder,
    });
  return { folder, anamnesis, git };
};

/** Every blob and message that a ref of the repository reaches. */
const allObjects = ({ folder, git }: Unpacked, repository: string): string => {
  const ids = git(repository, 'rev-list', '--objects', '--all').replaceAll(/ .*$/gm, '');
  return execFileSync('git', ['-C', join(folder, repository), 'cat-file', '--batch'], { encoding: 'utf8', input: ids });
};

/** What machine one had acknowledged or found in a file. */
const texts = [
  'Without it the image registry is unreachable.',
  'Without the VPN the registry does not answer (two).',
  'Ask Kim for the VPN profile first (one).',
  'The counter starts again in January.',
  'LOCAL-CANARY one: a fact of one machine.',
  'LOCAL-CANARY text of one, stays here',
  'KILLED: half moved',
  'HELD: before',
  'Never in euros.',
  'By hand.',
  'CI does the rest.',
];

describe('a store in which notes were in both journals', () => {
  let store: Unpacked;
  beforeAll(() => {
    store = unpack();
    store.anamnesis('write', 'The first note of the new version', '--body', 'NEW-VERSION text');
    store.anamnesis('sync');
    return () => rmSync(store.folder, { recursive: true, force: true });
  });

  it.each(texts)('keeps %j in its history', (text) => {
    expect(['one/memory', 'one/local'].map((name) => allObjects(store, name)).join('\n')).toContain(text);
  });
  it('keeps the text of the file in memory/ that said machine-local, in the file at least', () => {
    const files = execFileSync('grep', ['-rhs', 'HELD: after', join(store.folder, 'one')], { encoding: 'utf8' });
    expect(files).toContain('HELD: after');
  });
  it('publishes nothing that was machine-local, and what was portable', () => {
    const published = allObjects(store, 'remote.git');
    for (const text of ['LOCAL-CANARY one', 'LOCAL-CANARY text of one', 'LOCAL-CANARY HELD', 'copied fact of one'])
      expect(published).not.toContain(text);
    expect(published).toContain('Never in euros.');
    expect(published).toContain('NEW-VERSION text');
  });
  it('does not bring back what was purged', () => {
    for (const name of ['one/memory', 'one/local', 'remote.git'])
      expect(allObjects(store, name)).not.toContain('purged-canary-4711');
  });
  it('lists each note once, under the text that this machine saw', () => {
    const { notes } = JSON.parse(store.anamnesis('list', '--json', '--limit', '50'));
    const titles = notes.map(({ title }: { title: string }) => title);
    expect(titles).toContain('A note made machine-local');
    expect(titles).toContain('Release by tag');
    expect(new Set(notes.map(({ id }: { id: string }) => id)).size).toBe(notes.length);
  });
  it('still has the conflict to be resolved', () => {
    expect(store.anamnesis('conflicts')).toContain('Deploys need the VPN');
  });
});

it('rewrites nothing of the history of such a store', () => {
  const store = unpack();
  onTestFinished(() => rmSync(store.folder, { recursive: true, force: true }));
  const heads = (['memory', 'local'] as const).map((name) => store.git(`one/${name}`, 'rev-parse', 'HEAD').trim());
  store.anamnesis('write', 'One more', '--body', 'text');
  store.git('one/memory', 'merge-base', '--is-ancestor', heads[0] ?? '', 'main');
  store.git('one/local', 'merge-base', '--is-ancestor', heads[1] ?? '', 'main');
});
