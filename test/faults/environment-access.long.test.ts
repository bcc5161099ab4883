import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { isLong } from '../support/run-length.js';
import {
  bodyOf,
  expectDenied,
  expectWhole,
  newFolder,
  openSite,
  pathWithGit,
  type Site,
  stranger,
  whyNoStranger,
} from './support/environment.js';

const noStranger = whyNoStranger();

vi.setConfig({ testTimeout: 300_000 });

/** Set by `npm run test:long`. */

/** A site of another user, to whom this test (as root) can deny files. */
const strangersSite = (): Site => {
  const folder = newFolder();
  chmodSync(folder, 0o777);
  return openSite(folder, stranger);
};

type Barred = readonly [file: string, denied: readonly string[], working: readonly string[]];
const barredInEveryRun: readonly Barred[] = [
  ['state.db', ['write', 'status'], ['search', 'list', 'replay']],
  ['config.json', ['write', 'status', 'search', 'list', 'replay'], []],
  ['memory/.git/HEAD', ['write', 'status', 'replay'], ['search', 'list']],
  ['memory/.git/objects/pack', ['write', 'status', 'replay'], ['search', 'list']],
  ['logs', [], ['write', 'status', 'search', 'list', 'replay']],
];
const barredInLongRuns: readonly Barred[] = [
  ['lock.db', ['write', 'status'], ['search', 'list', 'replay']],
  ['index', ['write', 'status', 'search', 'list', 'replay'], []],
  ['memory/.git', ['write', 'status', 'search', 'list', 'replay'], []],
  ['memory/.git/refs/heads/main', ['write', 'status', 'search', 'list', 'replay'], []],
  ['spool', [], ['write', 'status', 'search', 'list', 'replay']],
];

