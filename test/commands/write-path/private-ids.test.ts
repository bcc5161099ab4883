import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readProposals } from '../../../src/app/reviewing.js';
import type { Command } from '../../../src/commands/handlers.js';
import type { WriteNote } from '../../../src/commands/write.js';
import { withoutPrivateProposals } from '../../../src/commands/write-path/private-ids.js';
import { formatNoteFile, newNoteFile } from '../../../src/events/note/note-file.js';
import type { Answer } from '../../../src/store/memory.js';
import type { NoteJson } from '../../../src/store/note-json.js';
import { idOf, makeNote } from '../../support/arbitraries.js';
import { given } from '../../support/decider.js';
import { knowing } from '../../support/known-notes.js';
import { appOver, openStore, type TestStore, writeNote } from '../../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(() => store.close());

const perform = async (command: Command): Promise<Exclude<Answer, { status: 'refused' }>> => {
  const answer = await store.memory.perform(command);
  if (answer.status === 'refused') throw new Error(answer.refusal.message);
  return answer;
};
const local = (title: string, fields: Partial<WriteNote> = {}): Promise<NoteJson> =>
  writeNote(store.memory, { title, body: `${title}.\n`, scope: 'machine-local', ...fields });
const shown = async (id: string): Promise<NoteJson> => {
  const found = await store.memory.show(id);
  if (!found.ok) throw new Error(found.refusal.message);
  return found.answer;
};
const pairs = async (): Promise<readonly string[]> =>
  (await readProposals(store.memory, {}, 10)).proposals.map(({ newer, older }) => `${newer.title} > ${older?.title}`);
/** Returns every patch and message of the synced journal. */
const published = (): string => {
  const cwd = store.memory.journals.portable.folder;
  return execFileSync('git', ['log', '-p', '--all', '--format=%B'], { cwd, encoding: 'utf8' });
};

describe('the id of a machine-local note', () => {
  it('is not synced when a note that proposes to replace its note becomes portable', async () => {
    const older = await local('Use npm');
    const newer = await local('Use pnpm', { proposes: [older.id] });
    expect(await pairs()).toEqual(['Use pnpm > Use npm']);
    const moved = await perform({ kind: 'move', id: newer.id, scope: 'portable' });
    expect(moved.warnings).toEqual([
      expect.stringMatching(/history of the local journal/),
      `note ${newer.id} does not propose to replace ${older.id}: that one is machine-local, and its id would be synced; if it no longer holds: anamnesis forget ${older.id}`,
    ]);
    expect(published()).toContain('Use pnpm');
    expect(published()).not.toContain(older.id);
    expect(await pairs()).toEqual([]);
  });

  it('is in the proposal again once such a move is undone', async () => {
    const older = await local('Use npm');
    const newer = await local('Use pnpm', { proposes: [older.id] });
    const moved = await perform({ kind: 'move', id: newer.id, scope: 'portable' });
    const undone = await appOver(store.memory).history.undo(moved.event?.id);
    expect(undone).toMatchObject({ ok: true });
    expect(await pairs()).toEqual(['Use pnpm > Use npm']);
    expect(published()).not.toContain(older.id);
  });

  it('stays out of the synced journal when the older note is forgotten and an older text is restored', async () => {
    const older = await local('Use npm');
    const newer = await local('Use pnpm', { proposes: [older.id] });
    await perform({ kind: 'settle-proposal', id: newer.id, older: older.id, verdict: 'keep-both' });
    const [, proposalCommit = ''] = execFileSync('git', ['rev-list', '--reverse', 'HEAD'], {
      cwd: store.memory.journals.local.folder,
      encoding: 'utf8',
    }).split('\n');
    await perform({ kind: 'move', id: newer.id, scope: 'portable' });
    await perform({ kind: 'forget', id: older.id });
    const then = { point: 'then', commits: { local: proposalCommit } };
    await perform({ kind: 'restore-at', id: newer.id, ...then, scope: 'portable' });
    expect((await shown(newer.id)).body).toBe('Use pnpm.\n');
    expect(published()).not.toContain(older.id);
  });

  it('is dropped from the proposals of a new portable note, which may then propose nothing', async () => {
    const older = await local('Use npm');
    const other = await writeNote(store.memory, { title: 'Use yarn', body: 'Use yarn.\n' });
    const fields = {
      body: 'x\n',
      type: 'semantic',
      project: 'shop',
      scope: 'portable',
      tags: [],
      keywords: [],
    } as const;
    const write = { kind: 'write', ...fields, supersedes: [] } as const;
    const alone = await perform({ ...write, title: 'Use pnpm', proposes: [older.id] });
    expect(alone).toMatchObject({ event: { kind: 'note.written' }, warnings: [expect.stringContaining(older.id)] });
    const both = await perform({ ...write, title: 'Use bun', proposes: [older.id, other.id] });
    expect(both).toMatchObject({ event: { kind: 'proposal.made' }, note: { proposes: [other.id] } });
    expect(published()).not.toContain(older.id);
  });

  it('stays in a portable file that named it before it was machine-local: it is already published', async () => {
    const older = await writeNote(store.memory, { title: 'Use npm', body: 'Use npm.\n' });
    const newer = await writeNote(store.memory, { title: 'Use pnpm', body: 'Use pnpm.\n', proposes: [older.id] });
    await perform({ kind: 'move', id: older.id, scope: 'machine-local' });
    expect(await pairs()).toEqual(['Use pnpm > Use npm']);
    await perform({ kind: 'tag', id: newer.id, add: ['x'], remove: [] });
    expect(await pairs()).toEqual(['Use pnpm > Use npm']);
    await perform({ kind: 'settle-proposal', id: newer.id, older: older.id, verdict: 'keep-both' });
    expect(await pairs()).toEqual([]);
  });
});

