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

describe.runIf(isLinux)('a device, a pipe, a folder or a view of memory', () => {
  const strange = ['/dev/zero', '/proc/self/mem', 'folder'];
  it.each<[string, readonly string[], number, RegExp]>([
    ['capture --transcript PATH', ['/dev/zero', 'folder', '/dev/null'], 1, /transcript must be .*; give /],
    ['write T --body-file PATH', strange, 1, /body has at most 262144 bytes; given: more than|body-file must be .*\(/],
    ['purge --dry-run --literal PATH', strange, 1, /literal must be a file with text in UTF-8; /],
    ['eval run --eval-set PATH', strange, 2, /.* can't be read: .*; /],
    [
      'import PATH --from jsonl --project p',
      ['/dev/zero', 'pipe'],
      1,
      /path must be a file or a folder, not a pipe or/,
    ],
    [
      'import PATH --from mcp-memory --project p',
      ['/dev/zero', 'pipe'],
      1,
      /path must be a file or a folder, not a pipe or/,
    ],
    ['import PATH --from markdown --project p', ['/dev/zero'], 1, /path must be a file or a folder, not a pipe or/],
    ['restore-backup PATH', strange, 1, /\/\S+ (?:is no file, but a|can't be restored: it can't be read \(EIO)/],
    ['project PATH', ['/dev/null'], 1, /folder must be a folder that exists; given: \/dev\/null; give another folder$/],
    ['project trust PATH', ['/dev/null'], 1, /folder must be a folder that exists; /],
    ['project untrust PATH', ['/dev/null'], 1, /folder must be a folder that exists; /],
  ])('is refused by %s', async (line, paths, code, words) => {
    spawnSync('mkfifo', [join(home.work, 'pipe')]);
    for (const path of paths) {
      const ran = await run(line.split(' ').map((word) => (word === 'PATH' ? path : word)));
      expect([path, ran.code, ran.stderr.trimEnd()]).toEqual([path, code, expect.stringMatching(words)]);
    }
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
  it('may have the text of a note', async () => {
    expect(bash('write Piped --body-file', 'sleep 0.1; echo from elsewhere').code).toBe(0);
    expect((await home.json(['search', 'elsewhere'])).hits).toMatchObject([{ title: 'Piped' }]);
  });
});
