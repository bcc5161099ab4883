import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitError } from '../../../../src/events/git/git-process.js';
import { runNetworkGit } from '../../../../src/events/git/remote/git-network.js';
import { openGitTransport } from '../../../../src/events/git/remote/git-transport.js';
import { hideCredentials, parseAddress, showAddress } from '../../../../src/events/git/remote/remote-address.js';
import { temporaryFolder } from '../../../support/store.js';

describe('the output of a remote', () => {
  let folder: string;
  const folders = () => ({ gitDir: join(folder, '.git'), workTree: folder });
  const failureOf = async (run: Promise<Buffer>): Promise<GitError> => {
    const error = await run.then(() => undefined).catch((cause: unknown) => cause);
    if (error instanceof GitError) return error;
    throw new Error('it did not fail as a git call', { cause: error });
  };
  /** The URL of a remote for which this script stands in for ssh. */
  const remoteRunning = (script: string): string => {
    const program = join(folder, 'ssh');
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o700);
    process.env['GIT_SSH_COMMAND'] = program;
    return 'ssh://remote.example/memory.git';
  };
  beforeEach(() => {
    folder = temporaryFolder();
    execFileSync('git', ['init', '-q', '-b', 'main', folder]);
  });
  afterEach(() => {
    delete process.env['GIT_SSH_COMMAND'];
    rmSync(folder, { recursive: true, force: true });
  });

  it('is kept up to its last line, cut to a bounded length and read quickly', async () => {
    const url = remoteRunning("head -c 1000000 /dev/zero | tr '\\\\0' a >&2; echo 'fatal: the last word' >&2; exit 1");
    const started = performance.now();
    const { stderr, message } = await failureOf(runNetworkGit(folders(), ['ls-remote', '--', url]));
    expect(performance.now() - started).toBeLessThan(5000);
    expect(stderr.length).toBeLessThanOrEqual(65 * 1024);
    expect(stderr).toContain('fatal: the last word');
    expect(message.length).toBeLessThan(66 * 1024);
  });

  it('is kept without overwritten progress when ssh ends its lines with CR LF', async () => {
    const reason = 'ssh: Could not resolve hostname remote.example: Name or service not known';
    const url = remoteRunning(`printf 'old\\rReceiving objects: 1%%\\r\\n${reason}\\r\\n' >&2; exit 255`);
    const { stderr } = await failureOf(runNetworkGit(folders(), ['ls-remote', '--', url]));
    expect(stderr.split('\n')[0]).toBe(reason);
    await expect(openGitTransport(folders(), url).refs()).rejects.toThrow(`${url} can't be reached: ${reason}`);
  });

  it('is cut off when it would never end', async () => {
    const url = remoteRunning("yes 'Receiving objects: 1%' >&2");
    const { stderr, exitCode } = await failureOf(runNetworkGit(folders(), ['ls-remote', '--', url]));
    expect(exitCode).toBeNull();
    expect(stderr).toMatch(/^it said more than \d+ bytes/);
  });

  it('is refused when it lists megabytes of machine refs', async () => {
    const commit = execFileSync('git', [
      '-C',
      folder,
      '-c',
      'user.name=x',
      '-c',
      'user.email=x',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'x',
    ]).toString();
    expect(commit).toBe('');
    const id = execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
    const refs = Array.from(
      { length: 60_000 },
      (_, at) => `${id} refs/anamnesis/machines/m${String(at).padStart(8, '0')}`,
    );
    writeFileSync(join(folder, '.git', 'packed-refs'), `# pack-refs with: sorted\n${refs.join('\n')}\n`);
    const error = await failureOf(runNetworkGit(folders(), ['ls-remote', '--', folder, 'refs/anamnesis/machines/*']));
    expect(error.exitCode).toBeNull();
    expect(error.stderr).toMatch(/^it answered with more than \d+ bytes/);
    expect(error.stderr.length).toBeLessThan(70 * 1024);
  });

  it('is shown without the secrets in an address, whatever git repeats of it', async () => {
    const url = "http://127.0.0.1:9/x.git?private_token=a'b";
    const error = await failureOf(runNetworkGit(folders(), ['ls-remote', '--', url]));
    expect(error.stderr).toContain('http://127.0.0.1:9/x.git?…');
    expect(`${error.stderr} ${error.message}`).not.toContain("a'b");
  });
});

describe('an address', () => {
  it.each([
    ['https://user:pass@host/x.git', 'https://host/x.git'],
    ['https://user:p@ss@host/x.git', 'https://host/x.git'],
    ['ssh://git@host:22/x', 'ssh://host:22/x'],
    ["unable to access 'https://u:p@h/': refused", "unable to access 'https://h/': refused"],
    ['git@host:x.git', 'git@host:x.git'],
    ['1https://u:p@h/ and http://a:b@c', '1https://h/ and http://c'],
  ])('is shown without credentials inside a text: %s', (text, shown) => {
    expect(hideCredentials(text)).toBe(shown);
  });
  it.each([
    ['https://host/x.git?private_token=abc', 'https://host/x.git?…'],
    ["unable to access 'https://host/x.git?t=abc/': refused", "unable to access 'https://host/x.git?…': refused"],
    ['a ? b of http://h/x?t=a and http://h/y?t=b', 'a ? b of http://h/x?… and http://h/y?…'],
  ])('is shown without its query: %s', (text, shown) => {
    expect(hideCredentials(text)).toBe(shown);
  });
  it.each([
    [`https://user:p'w@host/x.git`, 'https://host/x.git'],
    [`https://host/x.git?t=a'b c`, 'https://host/x.git?…'],
    [`https://host/ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}/x.git`, 'https://host/[REDACTED:github-token]/x.git'],
    ['git@host:x.git', 'git@host:x.git'],
    ['/srv/memory?.git', '/srv/memory?.git'],
    ['ssh://git@host:22/x', 'ssh://host:22/x'],
  ])('is shown without credentials on its own: %s', (url, shown) => {
    expect(showAddress(url)).toBe(shown);
  });
  it.each([
    ['pat@host:memory.git', 'ssh'],
    ['pat@corp.example@host:memory.git', 'ssh'],
    ['[::1]:memory.git', 'ssh'],
    ['./memory.git', 'path'],
  ])('is recognised: %s', (text, kind) => {
    expect(parseAddress(text, '/home', '/home')).toMatchObject({ ok: true, kind });
  });
  it('is refused quickly when it is longer than any path', () => {
    for (const unit of ['a', '@', '[', 'a@', '://', ':', '://?', '?']) {
      const started = performance.now();
      expect(parseAddress(unit.repeat(100_000), '/home', '/home')).toMatchObject({ ok: false });
      hideCredentials(unit.repeat(1_000_000));
      expect(performance.now() - started).toBeLessThan(1000);
    }
  });
});
