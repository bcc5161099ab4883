/** Whether a command was recorded before: commits that claim its id, and other commands with that id. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WriteNote } from '../../../src/commands/write.js';
import { newMachines } from '../../support/machines.js';
import {
  appOver,
  folderOfJournal,
  openStore,
  personsGit,
  type TestStore,
  writeCommand,
  writeNote,
} from '../../support/store.js';

const eventId = '01J0000000000000000000000E';
const commandId = 'nightly-1';

describe('a command whose id a synced commit claims', () => {
  let store: TestStore;
  beforeEach(async () => {
    store = openStore();
    await writeNote(store.memory, { title: 'There before' });
  });
  afterEach(() => store.close());

  /** Commits a README with a message that claims to be this command. */
  const claim = (trailers: Readonly<Record<string, string>>): void => {
    const folder = folderOfJournal(store.home, 'portable');
    writeFileSync(join(folder, 'README.md'), '# Notes\n');
    const fields = { Kind: 'note.written', At: '2026-06-24T18:33:07+00:00', Machine: 'testbox', ...trailers };
    const lines = Object.entries(fields).map(([key, value]) => `${key}: ${value}\n`);
    personsGit(folder, 'add', '-A');
    const message = `note.written: x\n\nFormat: 1\nEvent: ${eventId}\n${lines.join('')}Command-Id: ${commandId}\n`;
    personsGit(folder, 'commit', '-q', '-m', message);
  };
  const titles = async (): Promise<readonly string[]> =>
    (await store.memory.list({}, 10)).notes.map(({ title }) => title).toSorted();

  it('is recorded if the commit names another machine', async () => {
    claim({ Machine: 'elsewhere' });
    const answer = await store.memory.perform(writeCommand({ title: 'Nightly' }), { commandId });
    expect(answer).toMatchObject({ status: 'recorded', warnings: [], note: { title: 'Nightly' } });
    expect(await titles()).toEqual(['Nightly', 'There before']);
  });

  it('is still compared with the existing notes', async () => {
    claim({ Machine: 'elsewhere' });
    const { notes } = appOver(store.memory);
    const { kind: _, ...note } = writeCommand({ title: 'There before' });
    expect(await notes.write(note, { commandId })).toMatchObject({ status: 'unchanged' });
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['names this machine and no note', {}],
    ['names this machine and a note that it does not contain', { Note: '01J0000000000000000000000N' }],
    ['names this machine and another kind of event', { Kind: 'note.forgotten' }],
  ])('is refused, not reported as recorded, if the commit %s', async (_, trailers) => {
    claim(trailers);
    const answer = await store.memory.perform(writeCommand({ title: 'Nightly' }), { commandId });
    expect(answer).toMatchObject({ status: 'refused', refusal: { code: 'command-id-taken' } });
    const other = await store.memory.perform(writeCommand({ title: 'Nightly' }), { commandId: 'nightly-2' });
    expect(other).toMatchObject({ status: 'recorded', warnings: [] });
    expect(await titles()).toEqual(['Nightly', 'There before']);
  });

  it('is found again despite the claim of another commit', async () => {
    claim({ Machine: 'elsewhere' });
    const send = () => store.memory.perform(writeCommand({ title: 'Nightly' }), { commandId });
    const [first, again] = [await send(), await send()];
    expect(again).toMatchObject({ status: 'recorded', event: 'event' in first ? first.event : undefined });
    expect(await titles()).toEqual(['Nightly', 'There before']);
  });
});

describe('a job with the same command id on two machines', () => {
  it('keeps the note of each', async () => {
    const machines = newMachines();
    const [a, b] = [await machines.open('a'), await machines.open('b')];
    await a.perform(writeCommand({ title: 'Of a' }), { commandId });
    await machines.sync(a, b);
    expect(await b.perform(writeCommand({ title: 'Of b' }), { commandId })).toMatchObject({ status: 'recorded' });
    await machines.sync(b, a);
    for (const memory of [a, b])
      expect((await memory.list({}, 10)).notes.map(({ title }) => title).toSorted()).toEqual(['Of a', 'Of b']);
  });
});

describe('another command with the id of an earlier one', () => {
  let store: TestStore;
  beforeEach(() => {
    store = openStore();
  });
  afterEach(() => store.close());

  it.each<[string, Partial<WriteNote>]>([
    ['title', { title: 'Twice' }],
    ['text', { body: 'Another text.\n' }],
    ['project', { project: 'elsewhere' }],
    ['scope', { scope: 'machine-local' }],
    ['tag', { tags: ['new'] }],
  ])('is refused if it has another %s', async (_, fields) => {
    await store.memory.perform(writeCommand(), { commandId });
    const answer = await store.memory.perform(writeCommand(fields), { commandId });
    expect(answer).toMatchObject({ status: 'refused', refusal: { code: 'command-id-taken' } });
  });

  it('is refused if both are sent at once', async () => {
    const outcomes = await Promise.all(
      ['One', 'Two'].map((title) => store.memory.submit(writeCommand({ title }), { commandId })),
    );
    expect(outcomes).toMatchObject([
      { status: 'recorded' },
      { status: 'refused', refusal: { code: 'command-id-taken' } },
    ]);
  });

  it('is refused if it supersedes with another note', async () => {
    const [one, two, three] = [
      await writeNote(store.memory, { title: 'one' }),
      await writeNote(store.memory, { title: 'two' }),
      await writeNote(store.memory, { title: 'three' }),
    ];
    const supersede = (by: string) => store.memory.perform({ kind: 'supersede', ids: [one.id], by }, { commandId });
    const first = await supersede(two.id);
    expect(await supersede(two.id)).toMatchObject({ event: 'event' in first ? first.event : undefined });
    expect(await supersede(three.id)).toMatchObject({ status: 'refused', refusal: { code: 'command-id-taken' } });
  });

  it('is refused if it names another resolving note', async () => {
    const [trouble, one, two] = [
      await writeNote(store.memory),
      await writeNote(store.memory),
      await writeNote(store.memory),
    ];
    const resolve = (by: string) =>
      store.memory.perform({ kind: 'edit', id: trouble.id, set: { resolvedBy: [by] } }, { commandId });
    const first = await resolve(one.id);
    expect(await resolve(one.id)).toMatchObject({ event: 'event' in first ? first.event : undefined });
    expect(await resolve(two.id)).toMatchObject({ status: 'refused', refusal: { code: 'command-id-taken' } });
  });

  it('counts as the same if only its expiry is later or the note was edited since', async () => {
    const send = (expiresAt: string) => store.memory.perform(writeCommand({ expiresAt }), { commandId });
    const first = await send('2099-01-01T00:00:00Z');
    const id = 'note' in first ? (first.note?.id ?? '') : '';
    await store.memory.perform({ kind: 'edit', id, set: { body: 'Edited since.\n' } });
    expect(await send('2099-01-02T00:00:00Z')).toMatchObject({
      status: 'recorded',
      event: 'event' in first ? first.event : undefined,
      note: { body: 'Edited since.\n' },
    });
  });

  it('is recorded if the earlier one was refused', async () => {
    const outcomes = await Promise.all(
      ['', 'Two'].map((title) => store.memory.submit(writeCommand({ title }), { commandId })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['refused', 'recorded']);
  });
});
