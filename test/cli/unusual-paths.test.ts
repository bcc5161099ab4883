/** Commands that are given paths of no ordinary file or folder. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptProgram } from '../support/built-program.js';
import { openHome, type TestHome } from './support.js';

let home: TestHome;
beforeAll(async () => {
  home = openHome();
  await home.json(['write', 'Deploys need the VPN', '--body', 'x']);
  mkdirSync(join(home.work, 'folder'));
});
afterAll(() => home.remove());

const isLinux = process.platform === 'linux';

const run = async (args: readonly string[], input?: string) => {
  const { code, stderr } = await home.run(args, input === undefined ? {} : { input });
  return { code, stderr };
};

describe.skipIf(process.platform === 'win32')('a path that leads nowhere', () => {
  const long = 'x'.repeat(5000);
  it.each([
    ['loop', 'a link to itself'],
    [long, 'a name that is too long'],
  ])('is refused as missing, without an internal error: %#, %s', async (path) => {
    if (path === 'loop') symlinkSync('loop', join(home.work, 'loop'));
    const claude = ['import', '--claude-home', path];
    for (const words of [['import', path, '--project', 'p'], ['restore-backup', path], claude]) {
      expect(await run(words)).toEqual({ code: 1, stderr: expect.not.stringContaining('internal error') });
    }
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
    ['model', 'install', ''],
  ])('is a usage error when it is empty: %s', async (...words) => {
    expect(await run(words)).toEqual({ code: 2, stderr: expect.stringMatching(/^anamnesis: \S+ is an empty path; /) });
  });
});

describe.skipIf(process.platform === 'win32')('project', () => {
  it.each([['project'], ['project', 'trust'], ['project', 'untrust']])(
    'refuses a file in place of a folder: %s %s',
    async (...words) => {
      expect(await run([...words, '/dev/null'])).toEqual({
        code: 1,
        stderr: 'anamnesis: folder must be a folder that exists; given: /dev/null; give another folder\n',
      });
    },
  );
});

describe.runIf(isLinux)('a device, a pipe, a folder or a view of memory', () => {
  it.each(['/proc/self/mem', '/dev/zero', '/dev/null', 'folder'])('is refused as a transcript: %s', async (path) => {
    const { code, stderr } = await run(['capture', '--transcript', path]);
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
  ])('is refused as the text of a note: %s', async (path, words) => {
    expect(await run(['write', 'T', '--body-file', path])).toEqual({ code: 1, stderr: expect.stringMatching(words) });
  });
  it.each(['/dev/zero', '/proc/self/mem', 'folder'])('is refused as a text to purge: %s', async (path) => {
    expect(await run(['purge', '--literal', path, '--dry-run'])).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^anamnesis: literal must be a file with text in UTF-8; /),
    });
  });
  it.each(['/dev/zero', '/proc/self/mem', 'folder'])('is refused as an eval set: %s', async (path) => {
    const words = /^anamnesis: .* can't be read: .*; /;
    expect(await run(['eval', 'run', '--eval-set', path])).toEqual({ code: 2, stderr: expect.stringMatching(words) });
  });
  it('is refused by import, whatever the format given', async () => {
    spawnSync('mkfifo', [join(home.work, 'pipe')]);
    for (const path of ['/dev/zero', 'pipe']) {
      for (const format of path === 'pipe' ? ['jsonl'] : ['jsonl', 'mcp-memory', 'markdown']) {
        expect(await run(['import', path, '--from', format, '--project', 'p'])).toEqual({
          code: 1,
          stderr: `anamnesis: path must be a file or a folder, not a pipe or device; given: ${path}; give another path\n`,
        });
      }
    }
  });
  it.each(['/dev/zero', 'folder'])('is named for what it is when a backup is expected: %s', async (path) => {
    expect(await run(['restore-backup', path])).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^anamnesis: \/\S+ is no file, but a (device or a pipe|folder); /),
    });
  });
  it('is refused as a backup', async () => {
    expect(await run(['restore-backup', '/proc/self/mem'])).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^anamnesis: \/proc\/self\/mem can't be restored: it can't be read \(EIO/),
    });
  });
});

describe('a text that is too long', () => {
  const long = 'x'.repeat(256 * 1024 + 1);
  const refused = { code: 1, stderr: expect.stringMatching(/^anamnesis: body has at most 262144 bytes; given: /) };
  it('is refused from a file and from standard input, like one that is typed', async () => {
    writeFileSync(join(home.work, 'long.md'), long);
    expect(await run(['write', 'T', '--body-file', 'long.md'])).toEqual(refused);
    expect(await run(['write', 'T', '--body-file', '-'], long)).toEqual(refused);
    expect(await run(['write', 'T'], long)).toEqual(refused);
    expect(await run(['write', 'T'], 'ö'.repeat(9 * 1024 * 1024))).toEqual(refused);
  });
  it('is accepted at exactly the limit', async () => {
    expect((await run(['write', 'Whole', '--body-file', '-'], long.slice(1))).code).toBe(0);
  });
});

describe.runIf(isLinux)('the path that bash gives for another process', () => {
  const bash = (args: string, command: string) => {
    const line = `'${process.execPath}' '${keptProgram}' ${args} <(${command})`;
    const ran = spawnSync('bash', ['-c', line], { cwd: home.work, env: home.env, encoding: 'utf8', timeout: 20_000 });
    return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
  };
  const importFrom = (format: string, command: string) => bash(`import --from ${format} --project p`, command);
  it.each([
    ['markdown', "'# Piped' '' 'From a pipe.'"],
    ['basic-memory', "'# Piped as well' '' 'From another pipe.'"],
    ['mcp-memory', `'{"type":"entity","name":"Piped graph","entityType":"x","observations":["From a third."]}'`],
  ])('is read by an import of %s', (format, lines) => {
    const { code, stdout } = importFrom(format, `sleep 0.1; printf '%s\\n' ${lines}`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('1 imported') });
  });
  it.each(['markdown', 'mcp-memory'])('ends an import of %s when the input never ends', (format) => {
    const { code, stderr } = importFrom(format, 'cat /dev/zero');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/more than \d+ bytes/) });
  });
  it('may have the text of a note', async () => {
    expect(bash('write Piped --body-file', 'sleep 0.1; echo from elsewhere').code).toBe(0);
    expect((await home.json(['search', 'elsewhere'])).hits).toMatchObject([{ title: 'Piped' }]);
  });
});
