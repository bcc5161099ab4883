import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { keptProgram } from '../../support/built-program.js';
import { type Ran, runHere } from '../../support/command-line.js';
import { temporaryFolder } from '../../support/store.js';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
  return () => rmSync(folder, { recursive: true, force: true });
});

const environmentOf = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: folder,
  ANAMNESIS_HOME: join(folder, home),
  ANAMNESIS_MACHINE_ID: 'box',
});

const run = (home: string, ...args: readonly string[]): Promise<Ran> =>
  runHere(args, { cwd: folder, env: environmentOf(home) });
const jsonOf = ({ stdout }: Ran): ReturnType<typeof JSON.parse> => JSON.parse(stdout);

it('backup and restore-backup say what they did and what is in the file', async () => {
  expect((await run('one', 'write', 'A note', '--body', 'x')).code).toBe(0);
  writeFileSync(join(folder, 'one', 'config.json'), '{"provider_key":"k","recall_notes":2}');
  const written = await run('one', 'backup', 'b.tar');
  expect(written).toMatchObject({ code: 0, stderr: '' });
  expect(written.stdout).toMatch(/^written .*b\.tar: 1 note, 1 event\n/);
  expect(written.stdout).toMatch(/local notes\s+included: keep the file to yourself\n/);
  expect(written.stdout).toMatch(/settings\s+without provider_key\n/);
  const restored = await run('two', 'restore-backup', 'b.tar');
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringMatching(/^warning: provider_key is a secret/m) });
  expect(restored.stderr).toMatch(
    /\nthis store continues as machine box; if that one stays in use, .*: anamnesis config set machine_id NAME\n$/,
  );
  expect(restored.stdout).toMatch(/^restored .*two: 1 note, 1 event\n/);
  expect(restored.stdout).toMatch(/same heads, and a replay gives the same digests\n/);
  expect(JSON.parse(readFileSync(join(folder, 'two', 'config.json'), 'utf8'))).toEqual({ recall_notes: 2 });
});

it('restore-backup names the settings that it did not restore, and restores them when asked', async () => {
  await run('one', 'write', 'A note', '--body', 'x');
  writeFileSync(join(folder, 'one', 'config.json'), '{"approve_write":true,"recall_notes":2}');
  await run('one', 'backup', 'b.tar');
  const restored = await run('two', 'restore-backup', 'b.tar');
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/settings\s+restored, without 1 setting\n/),
  });
  expect(restored.stderr).toMatch(
    /^warning: the setting approve_write of the backup was not restored: true\n.*--with-settings/,
  );
  const taken = await run('two', 'restore-backup', 'b.tar', '--with-settings');
  expect(taken).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/settings\s+restored\n/) });
  expect(JSON.parse(readFileSync(join(folder, 'two', 'config.json'), 'utf8'))).toMatchObject({ approve_write: true });
});

it('backup and restore-backup print JSON', async () => {
  await run('one', 'write', 'A note', '--body', 'x');
  const written = jsonOf(await run('one', 'backup', 'b.tar', '--portable-only', '--with-secrets', '--json'));
  expect(written).toMatchObject({ status: 'written', manifest: { format: 1, machine: 'box', portable_only: true } });
  const restored = jsonOf(await run('two', 'restore-backup', 'b.tar', '--json'));
  expect(restored).toMatchObject({ status: 'restored', compared: 'equal', digests: written.manifest.digests });
});

it('refusals end with 1 and say what to do', async () => {
  expect(jsonOf(await run('none', 'backup', 'b.tar', '--json'))).toMatchObject({ error: { code: 'store-missing' } });
  expect(existsSync(join(folder, 'none'))).toBe(false);
  await run('one', 'write', 'A note', '--body', 'x');
  expect((await run('one', 'backup', 'b.tar')).code).toBe(0);
  expect(await run('one', 'backup', 'b.tar')).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
  expect((await run('one', 'backup', 'b.tar', '--force')).code).toBe(0);
  expect(await run('one', 'restore-backup', 'b.tar')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^unchanged/),
  });
  await run('one', 'write', 'Another', '--body', 'x');
  const occupied = await run('one', 'restore-backup', 'b.tar');
  expect(occupied).toMatchObject({ code: 1, stderr: expect.stringContaining('ANAMNESIS_HOME=') });
  writeFileSync(join(folder, 'b.tar'), 'x');
  const damaged = jsonOf(await run('two', 'restore-backup', 'b.tar', '--json'));
  expect(damaged).toMatchObject({ error: { code: 'backup-damaged' } });
  expect(await run('one', 'backup')).toMatchObject({ code: 2 });
});

