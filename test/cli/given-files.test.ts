/** Files and folders that a command is given and that are none. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program } from '../support/built-program.js';
import { openHome, type TestHome } from './support.js';

let home: TestHome;
beforeAll(() => {
  home = openHome();
  home.json(['write', 'Deploys need the VPN', '--body', 'x']);
  mkdirSync(join(home.work, 'folder'));
});
afterAll(() => home.remove());

const isLinux = process.platform === 'linux';

/** Ended where it reads on and on. */
const ran = (args: readonly string[], input?: string) => {
  const done = spawnSync(process.execPath, ['--max-old-space-size=400', program, ...args], {
    cwd: home.work,
    env: home.env,
    encoding: 'utf8',
    timeout: 20_000,
    ...(input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] } : { input }),
  });
  return { code: done.status, stderr: done.stderr };
};

describe.skipIf(process.platform === 'win32')('a path that leads nowhere', () => {
  const long = 'x'.repeat(5000);
  it.each([
    ['loop', 'a link to itself'],
    [long, 'a name that is too long'],
  ])('is refused as one that is not there, and is no fault: %#, %s', (path) => {
    if (path === 'loop') symlinkSync('loop', join(home.work, 'loop'));
    const claude = ['import', '--claude-home', path];
    for (const words of [['import', path, '--project', 'p'], ['restore-backup', path], claude]) {
      expect(ran(words)).toEqual({ code: 1, stderr: expect.not.stringContaining('internal error') });
    }
    if (path === long) expect(ran(['backup', path])).toEqual({ code: 1, stderr: expect.stringMatching(/ too long/) });
  });
  it.each([
    ['import', '', '--project', 'p'],
    ['import', '--claude-home', ''],
    ['backup', ''],
    ['restore-backup', ''],
    ['project', ''],
    ['write', 'T', '--body-file', ''],
    ['purge', '--literal', '', '--dry-run'],
    ['capture', '--transcript', ''],
    ['init', '--print', '--home', ''],
    ['uninstall', '--print', '--home', ''],
    ['doctor', '--home', ''],
    ['work', '--home', ''],
    ['eval', 'run', '--eval-set', ''],
    ['eval', 'bench', ''],
    ['eval', 'prompts', ''],
    ['eval', 'compare', '', 'after.json'],
    ['eval', 'compare', 'before.json', ''],
    ['model', 'install', ''],
  ])('is a usage error where it is empty: %s', (...words) => {
    expect(ran(words)).toEqual({ code: 2, stderr: expect.stringMatching(/^anamnesis: \S+ is an empty path; /) });
  });
});

describe.skipIf(process.platform === 'win32')('project', () => {
  it.each([['project'], ['project', 'trust'], ['project', 'untrust']])(
    'refuses a file for a folder: %s %s',
    (...words) => {
      expect(ran([...words, '/dev/null'])).toEqual({
        code: 1,
        stderr: 'anamnesis: folder must be a folder that exists; given: /dev/null; give another folder\n',
      });
    },
  );
});

