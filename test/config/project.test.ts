import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainIgnored, findProject, projectOfFolder } from '../../src/config/project.js';
import { processorMs } from '../support/processor-time.js';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'anamnesis-project-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const repository = (name: string, origin?: string): string => {
  const folder = join(home, name);
  mkdirSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, '.git', 'config'), origin === undefined ? '' : `[remote "origin"]\n\turl = ${origin}\n`);
  return folder;
};

const mark = (folder: string, text: string | Buffer): string => {
  mkdirSync(join(folder, '.anamnesis'), { recursive: true });
  const file = join(folder, '.anamnesis', 'project');
  writeFileSync(file, text);
  return file;
};

const found = (folder: string, trusted?: Readonly<Record<string, string>>) =>
  findProject(folder, { userHome: home, trusted });

describe('the project of a folder', () => {
  it('is its origin remote, its repository, or its name', () => {
    const shop = repository('Work', 'https://me:p@ss@github.com/acme/shop.git');
    mkdirSync(join(shop, 'src'));
    expect(found(join(shop, 'src'))).toMatchObject({ key: 'github.com/acme/shop', from: 'remote' });
    expect(found(repository('Plain'))).toMatchObject({ key: 'plain', from: 'repository' });
    mkdirSync(join(home, 'notes'));
    expect(found(join(home, 'notes'))).toMatchObject({ key: 'notes', from: 'folder' });
    expect(found(home)).toMatchObject({ key: 'global', from: 'home' });
  });

  it('is that of the folders above if the folder has become a file or has an impossible name', () => {
    const shop = repository('shop', 'https://github.com/acme/shop');
    for (const at of [shop, home]) {
      writeFileSync(join(at, 'notes'), '');
      for (const below of ['notes', join('notes', 'deeper'), 'x'.repeat(300)]) {
        const { key, marker } = found(join(at, below));
        expect(key).toBe(at === shop ? 'github.com/acme/shop' : found(join(home, 'gone', basename(below))).key);
        expect(marker).toBeUndefined();
      }
    }
    expect(found(`${shop}/a\0b`)).toEqual({ key: 'global', from: 'folder' });
  });

  it('is that of the main repository in a worktree', () => {
    const main = repository('main');
    rmSync(join(main, '.git'), { recursive: true });
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', main, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    git('init', '-q');
    git('remote', 'add', 'origin', 'git@github.com:acme/shop.git');
    git('commit', '-q', '--allow-empty', '-m', 'x');
    git('worktree', 'add', '-q', join(home, 'side'));
    expect(projectOfFolder(join(home, 'side'), home)).toBe('github.com/acme/shop');
  });
});