it('compact prints sizes before and after, also as JSON', async () => {
  expect(await run('one', 'compact')).toMatchObject({ code: 0, stdout: 'unchanged there are no events yet\n' });
  expect(existsSync(join(folder, 'one'))).toBe(false);
  for (const title of ['A', 'B', 'C']) await run('one', 'write', title, '--body', 'x');
  const plain = await run('one', 'compact');
  expect(plain).toMatchObject({ code: 0, stderr: '' });
  expect(plain.stdout).toMatch(/^compacted in \d+ ms\njournal .*\nmemory +3 → 1 +[\d.]+ KiB → [\d.]+ KiB\n$/);
  expect(jsonOf(await run('one', 'compact', '--full', '--json'))).toMatchObject({
    journals: [{ journal: 'memory', before: { packs: 1 }, after: { packs: 1 } }],
  });
});

/** Kills the command and its git children, as when the machine stops. Returns whether it was still running. */
const kill = async (afterMs: number, home: string, ...args: readonly string[]): Promise<boolean> => {
  const options = { cwd: folder, env: environmentOf(home), detached: true, stdio: 'ignore' } as const;
  const child = spawn(process.execPath, [keptProgram, ...args], options);
  const ended = new Promise<boolean>((resolve) => {
    child.on('exit', (_, signal) => resolve(signal === 'SIGKILL'));
  });
  await sleep(afterMs);
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // It had ended already.
  }
  return ended;
};

it('a killed backup leaves the file as it was, and a killed restore-backup resumes when run again', async () => {
  await run('one', 'write', 'A note', '--body', 'x');
  await run('one', 'write', 'Here', '--body', 'x', '--scope', 'machine-local');
  const expected = jsonOf(await run('one', 'backup', 'b.tar', '--json')).manifest;
  const before = readFileSync(join(folder, 'b.tar'));
  let killed = 0;
  for (let afterMs = 120; afterMs <= 320; afterMs += 100) {
    if (!(await kill(afterMs, 'one', 'backup', 'c.tar'))) break;
    killed += 1;
    if (!existsSync(join(folder, 'c.tar'))) continue;
    // Killed after its last step: the backup is complete.
    expect(jsonOf(await run(`whole-${afterMs}`, 'restore-backup', 'c.tar', '--json'))).toMatchObject({
      compared: 'equal',
    });
    rmSync(join(folder, 'c.tar'));
  }
  rmSync(join(folder, 'c.tar'), { force: true });
  for (let round = 0; round < 6; round += 1) {
    const home = `killed-${round}`;
    if (!(await kill(100 + round * 110, home, 'restore-backup', 'b.tar'))) continue;
    killed += 1;
    const again = jsonOf(await run(home, 'restore-backup', 'b.tar', '--json'));
    expect(again).toMatchObject({ notes: 2, compared: 'equal', digests: expected.digests });
  }
  expect((await run('one', 'backup', 'c.tar')).code).toBe(0);
  expect(killed).toBeGreaterThan(3);
  expect(readFileSync(join(folder, 'b.tar'))).toEqual(before);
});

it('backup counts the files that it leaves alone, and status says why', async () => {
  const { path } = jsonOf(await run('one', 'write', 'A note', '--body', 'x', '--json'));
  const file = readFileSync(path, 'utf8');
  writeFileSync(path, file.replace(/^title: .*/m, 'title: [half'));
  const { code, stderr } = await run('one', 'backup', 'b.tar');
  expect(code).toBe(0);
  expect(stderr).toBe('warning: 1 file not recorded, and not in the backup: anamnesis status says why\n');
});
