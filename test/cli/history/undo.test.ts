import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { NoteJson } from '../../../src/store/note-json.js';
import { type Ran, runHere } from '../../support/command-line.js';
import { openStore, type TestStore, writeNote } from '../../support/store.js';

let folder: string;
let store: TestStore;
let note: NoteJson;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'anamnesis-undo-'));
  store = openStore({ home: join(folder, 'store') });
  note = await writeNote(store.memory, { title: 'first title' });
  await store.memory.perform({ kind: 'edit', id: note.id, set: { title: 'second title' } });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (args: readonly string[], home = store.home): Promise<Ran> => {
  const env = { PATH: process.env['PATH'], HOME: folder, ANAMNESIS_HOME: home, ANAMNESIS_MACHINE_ID: 'testbox' };
  return runHere(args, { cwd: folder, env });
};
const json = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await run([...args, '--json']);
  return { code, stderr, answer: JSON.parse(stdout) };
};
const titleNow = async (): Promise<string> => {
  const shown = await store.memory.show(note.id);
  return shown.ok ? shown.answer.title : shown.refusal.code;
};
const lastEvent = async () => (await store.memory.events({}, 1))[0]!;

it('undo takes back the last event and prints which one', async () => {
  const { code, stdout, stderr } = await run(['undo']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(
    `recorded event.undone of note.edited: second title\n  ${note.id.slice(-6)} first title: as it was before\n`,
  );
  expect(await titleNow()).toBe('first title');
});

it('undo says what became of the note', async () => {
  const short = note.id.slice(-6);
  const end = async (...args: readonly string[]): Promise<string> => {
    await run(args);
    return (await run(['undo'])).stdout.split('\n').at(-2) ?? '';
  };
  expect(await end('forget', note.id)).toBe(`  ${short} second title: back`);
  await run(['forget', note.id]);
  expect(await end('restore', note.id)).toBe(`  ${short} second title: forgotten again`);
});

it('undo with --json names both events, and history shows what was undone', async () => {
  const { id } = await lastEvent();
  const { code, answer } = await json('undo', id.slice(0, 24));
  expect(code).toBe(0);
  expect(answer).toMatchObject({
    id: note.id,
    title: 'first title',
    status: 'recorded',
    event: { kind: 'event.undone' },
    undone: { id, kind: 'note.edited', subject: 'second title' },
    warnings: [],
    masked: [],
  });
  expect((await json('history', note.id)).answer.events[0]).toMatchObject({ id: answer.event.id, undoes: id });
  const again = await json('undo', id);
  expect([again.code, again.answer.status, again.answer.event]).toEqual([0, 'unchanged', null]);
  expect(again.stderr).toBe('');
  expect((await run(['undo', id])).stderr).toBe(`warning: event ${id} was undone already\n`);
  expect((await json('undo', answer.event.id)).answer).toMatchObject({ title: 'second title', status: 'recorded' });
});

it('undo is refused with one line, or with an object for --json', async () => {
  const [, written] = await store.memory.events({}, 2);
  const refused = await run(['undo', written!.id]);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(/^anamnesis: event \w{26} can't be taken back: .*; undo that one first: .*\n$/);
  expect(await json('undo', '01J0000000000000000000000A')).toMatchObject({
    code: 1,
    answer: { error: { code: 'event-unknown' } },
  });
  expect(await json('undo', '$(reboot)')).toMatchObject({ code: 1, answer: { error: { code: 'id-invalid' } } });
  expect((await run(['undo', 'one', 'two'])).code).toBe(2);
  const nowhere = join(folder, 'nowhere');
  expect(await run(['undo'], nowhere)).toMatchObject({ code: 1, stdout: '' });
  expect(existsSync(join(nowhere, 'memory'))).toBe(false);
});

it('restore --at brings back an older text of a live or a forgotten note', async () => {
  const [, written] = await store.memory.events({}, 2);
  const restored = await json('restore', note.id.slice(0, 24), '--at', written!.id);
  expect(restored).toMatchObject({
    code: 0,
    answer: { id: note.id, title: 'first title', status: 'recorded', event: { kind: 'note.restored' } },
  });
  expect((await json('restore', note.id, '--at', written!.commit)).answer.status).toBe('unchanged');
  await store.memory.perform({ kind: 'forget', id: note.id });
  expect(await run(['restore', note.id, '--at', written!.commit.slice(0, 12)])).toMatchObject({ code: 0, stderr: '' });
  expect(await titleNow()).toBe('first title');
});

it('restore --at is refused for a time before the note, and an invalid point is wrong usage', async () => {
  expect(await json('restore', note.id, '--at', '1999-12-31')).toMatchObject({
    code: 1,
    answer: { error: { code: 'note-not-then', message: `there was no note ${note.id} at 1999-12-31T23:59:59+00:00` } },
  });
  expect(await json('restore', note.id, '--at', 'some day')).toMatchObject({
    code: 2,
    answer: { error: { code: 'unknown-revision' } },
  });
  expect((await run(['restore', note.id, '--at'])).code).toBe(2);
});

it('the help of undo and restore has examples and says where to find lost notes', async () => {
  expect((await run(['undo', '--help'])).stdout).toContain('$ anamnesis undo ');
  const { stdout } = await run(['restore', '--help']);
  expect(stdout).toContain('--at <point>');
  expect(stdout.replace(/\s+/g, ' ')).toContain('log --kind proposal.settled');
});