describe('a marker', () => {
  it("may name its folder's own project, or a part of the remote's project", () => {
    const shop = repository('shop', 'https://github.com/acme/shop');
    mark(shop, 'github.com/Acme/Shop\n');
    expect(found(shop)).toMatchObject({ key: 'github.com/Acme/Shop', from: 'marker' });
    mkdirSync(join(shop, 'api'));
    mark(join(shop, 'api'), 'github.com/acme/shop/api');
    expect(found(join(shop, 'api'))).toMatchObject({ key: 'github.com/acme/shop/api', from: 'marker' });
    const plain = join(home, 'plain');
    mark(plain, 'plain');
    expect(found(plain)).toMatchObject({ key: 'plain', from: 'marker' });
  });

  it('of someone else names no other project', () => {
    const evil = repository('evil', 'https://github.com/evil/evil');
    for (const key of ['github.com/acme/payroll', 'payroll', 'evil', 'github.com/evil', 'github.com/evil/evil2']) {
      mark(evil, key);
      expect(found(evil)).toMatchObject({
        key: 'github.com/evil/evil',
        from: 'remote',
        ignored: expect.stringContaining(key),
      });
    }
    // An archive can give a folder any name.
    const unpacked = join(home, 'github.com');
    mark(unpacked, 'github.com/acme/payroll');
    expect(projectOfFolder(unpacked, home)).toBe('github.com');
  });

  it('that the person confirmed for its folder counts, until it names something else', () => {
    const fork = repository('fork', 'https://github.com/me/shop');
    mark(fork, 'github.com/acme/shop');
    const trusted = { [fork]: 'github.com/acme/shop' };
    mkdirSync(join(fork, 'deep'));
    expect(found(join(fork, 'deep'), trusted)).toMatchObject({ key: 'github.com/acme/shop', from: 'marker' });
    mark(fork, 'github.com/acme/payroll');
    expect(found(fork, trusted)).toMatchObject({
      key: 'github.com/me/shop',
      ignored: expect.stringContaining('confirmed'),
    });
    expect(found(fork, { [join(home, 'other')]: 'github.com/acme/payroll' }).key).toBe('github.com/me/shop');
  });

  it('that is ignored hides none above it', () => {
    const team = join(home, 'team');
    mark(team, 'acme-team');
    const plain = join(team, 'plain');
    mark(plain, 'payroll');
    expect(found(plain, { [team]: 'acme-team' })).toMatchObject({ key: 'acme-team', ignored: expect.any(String) });
  });

  it('never stands for every project, even if confirmed', () => {
    const evil = repository('evil');
    mark(evil, 'global\n');
    expect(found(evil, { [evil]: 'global' })).toMatchObject({
      key: 'evil',
      ignored: expect.stringContaining('every project'),
    });
  });

  it('is ignored if it or its folder is a link', () => {
    writeFileSync(join(home, '.git-credentials'), 'https://me:secret@github.com\n');
    const evil = repository('evil');
    mkdirSync(join(evil, '.anamnesis'));
    symlinkSync('../../.git-credentials', join(evil, '.anamnesis', 'project'));
    expect(found(evil)).toMatchObject({ key: 'evil', ignored: 'it is a link' });
    rmSync(join(evil, '.anamnesis'), { recursive: true });
    mark(join(home, 'elsewhere'), 'evil');
    symlinkSync('../elsewhere/.anamnesis', join(evil, '.anamnesis'));
    expect(found(evil)).toMatchObject({ from: 'repository', ignored: 'its folder is a link' });
  });

  it('is read only up to a limit, and never blocks', () => {
    const big = repository('big');
    const file = mark(big, '');
    truncateSync(file, 1_500_000_000);
    const begin = processorMs();
    expect(found(big)).toMatchObject({ key: 'big', ignored: expect.stringContaining('4096') });
    rmSync(file);
    execFileSync('mkfifo', [file]);
    expect(found(big)).toMatchObject({ key: 'big', ignored: 'it is not a file' });
    rmSync(file);
    mkdirSync(file);
    expect(found(big)).toMatchObject({ key: 'big', ignored: 'it is not a file' });
    expect(processorMs() - begin).toBeLessThan(200);
  });

  it.each(['', '\n', 'a\nb', 'a\x1b]0;x\x07', 'a\u202eb', Buffer.from([0xff, 0xfe]), 'x'.repeat(300)])(
    'containing %j names nothing, and its content is not repeated',
    (text) => {
      const folder = repository('shop');
      mark(folder, text);
      const project = found(folder);
      expect(project.key).toBe('shop');
      expect(explainIgnored(project)).toMatch(/^[\x20-\x7e]+$/);
    },
  );

  it('that is ignored comes with the command that confirms it', () => {
    const fork = repository("it's", 'https://github.com/me/shop');
    mark(fork, 'github.com/acme/shop');
    expect(explainIgnored(found(fork))).toContain(`run: anamnesis project trust '${home}/it'\\''s'`);
    expect(explainIgnored(found(fork, { [fork]: 'github.com/acme/shop' }))).toBeUndefined();
  });
});

describe('finding a project', () => {
  it('is fast, even if a configuration is full of white space', () => {
    const folder = repository('spaces', `x${' '.repeat(60_000)}x`);
    const begin = processorMs();
    expect(found(folder).from).not.toBe('marker');
    expect(processorMs() - begin).toBeLessThan(500);
  });

  it('looks only at the parents near a deep folder', () => {
    const begin = processorMs();
    for (const segments of [500, 2000, 8000, 100_000]) found(`${home}${'/a'.repeat(segments)}`);
    expect(found(`${home}${'/a'.repeat(8000)}`)).toMatchObject({ key: 'global' });
    expect(processorMs() - begin).toBeLessThan(500);
  });
});
