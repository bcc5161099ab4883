import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NoteJson } from '../../src/store/note-json.js';
import { type Machine, makeMachine, openSession } from '../e2e/support/agent.js';
import { removeFolder } from '../support/remove-folder.js';

const cli = join(process.cwd(), 'dist', 'cli.js');

describe('hooks and the background worker', () => {
  let machine: Machine;
  beforeEach(() => {
    machine = makeMachine();
  });
  afterEach(() => {
    chmodSync(machine.home, 0o700);
    removeFolder(machine.home);
  });
  const captured = (): readonly NoteJson[] =>
    machine.json<{ notes: readonly NoteJson[] }>('list', '--tag', 'session', '-n', '50').notes;
  const run = (args: readonly string[], input: string, extra: NodeJS.ProcessEnv = {}) => {
    const child = spawn(process.execPath, [cli, ...args], {
      env: { ...machine.environment, ...extra },
      cwd: machine.home,
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        printed += chunk;
      });
    }
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const ended = once(child, 'close').then(([code]) => ({ code, printed }));
    return { child, ended };
  };

  it('capture each of eight sessions exactly once when all end together and workers are killed repeatedly', async () => {
    machine.anamnesis(['init-store']);
    const folder = machine.project('shop');
    const sessions = Array.from({ length: 8 }, () => openSession(machine, folder));
    for (const [at, session] of sessions.entries()) {
      await session.turn(`Rename module number ${at}`, `Module ${at} has its new name.`, [`src/m${at}.ts`]);
    }
    await Promise.all(sessions.flatMap((session) => [session.end(), session.end()]));
    for (let round = 0; round < 12; round += 1) {
      const { child, ended } = run(['work'], '');
      await sleep(150 + round * 40);
      child.kill('SIGKILL');
      await ended;
    }
    await machine.settled();
    expect(
      captured()
        .map(({ prov_session }) => prov_session)
        .sort(),
    ).toEqual(sessions.map(({ id }) => id).sort());
    expect(readdirSync(join(machine.store, 'spool')).filter((name) => name.endsWith('.json'))).toEqual([]);
    expect(machine.anamnesis(['replay', '--verify'])).toContain('the same as before');
  });

  it.each([
    ['nothing at all', ''],
    ['invalid JSON', 'hello'],
    ['a truncated object', '{"session_id":"x'],
    ['an array', '[1,2]'],
    ['fields of the wrong types', '{"session_id":{},"transcript_path":[],"cwd":7,"prompt":null}'],
    [
      'nonexistent paths',
      '{"session_id":"x","transcript_path":"/no/such/file","cwd":"/no/such/folder","prompt":"why"}',
    ],
    ['a ten-megabyte prompt', `{"session_id":"x","cwd":"/","prompt":"${'deploy '.repeat(1_500_000)}"}`],
  ])('exit with 0 and print nothing when given %s', async (_, input) => {
    machine.anamnesis(['init-store']);
    const events = ['SessionStart', 'UserPromptSubmit', 'Stop', 'PreCompact', 'PostCompact', 'SessionEnd'];
    for (const event of [...events, 'SubagentStart', 'SubagentStop', 'PermissionRequest', 'NoSuchEvent']) {
      expect(await run(['hook', event], input).ended, event).toEqual({ code: 0, printed: '' });
    }
  });

  it.each([
    ['the settings are damaged', (store: string) => writeFileSync(join(store, 'config.json'), '{half')],
    ['state.db is damaged', (store: string) => writeFileSync(join(store, 'state.db'), 'no database'.repeat(1000))],
    ['the store is gone', (store: string) => removeFolder(store)],
    [
      'the spool is a file',
      (store: string) => {
        rmSync(join(store, 'spool'), { recursive: true, force: true });
        writeFileSync(join(store, 'spool'), '');
      },
    ],
  ])('exit with 0 and print nothing or a valid answer when %s', async (_, damage) => {
    machine.anamnesis(['write', 'A note', '--body', 'text', '--project', 'global']);
    damage(machine.store);
    const payload = JSON.stringify({
      session_id: 's',
      transcript_path: '/none',
      cwd: machine.home,
      prompt: 'a note text',
    });
    for (const event of ['SessionStart', 'UserPromptSubmit', 'Stop', 'PreCompact', 'SessionEnd', 'SubagentStop']) {
      const { code, printed } = await run(['hook', event], payload).ended;
      expect(code, event).toBe(0);
      expect(printed === '' || JSON.parse(printed).hookSpecificOutput !== undefined, printed).toBe(true);
    }
  });

  it('do nothing inside an agent that Anamnesis itself started', async () => {
    machine.anamnesis(['write', 'A note', '--body', 'text', '--project', 'global']);
    const folder = machine.project('shop');
    const session = openSession(machine, folder);
    await session.turn('Do a thing', 'Done.', ['a.ts']);
    rmSync(join(machine.store, 'spool'), { recursive: true, force: true });
    const payload = JSON.stringify({ session_id: session.id, transcript_path: session.transcript, cwd: folder });
    for (const event of ['SessionStart', 'Stop', 'SessionEnd']) {
      const done = await run(['hook', event], payload, { ANAMNESIS_INSIDE: '1' }).ended;
      expect(done).toEqual({ code: 0, printed: '' });
    }
    expect(readdirSync(machine.store)).not.toContain('spool');
  });

  it('ignore a transcript that is missing, a folder or a device', async () => {
    machine.anamnesis(['init-store']);
    const folder = join(machine.home, 'folder.jsonl');
    mkdirSync(folder);
    for (const transcript of ['/no/such/file.jsonl', folder, '/dev/null', '/dev/zero']) {
      const payload = JSON.stringify({ session_id: `s${transcript.length}`, transcript_path: transcript, cwd: '/' });
      expect((await run(['hook', 'SessionEnd'], payload).ended).code).toBe(0);
    }
    await machine.settled();
    expect(captured()).toEqual([]);
    expect(readdirSync(join(machine.store, 'spool')).filter((name) => name.endsWith('.json'))).toEqual([]);
  });
});
