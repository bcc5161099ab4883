/** What git says when it can't reach a remote, and what that means: only what passes by itself is offline. */
import { describe, expect, it } from 'vitest';
import { GitError } from '../../../../src/events/git/git-process.js';
import { toTransportError } from '../../../../src/events/git/remote/git-transport.js';

const couldNotRead =
  'fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n';
const errorFor = (stderr: string, exitCode: number | null = 128) =>
  toTransportError(new GitError(['fetch'], exitCode, stderr), 'box:memory.git');

describe('offline means', () => {
  it.each([
    ['a name that nobody knows', `ssh: Could not resolve hostname box: Name or service not known\n${couldNotRead}`],
    ['a name that https can’t resolve', "fatal: unable to access 'https://box/x': Could not resolve host: box\n"],
    ['a machine without the service', `ssh: connect to host box port 22: Connection refused\n${couldNotRead}`],
    ['a machine that is off', `ssh: connect to host box port 22: No route to host\n${couldNotRead}`],
    ['no network', `ssh: connect to host box port 22: Network is unreachable\n${couldNotRead}`],
    ['a slow line', `ssh: connect to host box port 22: Connection timed out\n${couldNotRead}`],
    ['a busy server', "fatal: unable to access 'https://box/x': The requested URL returned error: 503\n"],
    [
      'a server that takes no more calls',
      `kex_exchange_identification: Connection closed by remote host\n${couldNotRead}`,
    ],
    ['a call that was cut', 'fatal: the remote end hung up unexpectedly\n'],
  ])('%s', (_, stderr) => {
    expect(errorFor(stderr).code).toBe('offline');
  });

  it('a remote that says nothing for a minute', () => {
    expect(errorFor('no answer for 60 s\n', null).code).toBe('offline');
  });
});

describe('a fault that doesn’t pass is a state of its own, in git’s words:', () => {
  it.each([
    [
      'a folder of another user',
      "fatal: detected dubious ownership in repository at '/srv/m.git'\n",
      'dubious ownership',
    ],
    ['an unreadable ~/.gitconfig', "fatal: unable to access '/home/a/.gitconfig': Permission denied\n", '.gitconfig'],
    ['an ssh config of another user', `Bad owner or permissions on /home/a/.ssh/config\n${couldNotRead}`, 'Bad owner'],
    ['ids of another kind', 'fatal: mismatched algorithms: client sha1; server sha256\n', 'mismatched algorithms'],
    [
      'a proxy that wants a password',
      "fatal: unable to access 'https://box/x': Received HTTP code 407 from proxy after CONNECT\n",
      '407',
    ],
  ])('%s', (_, stderr, words) => {
    expect(errorFor(stderr)).toMatchObject({ code: 'failed', message: expect.stringContaining(words) });
  });

  it.each([
    ['a key that may only read', 'ERROR: The key you are authenticating with has been marked as read only.'],
    ['a suspended account', 'ERROR: Your account is suspended. Please contact support.'],
    ['a full disk there', 'remote: fatal: write error: No space left on device'],
  ])('the remote’s own words are quoted: %s', (_, line) => {
    const { code, message } = errorFor(`${line}\nfatal: the remote end hung up unexpectedly\n`);
    expect(code).toBe('failed');
    expect(message).toContain(line.replace(/^(?:ERROR|remote): /, ''));
  });

  it('at most three lines of them, without secrets', () => {
    const lines = ['one', 'two', `token ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`, 'four'];
    const { message } = errorFor(lines.map((line) => `remote: ${line}\n`).join(''));
    expect(message).toMatch(/one \/ two \/ token \[REDACTED:/);
    expect(message).not.toContain('ghp_');
  });
});

describe('what a person must change has a name:', () => {
  it.each([
    ['auth', `git@box: Permission denied (publickey).\n${couldNotRead}`],
    ['auth', `Host key verification failed.\n${couldNotRead}`],
    ['auth', "fatal: unable to access 'https://box/x': The requested URL returned error: 403\n"],
    ['refused', '!\tabc:refs/heads/main\t[remote rejected] (pre-receive hook declined)\n'],
    ['missing', "fatal: '/srv/m.git' does not appear to be a git repository\n"],
    ['damaged', 'fatal: bad object refs/heads/main\n'],
  ])('%s', (code, stderr) => {
    expect(errorFor(stderr).code).toBe(code);
  });
});