describe.runIf(isLinux)('a device, a pipe or a window on memory', () => {
  it.each(['/proc/self/mem', '/dev/zero', '/dev/null', 'folder'])('is no transcript: %s', (path) => {
    const { code, stderr } = ran(['capture', '--transcript', path]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^anamnesis: transcript must be .*; give /),
    });
  });
  it.each([
    ['/dev/zero', /^anamnesis: body has at most 262144 bytes; given: more than 262144 bytes; split the text /],
    [
      '/proc/self/mem',
      /^anamnesis: body-file must be a file that can be read; given: \/proc\/self\/mem \(EIO: i\/o error\)/,
    ],
    ['folder', /^anamnesis: body-file must be .*\(it is a folder\)/],
  ])('is no text of a note: %s', (path, words) => {
    expect(ran(['write', 'T', '--body-file', path])).toEqual({ code: 1, stderr: expect.stringMatching(words) });
  });
  it.each(['/dev/zero', '/proc/self/mem', 'folder'])('is nothing to purge: %s', (path) => {
    expect(ran(['purge', '--literal', path, '--dry-run'])).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^anamnesis: literal must be a file with text in UTF-8; /),
    });
  });
  it.each(['/dev/zero', '/proc/self/mem', 'folder'])('is no eval set and no report: %s', (path) => {
    const words = /^anamnesis: .* can't be read: .*; /;
    expect(ran(['eval', 'run', '--eval-set', path])).toEqual({ code: 2, stderr: expect.stringMatching(words) });
    expect(ran(['eval', 'compare', path, path])).toEqual({ code: 2, stderr: expect.stringMatching(words) });
  });
  it('is nothing to import, whatever it is said to be', () => {
    spawnSync('mkfifo', [join(home.work, 'pipe')]);
    for (const path of ['/dev/zero', 'pipe']) {
      for (const format of path === 'pipe' ? ['jsonl'] : ['jsonl', 'mcp-memory', 'markdown']) {
        expect(ran(['import', path, '--from', format, '--project', 'p'])).toEqual({
          code: 1,
          stderr: `anamnesis: path must be a file or a folder, not a pipe or device; given: ${path}; give another path\n`,
        });
      }
    }
  });
  it.each(['/dev/zero', 'folder'])('is named as no file where a backup is wanted: %s', (path) => {
    expect(ran(['restore-backup', path])).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^anamnesis: \/\S+ is no file, but a (device or a pipe|folder); /),
    });
  });
  it('is no backup', () => {
    expect(ran(['restore-backup', '/proc/self/mem'])).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^anamnesis: \/proc\/self\/mem can't be restored: it can't be read \(EIO/),
    });
  });
});

describe('a text that is too long', () => {
  const long = 'x'.repeat(256 * 1024 + 1);
  const refused = { code: 1, stderr: expect.stringMatching(/^anamnesis: body has at most 262144 bytes; given: /) };
  it('is refused from a file and from standard input, as one that is typed is', () => {
    writeFileSync(join(home.work, 'long.md'), long);
    expect(ran(['write', 'T', '--body-file', 'long.md'])).toEqual(refused);
    expect(ran(['write', 'T', '--body-file', '-'], long)).toEqual(refused);
    expect(ran(['write', 'T'], long)).toEqual(refused);
    expect(ran(['write', 'T'], 'ö'.repeat(9 * 1024 * 1024))).toEqual(refused);
  });
  it('may have the whole limit', () => {
    expect(ran(['write', 'Whole', '--body-file', '-'], long.slice(1)).code).toBe(0);
  });
});

describe.runIf(isLinux)('an import from another process', () => {
  const importFrom = (format: string, command: string) => {
    const line = `'${process.execPath}' '${program}' import --from ${format} --project p <(${command})`;
    const done = spawnSync('bash', ['-c', line], { cwd: home.work, env: home.env, encoding: 'utf8', timeout: 20_000 });
    return { code: done.status, stdout: done.stdout, stderr: done.stderr };
  };
  it.each([
    ['markdown', "'# Piped' '' 'From a pipe.'"],
    ['basic-memory', "'# Piped as well' '' 'From another pipe.'"],
    ['mcp-memory', `'{"type":"entity","name":"Piped graph","entityType":"x","observations":["From a third."]}'`],
  ])('takes %s as bash names it', (format, lines) => {
    const { code, stdout } = importFrom(format, `sleep 0.2; printf '%s\\n' ${lines}`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('1 imported') });
  });
  it.each(['markdown', 'mcp-memory'])('ends where %s never does', (format) => {
    const { code, stderr } = importFrom(format, 'cat /dev/zero');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/more than \d+ bytes/) });
  });
  it('ends where nobody writes', () => {
    spawnSync('mkfifo', [join(home.work, 'silent.md')]);
    const { code, stderr } = ran(['import', 'silent.md', '--from', 'markdown', '--project', 'p']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('nothing is written into it') });
  });
});

describe.runIf(isLinux)('a text', () => {
  it('comes from another process as bash names it', () => {
    const line = `'${process.execPath}' '${program}' write Piped --body-file <(sleep 0.2; echo from elsewhere)`;
    expect(spawnSync('bash', ['-c', line], { cwd: home.work, env: home.env }).status).toBe(0);
    expect(home.json(['search', 'elsewhere']).hits).toMatchObject([{ title: 'Piped' }]);
  });
});