describe('a file or folder that this user may not access', () => {
  it('makes every command suggest chown when the whole store belongs to another user', ({ skip }) => {
    skip(noStranger !== undefined, noStranger);
    const folder = newFolder();
    chmodSync(folder, 0o777);
    openSite(folder).begin('First');
    const site = openSite(folder, stranger);
    const barred = new RegExp(`may not read or may not write ${site.store}; give the store back .* sudo chown -R`);
    for (const args of [
      ['search', 'x'],
      ['list'],
      ['status'],
      ['write', 'Second', '--body', 'x'],
      ['replay'],
      ['work'],
    ]) {
      expectDenied(site.run([...args, '--json']), 'not-permitted', barred);
    }
    const hook = site.run(['hook', 'UserPromptSubmit'], { input: '{"session_id":"s","cwd":"/","prompt":"x"}' });
    expect(hook).toEqual({ code: 0, stdout: '', stderr: '' });
    expectWhole(openSite(folder), ['First']);
  });

  it.for(isLong ? [...barredInEveryRun, ...barredInLongRuns] : barredInEveryRun)(
    'is named in the error: %s',
    ([name, denied, working], { skip }) => {
      skip(noStranger !== undefined, noStranger);
      const site = strangersSite();
      const titles = ['First'];
      site.begin('First');
      if (name === 'config.json') writeFileSync(join(site.store, name), '{}', { mode: 0o644 });
      const path = join(site.store, name);
      const mode = statSync(path).mode & 0o777;
      chmodSync(path, 0);
      const argumentsOf: Readonly<Record<string, readonly string[]>> = {
        write: ['write', 'Second', '--body', 'x'],
        search: ['search', 'say'],
      };
      for (const command of denied) {
        const ran = site.run([...(argumentsOf[command] ?? [command]), '--json']);
        expectDenied(ran, 'not-permitted', new RegExp(`may not read or may not write ${path}\\b`));
      }
      for (const command of working) {
        expect(site.run(argumentsOf[command] ?? [command])).toMatchObject({ code: 0, stderr: '' });
        if (command === 'write') titles.push('Second');
      }
      chmodSync(path, mode);
      site.write('Last');
      expectWhole(site, [...titles, 'Last']);
    },
  );

  it('is rebuilt if it belongs to the index', ({ skip }) => {
    skip(noStranger !== undefined, noStranger);
    const site = strangersSite();
    const id = site.begin('First');
    for (const kind of [/^v\d+-\d{6}\.db$/, /^current/]) {
      const name = readdirSync(join(site.store, 'index')).find((one) => kind.test(one)) ?? '';
      chmodSync(join(site.store, 'index', name), 0);
      expect(site.json('search', 'say').hits).toMatchObject([{ id }]);
    }
    expectWhole(site, ['First']);
  });

  it('is left alone if it is a note, which is then read from the journal', ({ skip }) => {
    skip(noStranger !== undefined, noStranger);
    const site = strangersSite();
    const id = site.begin('First');
    const file = site.json('show', id).path;
    chmodSync(file, 0);
    expect(site.json('show', id).body).toContain(bodyOf('First'));
    expect(site.json('status').left).toMatchObject([{ reason: expect.stringContaining('not readable') }]);
    expect(site.run(['tag', id, 'x'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('then repeat the command'),
    });
    site.write('Second');
    chmodSync(file, 0o600);
    site.json('tag', id, 'x');
    expectWhole(site, ['First', 'Second']);
  });

  it('does not stop notes from being recorded if it is their folder', ({ skip }) => {
    skip(noStranger !== undefined, noStranger);
    const site = strangersSite();
    site.begin('First');
    const folder = join(site.store, 'memory', 'semantic');
    chmodSync(folder, 0o500);
    const ran = site.run(['write', 'Second', '--body', bodyOf('Second'), '--project', 'shop', '--json']);
    expect(ran).toMatchObject({ code: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: 'recorded',
      title: 'Second',
      warnings: [expect.stringMatching(/^it is recorded, but the note files do not show it yet: this user may not/)],
    });
    expect(site.json('search', 'second').hits[0]).toMatchObject({ title: 'Second' });
    chmodSync(folder, 0o700);
    site.write('Third');
    expectWhole(site, ['First', 'Second', 'Third']);
  });
});

describe('git', () => {
  const missing = /^anamnesis: git could not be started; install git \(2\.34 or newer\)/;
  const tooOld = /^anamnesis: git 2\.20\.1 is too old: 2\.34 or newer is needed; install git 2\.34 or newer/;
  const oldGit = 'case " $* " in *" version "*) echo "git version 2.20.1";; *) echo "usage: git" >&2; exit 129;; esac';
  const cases = [
    ['that is missing', undefined, 'git-missing', missing],
    ['that cannot be run', 'not executable', 'git-missing', missing],
    ['that is too old', oldGit, 'git-too-old', tooOld],
  ] as const;

  it.each(cases)('%s stops the commands that need it, but not those that only read', (_, script, code, message) => {
    const site = openSite(newFolder());
    const id = site.begin('First');
    const path = pathWithGit(script);
    if (script === 'not executable') chmodSync(join(path, 'git'), 0o644);
    for (const args of [
      ['write', 'Second', '--body', 'x'],
      ['tag', id, 'second'],
      ['adopt'],
      ['replay'],
      ['verify'],
      ['show', id, '--at', '2026-01-01'],
      ['compact'],
    ]) {
      expectDenied(site.run([...args, '--json'], { path }), code, message);
    }
    for (const args of [['search', 'say'], ['show', id], ['list'], ['history', id], ['inject', '--project', 'shop']]) {
      expect(site.run(args, { path })).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('irst') });
    }
    const doctor = site.run(['doctor'], { path });
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(/✗ git .*\n.*install git 2\.34 or newer/) });
    expectWhole(site, ['First']);
  });

  it.each(cases)('%s leaves no half-made store', (_, script, code, message) => {
    const site = openSite(newFolder());
    const path = pathWithGit(script);
    if (script === 'not executable') chmodSync(join(path, 'git'), 0o644);
    expectDenied(site.run(['write', 'First', '--body', 'x', '--json'], { path }), code, message);
    expect(existsSync(join(site.store, 'memory', '.git'))).toBe(false);
    site.write('First');
    expectWhole(site, ['First']);
  });

  it('of version 2.34 is new enough, and doctor says what it lacks', () => {
    const site = openSite(newFolder());
    const real = process.env['PATH'];
    const path = pathWithGit(
      `PATH='${real}'; case " $* " in *" version "*) echo "git version 2.34.1";; *) exec git "$@";; esac`,
    );
    expect(site.run(['write', 'First', '--body', 'x'], { path })).toMatchObject({ code: 0 });
    expect(site.run(['doctor'], { path }).stdout).toMatch(/! git .*power cut.*\n.*2\.36/);
  });
});

describe('a process limit', () => {
  it.each(isLong ? [20, 22, 24, 26, 28, 30, 32] : [28])(
    'of %d open files is reported, and nothing is half written',
    (files) => {
      const site = openSite(newFolder());
      site.begin('First');
      const ran = site.run(['write', 'Second', '--body', 'x', '--json'], { limit: `ulimit -n ${files}` });
      expectDenied(ran, 'limit-reached', /may open no more files; raise the limit \(ulimit -n\)/);
      site.write('Last');
      expectWhole(site, ['First', 'Last']);
    },
  );

  it('on file size is reported, and recorded notes survive', () => {
    const site = openSite(newFolder());
    const id = site.begin('First');
    const titles = ['First'];
    for (const blocks of isLong ? [0, 1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 160, 200] : [0, 32, 64]) {
      const limit = `ulimit -f ${blocks}`;
      const title = `With ${blocks}`;
      const ran = site.run(['write', title, '--body', bodyOf(title), '--json'], { limit });
      if (ran.code === 0) titles.push(title);
      else expectDenied(ran, 'limit-reached', /may not grow any more; raise the limit on the size of files/);
      expect(site.run(['show', id], { limit })).toMatchObject({ code: 0, stderr: '' });
    }
    site.write('Last');
    expectWhole(site, [...titles, 'Last']);
  });
});
