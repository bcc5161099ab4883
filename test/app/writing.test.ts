/** Notes that repeat or contradict others, as the command line and the MCP server write them: with real git and SQLite. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NewNote } from '../../src/app/notes.js';
import { ulidGenerator } from '../../src/events/ids.js';
import { appOver, noteOf, openStore } from '../support/store.js';

const newUlid = ulidGenerator();

const newStore = () => {
  const store = openStore();
  onTestFinished(() => store.close());
  const { memory } = store;
  const noteWith = (fields: Partial<NewNote>): NewNote => ({
    type: 'semantic',
    title: 'Deploys need the VPN',
    body: 'Without it the image registry is unreachable.\n',
    project: 'shop',
    scope: 'portable',
    tags: [],
    keywords: [],
    supersedes: [],
    ...fields,
  });
  const write = async (fields: Partial<NewNote> = {}, workspace?: string, commandId?: string) => {
    const { notes } = appOver(memory, { user: undefined, workspace });
    const answer = await notes.write(noteWith(fields), { commandId });
    if (answer.status === 'refused') throw new Error(answer.refusal.message);
    const { status, warnings, event } = answer;
    return { id: noteOf(answer).id, status, warnings, event: event?.kind };
  };
  const proposals = async (): Promise<readonly (readonly [string, string])[]> => {
    const found = await appOver(memory).review.proposals({}, 10);
    return found.proposals.map(({ newer, older }) => [newer.id, older.id]);
  };
  return { memory, write, proposals };
};

describe('a note whose text is there already', () => {
  it('is answered by the note that has it, whatever the case, white space and quotes', async () => {
    const { memory, write } = newStore();
    const { id } = await write();
    const again = await write({
      title: 'deploys need  the VPN.',
      body: 'Without it the image registry is\nunreachable',
    });
    expect(again).toEqual({
      id,
      status: 'unchanged',
      event: undefined,
      warnings: [`note ${id} says this already, so no second one was written`],
    });
    expect((await memory.events({}, 10)).length).toBe(1);
  });

  it('says that further tags were not added', async () => {
    const { write } = newStore();
    await write({ tags: ['net'] });
    expect((await write({ tags: ['Net'] })).warnings).toHaveLength(1);
    expect((await write({ tags: ['net', 'deploy'] })).warnings).toHaveLength(2);
  });

  it.each<readonly [string, Partial<NewNote>]>([
    ['in another project', { project: 'other' }],
    ['in the other scope', { scope: 'machine-local' }],
    ['under another title', { title: 'The registry' }],
  ])('is written %s', async (_, fields) => {
    const { write } = newStore();
    const { id } = await write();
    const other = await write(fields);
    expect([other.status, other.id === id]).toEqual(['recorded', false]);
  });

  it('is written again once the other is forgotten', async () => {
    const { memory, write } = newStore();
    const { id } = await write();
    await memory.perform({ kind: 'forget', id, reason: undefined });
    expect(await write()).toMatchObject({ status: 'recorded', warnings: [] });
  });

  it('is not told of where another workspace has it', async () => {
    const { write } = newStore();
    await write({}, 'team');
    expect(await write({}, 'mine')).toMatchObject({ status: 'recorded', warnings: [] });
  });

  it('is answered with its event where the same command is sent twice', async () => {
    const { write } = newStore();
    const commandId = newUlid(Date.now());
    const first = await write({}, undefined, commandId);
    expect(await write({}, undefined, commandId)).toEqual({
      ...first,
      warnings: [expect.stringContaining('was recorded at')],
    });
  });

  it('supersedes with the note that has it', async () => {
    const { memory, write } = newStore();
    const [older, newer] = [await write({ title: 'Old', body: 'Something else entirely.' }), await write()];
    expect(await write({ supersedes: [older.id] })).toMatchObject({ id: newer.id, event: 'note.superseded' });
    expect(await memory.show(older.id)).toMatchObject({ answer: { superseded_by: newer.id } });
  });
});

describe('a note that is nearly there', () => {
  it('is written, and the other is named with how to supersede it', async () => {
    const { write } = newStore();
    const { id } = await write();
    const near = await write({ body: 'Without it the image registry is unreachable from home.\n' });
    expect([near.status, near.event]).toEqual(['recorded', 'note.written']);
    expect(near.warnings).toEqual([
      `note ${id} ("Deploys need the VPN") says nearly the same; if this replaces it, write this again with supersedes ${id}`,
    ]);
    const body = 'Without it the image registry is unreachable from home.\n';
    expect(await write({ body, supersedes: [id] })).toMatchObject({ id: near.id, event: 'note.superseded' });
  });

  it('is seen in the global project too, and not in another one', async () => {
    const { write } = newStore();
    await write({ project: 'global' });
    await write({ project: 'other', title: 'Deploys need a VPN' });
    expect((await write()).warnings).toHaveLength(1);
  });

  it.each([
    ['Deploys need a tag', 'The release job looks for it and skips a commit that has none.'],
    ['The VPN drops after an hour', 'Log in again; the client does not say so.'],
  ])('is not what only speaks of the same things: %s', async (title, body) => {
    const { write } = newStore();
    await write();
    expect((await write({ title, body })).warnings).toEqual([]);
  });
});

describe('a note that says the opposite', () => {
  it.each([
    ['Use pnpm, not npm', 'Use npm, not pnpm'],
    ['Never push to main', 'Always push to main'],
    ['Never commit generated files', 'Commit generated files'],
    ["Don't squash commits when merging", 'Squash commits when merging'],
    ['Prefer vitest over jest', 'Prefer jest over vitest'],
  ])('proposes to supersede the other: %s, %s', async (one, other) => {
    const { write, proposals } = newStore();
    const older = await write({ title: one, body: 'So it was agreed in March.' });
    const newer = await write({ title: other, body: 'We talked about it again.' });
    expect(newer.event).toBe('proposal.made');
    expect(newer.warnings).toEqual([
      expect.stringContaining(`note ${older.id} (${JSON.stringify(one)}) says the opposite`),
    ]);
    expect(await proposals()).toEqual([[newer.id, older.id]]);
  });

  it('proposes nothing where it supersedes the other itself', async () => {
    const { write, proposals } = newStore();
    const older = await write({ title: 'Use pnpm, not npm', body: 'a' });
    const newer = await write({ title: 'Use npm, not pnpm', body: 'b', supersedes: [older.id] });
    expect([newer.event, newer.warnings, await proposals()]).toEqual(['note.superseded', [], []]);
  });

  it.each([
    ['Never push to main', 'Always push to a branch'],
    ['Use pnpm, not npm', 'Use pnpm, not yarn'],
    ['Retry three times', 'Retry five times'],
    ["The API doesn't retry on 500", 'The API logs each retry'],
  ])('is not one that says something else: %s, %s', async (one, other) => {
    const { write, proposals } = newStore();
    await write({ title: one, body: 'First.' });
    await write({ title: other, body: 'Second.' });
    expect(await proposals()).toEqual([]);
  });
});