describe('a decision', () => {
  const older = makeNote({ id: idOf(1), title: 'Old', scope: 'machine-local' });
  const newer = makeNote({ id: idOf(2), title: 'New', scope: 'machine-local', proposes: [older.id] });

  it('is unchanged when it writes no portable file', () => {
    const notes = knowing({ notes: [older, newer] });
    const { decision } = given({ notes: [older, newer] }).when({ kind: 'tag', id: newer.id, add: ['x'], remove: [] });
    expect(withoutPrivateProposals(decision, notes)).toBe(decision);
  });

  it('also loses the id in a file imported from another store', () => {
    const file = { journal: 'portable', path: `semantic/${newer.id}.md` } as const;
    const bytes = formatNoteFile(newNoteFile({ ...newer, scope: 'portable' }));
    const notes = { notes: [older] };
    const { decision } = given(notes).when({
      kind: 'import',
      from: 'another store',
      notes: [],
      files: [{ ...file, bytes }],
    });
    const checked = withoutPrivateProposals(decision, knowing(notes));
    const written = checked.kind === 'record' ? checked.changes.map((change) => change.bytes?.toString()).join('') : '';
    expect(written).toContain('title: New');
    expect(written).not.toContain(older.id);
  });

  it('warns once when it makes a portable note supersede a machine-local one', () => {
    const warning = `note ${newer.id} supersedes ${older.id}, which stays machine-local: only its id is synced`;
    const warningsOf = (note: typeof newer, command: Command): readonly string[] => {
      const { decision } = given({ notes: [older, note] }).when(command);
      const checked = withoutPrivateProposals(decision, knowing({ notes: [older, note] }));
      return checked.kind === 'record' ? checked.warnings.filter((text) => text.includes(older.id)) : [];
    };
    const superseding = { ...newer, supersedes: [older.id], proposes: [] };
    expect(warningsOf(superseding, { kind: 'move', id: newer.id, scope: 'portable' })).toEqual([warning]);
    const portable = { ...newer, proposes: [], scope: 'portable' } as const;
    expect(warningsOf(portable, { kind: 'supersede', ids: [older.id], by: newer.id })).toEqual([warning]);
    const before = { ...portable, supersedes: [older.id] } as const;
    expect(warningsOf(before, { kind: 'tag', id: newer.id, add: ['x'], remove: [] })).toEqual([]);
  });
});
