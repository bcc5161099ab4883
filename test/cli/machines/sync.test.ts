import { execFileSync, spawnSync } from 'node:child_process';
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
import { keptProgram } from '../../support/built-program.js';

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
  const ran = spawnSync(process.execPath, [keptProgram, ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      ANAMNESIS_HOME: join(folder, machine),
      ANAMNESIS_MACHINE_ID: machine,
      ...more,
    },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
};
const json = (machine: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
  const { out, err } = run(machine, [...args, '--json'], more);
  if (out === '') throw new Error(err);
  return JSON.parse(out);
};
const write = (machine: string, title: string) =>
  json(machine, ['write', title, '--body', `${title}.`, '--project', 'global']);

describe('anamnesis sync', () => {
  it('reports what was pulled and pushed and where the head is', () => {
    write('one', 'Ports');
    run('one', ['remote', 'set', bare]);
    const answer = json('one', ['sync']);
    expect(answer).toMatchObject({ outcome: 'synced', pushed: 1, pulled: 0, conflicted: 0, merged: 0, trouble: null });
    expect(answer.head).toBe(execFileSync('git', ['-C', bare, 'rev-parse', 'main'], { encoding: 'utf8' }).trim());
    expect(run('one', ['sync']).out).toBe(`synced: the same as ${bare}\n`);
  });

  it('of a store without a remote records here and ends with 0', () => {
    write('one', 'Ports');
    expect(run('one', ['sync'])).toMatchObject({
      code: 0,
      out: 'local-only: recorded here; this store has no remote\n',
    });
  });

  it('ends with 1 when the remote is missing, says so in one line, and status shows it until the remote exists', () => {
    write('one', 'Ports');
    run('one', ['remote', 'set', join(folder, 'nowhere.git')]);
    const failed = run('one', ['sync']);
    expect(failed.code).toBe(1);
    expect(failed.out.split('\n')).toHaveLength(2);
    expect(failed.err).toContain('anamnesis remote set');
    expect(json('one', ['status']).sync).toMatchObject({ trouble: { code: 'missing' }, unpublished: 1 });
    execFileSync('git', ['init', '--quiet', '--bare', join(folder, 'nowhere.git')]);
    expect(run('one', ['sync']).code).toBe(0);
    expect(json('one', ['status']).sync).toMatchObject({ trouble: null, unpublished: 0 });
  });

  it('recognises a remote that denies access by what ssh says', () => {
    write('one', 'Ports');
    const ssh = join(folder, 'ssh');
    writeFileSync(ssh, '#!/bin/sh\necho "me@host: Permission denied (publickey)." >&2\nexit 255\n');
    chmodSync(ssh, 0o755);
    run('one', ['remote', 'set', 'me@host:memory.git']);
    const answer = json('one', ['sync'], { GIT_SSH_COMMAND: ssh });
    expect(answer).toMatchObject({ outcome: 'auth', trouble: { code: 'auth' } });
    expect(run('one', ['status']).out).toContain('access denied since');
  });

  it('shows and logs no credentials', () => {
    write('one', 'Ports');
    const secret = 'hunter2secret';
    run('one', ['remote', 'set', `https://me:${secret}@127.0.0.1:1/memory.git`]);
    const said = [
      run('one', ['sync']),
      run('one', ['status']),
      run('one', ['remote', 'show']),
      run('one', ['config', 'list']),
    ];
    for (const { out, err } of said) expect(out + err).not.toContain(secret);
    const logs = join(folder, 'one', 'logs');
    for (const name of existsSync(logs) ? readdirSync(logs) : [])
      expect(readFileSync(join(logs, name), 'utf8')).not.toContain(secret);
  });

  it('refuses addresses that would start a program or be read as an option', () => {
    for (const address of ['ext::sh -c true', '--upload-pack=touch /tmp/x', 'ssh://-oProxyCommand=x/y', '-x@host:y']) {
      const refused = run('one', ['remote', 'set', '--', address]);
      expect(refused.code, address).toBe(1);
      expect(refused.err, address).toContain('not the address of a git remote');
    }
  });
});

describe('a new machine', () => {
  it('is rebuilt by replay alone', () => {
    write('one', 'Ports');
    json('one', ['sync'], { ANAMNESIS_GIT_REMOTE: bare });
    const replayed = json('two', ['replay'], { ANAMNESIS_GIT_REMOTE: bare });
    expect(replayed).toMatchObject({ notes: 1, events: 1, digest: json('one', ['replay']).digest });
  });

  it('is told when there is nothing to rebuild it from', () => {
    const failed = run('two', ['replay'], { ANAMNESIS_GIT_REMOTE: join(folder, 'nowhere.git') });
    expect(failed.code).not.toBe(0);
    expect(failed.err).toContain('nothing is here yet');
  });

  it('is synced by init', () => {
    write('one', 'Ports');
    json('one', ['sync'], { ANAMNESIS_GIT_REMOTE: bare });
    const done = run('two', ['init', '--yes', '--remote', bare, '--no-hooks', '--no-mcp']);
    expect(done).toMatchObject({ code: 0 });
    expect(done.out).toContain('pulled 1 event');
    expect(json('two', ['list']).total ?? json('two', ['list']).notes.length).toBe(1);
  });
});

describe('background sync', () => {
  it('happens when the worker runs, unless it is switched off', () => {
    write('one', 'Ports');
    run('one', ['remote', 'set', bare]);
    run('one', ['config', 'set', 'sync', 'false']);
    expect(json('one', ['work'])).toMatchObject({ pushed: 0 });
    run('one', ['config', 'set', 'sync', 'true']);
    expect(json('one', ['work'])).toMatchObject({ pushed: 1, problems: [] });
  });

  it('reports no problem with an unreachable remote, and an import still succeeds', () => {
    write('one', 'Ports');
    run('one', ['remote', 'set', bare]);
    run('one', ['sync']);
    renameSync(bare, `${bare}.away`);
    writeFileSync(join(folder, 'note.md'), '# Taken in\n\nFrom a file.\n');
    const imported = run('one', ['import', join(folder, 'note.md'), '--project', 'notes']);
    expect(imported.code).toBe(0);
    expect(imported.err).toContain('not synced:');
    expect(json('one', ['work'])).toMatchObject({ pushed: 0, problems: [] });
  });
});
