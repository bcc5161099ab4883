/** A pipe, folder or foreign file in place of one of ours that has no notes: it is repaired, or reported with a fix. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHome, type TestHome } from '../cli/support.js';

let home: TestHome;
beforeEach(() => {
  home = openHome();
  home.json(['write', 'Deploys need the VPN', '--body', 'The registry hangs without it.', '--project', 'shop']);
  home.json(['search', 'vpn']);
});
afterEach(() => home.remove());

const inIndex = (pattern: RegExp): string => {
  const folder = join(home.store, 'index');
  return join(folder, readdirSync(folder).find((name) => pattern.test(name)) ?? 'none');
};
const titles = (): readonly string[] => home.json(['search', 'vpn']).hits.map(({ title }: { title: string }) => title);
const start = () =>
  home.run(['hook', 'SessionStart'], {
    input: JSON.stringify({ session_id: 's', cwd: home.work, source: 'startup' }),
  });

describe('the pointer to the index', () => {
  it.each<[string, (file: string) => void]>([
    ['a pipe', (file) => execFileSync('mkfifo', [file])],
    ['a link to a device', (file) => symlinkSync('/dev/zero', file)],
    ['a folder', (file) => mkdirSync(file)],
  ])('may be %s: the index is rebuilt', (_, put) => {
    const file = inIndex(/^current-v/);
    rmSync(file);
    put(file);
    expect(titles()).toEqual(['Deploys need the VPN']);
  });
});

describe.skipIf(process.platform === 'win32')('the lock of the index', () => {
  it.each<[string, (file: string) => void]>([
    ['a pipe', (file) => execFileSync('mkfifo', [file])],
    ['a folder', (file) => mkdirSync(file)],
    ['a link to a device', (file) => symlinkSync('/dev/zero', file)],
    ['any text', (file) => writeFileSync(file, 'x'.repeat(5000))],
  ])('may be %s: the index is rebuilt', { timeout: 20_000 }, (_, put) => {
    const file = inIndex(/^publishing/);
    rmSync(file);
    put(file);
    expect(home.run(['replay']).code).toBe(0);
    expect(titles()).toEqual(['Deploys need the VPN']);
  });
});

describe.skipIf(process.platform === 'win32')('the log', () => {
  it('may be a pipe without a reader: sessions still get their notes', { timeout: 20_000 }, () => {
    mkdirSync(join(home.store, 'logs'), { recursive: true });
    rmSync(join(home.store, 'logs', 'anamnesis.log'), { force: true });
    execFileSync('mkfifo', [join(home.store, 'logs', 'anamnesis.log')]);
    // A damaged index makes the hook write to the log.
    writeFileSync(inIndex(/^v\d+-\d+\.db$/), 'x'.repeat(100));
    expect(start().stdout).toContain('VPN');
  });
});

describe('the index', () => {
  it('may be a folder: a new index is built and the folder removed', () => {
    const file = inIndex(/^v\d+-\d+\.db$/);
    rmSync(file);
    mkdirSync(file);
    expect(titles()).toEqual(['Deploys need the VPN']);
    expect(home.run(['replay']).code).toBe(0);
    expect(
      readdirSync(join(home.store, 'index')).filter((name) => statSync(join(home.store, 'index', name)).isDirectory()),
    ).toEqual([]);
  });
});

describe('agents.db', () => {
  it.each([
    ['views', 'DROP TABLE sessions; CREATE VIEW sessions AS SELECT 1 AS session'],
    ['triggers', "CREATE TRIGGER t BEFORE INSERT ON sessions BEGIN SELECT raise(ABORT, 'no'); END"],
  ])('may contain %s: it is recreated, and sessions still get their notes', (_, sql) => {
    expect(start().stdout).toContain('VPN');
    const database = new Database(join(home.store, 'agents.db'));
    database.exec(sql);
    database.close();
    expect(start().stdout).toContain('VPN');
    expect(home.run(['status']).code).toBe(0);
  });
});

describe('state.db', () => {
  it.each<[string, (file: string) => void]>([
    ['a folder', (file) => mkdirSync(file)],
    [
      'the database of another program',
      (file) => {
        const database = new Database(file);
        database.exec('CREATE VIEW files AS SELECT 1 AS path');
        database.close();
      },
    ],
  ])('is reported, with what to do, if it is %s', (_, put) => {
    for (const name of readdirSync(home.store).filter((one) => one.startsWith('state.db')))
      rmSync(join(home.store, name));
    put(join(home.store, 'state.db'));
    const { code, stderr } = home.run(['write', 'Another', '--body', 'text']);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/state\.db is damaged; it holds no note; .*remove that file/);
    expect(stderr).not.toContain('internal error');
  });
});

describe.skipIf(process.platform === 'win32')('a journal', () => {
  it.each([
    ...['HEAD', 'config', 'index', 'packed-refs', 'shallow', 'commondir', 'info/exclude', 'info/grafts'],
    ...['objects/info/alternates', 'logs/HEAD', 'logs/refs/heads/main', 'FETCH_HEAD', 'refs/heads/main'],
  ])('is reported as damaged if git would block on a pipe in place of its %s', { timeout: 60_000 }, (name) => {
    const file = join(home.store, 'memory', '.git', name);
    rmSync(file, { force: true });
    mkdirSync(dirname(file), { recursive: true });
    execFileSync('mkfifo', [file]);
    expect(home.run(['write', 'Ports', '--body', 'x'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`${file} is not a regular file`),
    });
    expect(home.run(['status'])).toMatchObject({ code: 3 });
    expect(home.run(['doctor'])).toMatchObject({
      code: 3,
      stdout: expect.stringContaining(`${file} is not a regular file`),
    });
  });
});
