import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { replayStore } from '../../src/maintenance/replaying.js';
import { verifyStore } from '../../src/maintenance/verifying.js';
import { purgeStore } from '../../src/purge/purging.js';
import { bundleChild, startChild } from '../support/children.js';
import { byLength } from '../support/run-length.js';
import { openStore, personsGit, temporaryFolder, writeNote } from '../support/store.js';

const secret = 'correct-horse-battery';
/** Every step in the long run, otherwise every third. */
const stride = byLength(6, 6, 1);

describe('a purge that is killed at any step', () => {
  let program = '';
  const folders: string[] = [];
  beforeAll(async () => {
    program = await bundleChild('killed-purge');
  });
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  const makeTemplate = async (): Promise<{ home: string; ids: readonly string[] }> => {
    const home = temporaryFolder();
    folders.push(home);
    const store = openStore({ home });
    await writeNote(store.memory, { title: 'Before' });
    const bad = await writeNote(store.memory, { title: 'Bad', body: `${secret}\nline\n` });
    await store.memory.perform({ kind: 'edit', id: bad.id, set: { tags: [secret] } });
    await writeNote(store.memory, { title: 'Here', body: `${secret}\n`, scope: 'machine-local' });
    personsGit(join(home, 'memory'), 'update-ref', 'refs/anamnesis/rescue/1', 'main~1');
    await writeNote(store.memory, { title: 'After' });
    const ids = (await store.memory.events({ oldestFirst: true }, 100)).map(({ id }) => id);
    await store.memory.finish();
    return { home, ids };
  };

  it('leaves the old history or the new one in a working store, and is finished by repeating it', async () => {
    const { home: template, ids } = await makeTemplate();
    const copy = (): string => {
      const home = temporaryFolder();
      folders.push(home);
      cpSync(template, home, { recursive: true });
      return home;
    };
    const whole = await startChild(program, [copy(), secret, '0']).ended;
    const steps = whole.stdout.trim().split('\n');
    expect(steps.at(-1)).toBe('clean');
    expect(steps.length).toBeGreaterThan(12);
    for (let step = 1; step < steps.length; step += stride) {
      const home = copy();
      const killed = await startChild(program, [home, secret, String(step)]).ended;
      expect(killed.signal, `step ${step}: ${steps[step - 1]}`).toBe('SIGKILL');
      const store = openStore({ home });
      // Wherever it was killed, the next command works and no event is lost.
      const next = await writeNote(store.memory, { title: 'In between' });
      const between = (await store.memory.events({ oldestFirst: true }, 100)).filter(
        ({ kind }) => kind !== 'notes.purged',
      );
      expect(between.map(({ id }) => id).slice(0, ids.length)).toEqual(ids);
      const done = await purgeStore(store.memory, { what: { kind: 'literal', text: secret } });
      expect(done.ok && done.answer.checked.flatMap(({ found }) => found), steps[step - 1]).toEqual([]);
      const refs = personsGit(join(home, 'memory'), 'for-each-ref', '--format=%(refname)').trim().split('\n');
      expect(refs.filter((ref) => !ref.startsWith('refs/anamnesis/purges/'))).toEqual([
        'refs/anamnesis/head',
        'refs/anamnesis/rescue/1',
        'refs/heads/main',
      ]);
      const purges = await store.memory.events({ kind: 'notes.purged' }, 10);
      expect(purges.map(({ journal }) => journal).sort(), steps[step - 1]).toEqual(['local', 'portable']);
      expect((await store.memory.show(next.id)).ok).toBe(true);
      expect((await verifyStore(store.memory)).problems).toEqual([]);
      expect((await replayStore(store.memory, { verify: true })).verified).toBe(true);
      await store.memory.finish();
      expect(personsGit(join(home, 'memory'), 'status', '--porcelain')).toBe('');
      rmSync(home, { recursive: true, force: true });
    }
  }, 300_000);

  it('leaves a whole store even when its git children are killed with it at any moment', async () => {
    const { home: template, ids } = await makeTemplate();
    const begin = async (): Promise<{ readonly home: string; readonly child: ChildProcessWithoutNullStreams }> => {
      const home = temporaryFolder();
      folders.push(home);
      cpSync(template, home, { recursive: true });
      const child = spawn(process.execPath, [program, home, secret, '0'], { detached: true, stdio: 'pipe' });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      return { home, child };
    };
    // The kills are spread over the time that a purge takes on this machine.
    const whole = await begin();
    const sinceMs = performance.now();
    await new Promise((resolve) => whole.child.on('exit', resolve));
    const wholeMs = performance.now() - sinceMs;
    let killed = 0;
    for (let round = 0; round < 36; round += stride) {
      const { home, child } = await begin();
      const ended = new Promise<string | null>((resolve) => child.on('exit', (_, signal) => resolve(signal)));
      await sleep((round / 36) * wholeMs);
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It had already ended.
      }
      if ((await ended) === 'SIGKILL') killed += 1;
      for (const name of ['memory', 'local']) {
        expect(personsGit(join(home, name), 'fsck', '--full')).not.toMatch(/missing|broken/);
      }
      const store = openStore({ home });
      const done = await purgeStore(store.memory, { what: { kind: 'literal', text: secret } });
      expect(done.ok && done.answer.checked.flatMap(({ found }) => found), `round ${round}`).toEqual([]);
      const now = (await store.memory.events({ oldestFirst: true }, 100)).map(({ id }) => id);
      expect(now.slice(0, ids.length)).toEqual(ids);
      expect((await verifyStore(store.memory)).problems).toEqual([]);
      await store.memory.finish();
      rmSync(home, { recursive: true, force: true });
    }
    expect(killed).toBeGreaterThan(3);
  }, 300_000);
});
