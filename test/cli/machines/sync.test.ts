import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runHere } from '../../support/command-line.js';

/** The program on two machines, with a bare repository between them. */
let folder: string;
let bare: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anamnesis-sync-'));
  bare = join(folder, 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (machine: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
  const env = { PATH: process.env['PATH'], HOME: folder, ANAMNESIS_HOME: join(folder, machine), ...more };
  return runHere(args, { cwd: folder, env: { ...env, ANAMNESIS_MACHINE_ID: machine } });
};
const json = async (machine: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
  const { stdout, stderr } = await run(machine, [...args, '--json'], more);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
};
const write = (machine: string, title: string) =>
  json(machine, ['write', title, '--body', `${title}.`, '--project', 'global']);

describe('anamnesis sync', () => {
  it('reports what was pulled and pushed and where the head is', async () => {
    await write('one', 'Ports');
    await run('one', ['remote', 'set', bare]);
    const answer = await json('one', ['sync']);
    expect(answer).toMatchObject({ outcome: 'synced', pushed: 1, pulled: 0, conflicted: 0, merged: 0, trouble: null });
    expect(answer.head).toBe(execFileSync('git', ['-C', bare, 'rev-parse', 'main'], { encoding: 'utf8' }).trim());
    expect((await run('one', ['sync'])).stdout).toBe(`synced: the same as ${bare}\n`);
  });

  it('of a store without a remote records here and ends with 0', async () => {
    await write('one', 'Ports');
    expect(await run('one', ['sync'])).toMatchObject({
      code: 0,
      stdout: 'local-only: recorded here; this store has no remote\n',
    });
  });

  it('ends with 1 when the remote is missing, says so in one line, and status shows it until the remote exists', async () => {
    await write('one', 'Ports');
    await run('one', ['remote', 'set', join(folder, 'nowhere.git')]);
    const failed = await run('one', ['sync']);
    expect(failed.code).toBe(1);
    expect(failed.stdout.split('\n')).toHaveLength(2);
    expect(failed.stderr).toContain('anamnesis remote set');
    expect((await json('one', ['status'])).sync).toMatchObject({ trouble: { code: 'missing' }, unpublished: 1 });
    execFileSync('git', ['init', '--quiet', '--bare', join(folder, 'nowhere.git')]);
    expect((await run('one', ['sync'])).code).toBe(0);
    expect((await json('one', ['status'])).sync).toMatchObject({ trouble: null, unpublished: 0 });
  });

  it('recognises a remote that denies access by what ssh says', async () => {
    await write('one', 'Ports');
    const ssh = join(folder, 'ssh');
    writeFileSync(ssh, '#!/bin/sh\necho "me@host: Permission denied (publickey)." >&2\nexit 255\n');
    chmodSync(ssh, 0o755);
    await run('one', ['remote', 'set', 'me@host:memory.git']);
    const answer = await json('one', ['sync'], { GIT_SSH_COMMAND: ssh });
    expect(answer).toMatchObject({ outcome: 'auth', trouble: { code: 'auth' } });
    expect((await run('one', ['status'])).stdout).toContain('access denied since');
  });

  it('shows and logs no credentials', async () => {
    await write('one', 'Ports');
    const secret = 'hunter2secret';
    await run('one', ['remote', 'set', `https://me:${secret}@127.0.0.1:1/memory.git`]);
    const said = [
      await run('one', ['sync']),
      await run('one', ['status']),
      await run('one', ['remote', 'show']),
      await run('one', ['config', 'list']),
    ];
    for (const { stdout, stderr } of said) expect(stdout + stderr).not.toContain(secret);
    const logs = join(folder, 'one', 'logs');
    for (const name of existsSync(logs) ? readdirSync(logs) : [])
      expect(readFileSync(join(logs, name), 'utf8')).not.toContain(secret);
  });

  it('refuses addresses that would start a program or be read as an option', async () => {
    for (const address of ['ext::sh -c true', '--upload-pack=touch /tmp/x', 'ssh://-oProxyCommand=x/y', '-x@host:y']) {
      const refused = await run('one', ['remote', 'set', '--', address]);
      expect(refused.code, address).toBe(1);
      expect(refused.stderr, address).toContain('not the address of a git remote');
    }
  });
});

describe('a new machine', () => {
  it('is rebuilt by replay alone', async () => {
    await write('one', 'Ports');
    await json('one', ['sync'], { ANAMNESIS_GIT_REMOTE: bare });
    const replayed = await json('two', ['replay'], { ANAMNESIS_GIT_REMOTE: bare });
    expect(replayed).toMatchObject({ notes: 1, events: 1, digest: (await json('one', ['replay'])).digest });
  });

  it('is told when there is nothing to rebuild it from', async () => {
    const failed = await run('two', ['replay'], { ANAMNESIS_GIT_REMOTE: join(folder, 'nowhere.git') });
    expect(failed.code).not.toBe(0);
    expect(failed.stderr).toContain('nothing is here yet');
  });

  it('is synced by init', async () => {
    await write('one', 'Ports');
    await json('one', ['sync'], { ANAMNESIS_GIT_REMOTE: bare });
    const done = await run('two', ['init', '--yes', '--remote', bare, '--no-hooks', '--no-mcp']);
    expect(done).toMatchObject({ code: 0 });
    expect(done.stdout).toContain('pulled 1 event');
    expect((await json('two', ['list'])).total ?? (await json('two', ['list'])).notes.length).toBe(1);
  });
});

describe('background sync', () => {
  it('happens when the worker runs, unless it is switched off', async () => {
    await write('one', 'Ports');
    await run('one', ['remote', 'set', bare]);
    await run('one', ['config', 'set', 'sync', 'false']);
    expect(await json('one', ['work'])).toMatchObject({ pushed: 0 });
    await run('one', ['config', 'set', 'sync', 'true']);
    expect(await json('one', ['work'])).toMatchObject({ pushed: 1, problems: [] });
  });

  it('reports no problem with an unreachable remote, and an import still succeeds', async () => {
    await write('one', 'Ports');
    await run('one', ['remote', 'set', bare]);
    await run('one', ['sync']);
    renameSync(bare, `${bare}.away`);
    writeFileSync(join(folder, 'note.md'), '# Taken in\n\nFrom a file.\n');
    const imported = await run('one', ['import', join(folder, 'note.md'), '--project', 'notes']);
    expect(imported.code).toBe(0);
    expect(imported.stderr).toContain('not synced:');
    expect(await json('one', ['work'])).toMatchObject({ pushed: 0, problems: [] });
  });
});
