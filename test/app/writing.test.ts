/** Writes notes that repeat or contradict others, as the CLI and the MCP server do, with real git and SQLite. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NoteToWrite } from '../../src/app/notes.js';
import { readProposals } from '../../src/app/reviewing.js';
import type { NewNote } from '../../src/app/similar-notes.js';
import { ulidGenerator } from '../../src/events/ids.js';
import { appOver, noteOf, openStore } from '../support/store.js';

const newUlid = ulidGenerator();

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

const newStore = () => {
  const store = openStore();
  onTestFinished(() => store.close());
  const { memory } = store;
  const write = async (fields: Partial<NewNote> = {}, workspace?: string, commandId?: string) => {
    const { notes } = appOver(memory, { user: undefined, workspace });
    const answer = await notes.write(noteWith(fields), { commandId });
    if (answer.status === 'refused') throw new Error(answer.refusal.message);
    const { status, warnings, event } = answer;
    return { id: noteOf(answer).id, status, warnings, event: event?.kind };
  };
  const proposals = async (): Promise<readonly (readonly [string, string | undefined])[]> => {
    const found = await readProposals(memory, {}, 10);
    return found.proposals.map(({ newer, older }) => [newer.id, older?.id]);
  };
  return { memory, write, proposals };
};

describe('the notes that a change names', () => {
  const tooMany = Array.from({ length: 65 }, (_, at) => `01J000000000000000000000${10 + at}`);

  it('are limited to 64, whatever the change', async () => {
    const { memory, write } = newStore();
    const { id } = await write();
    const { notes } = appOver(memory);
    const refusal = { code: 'limit-passed', message: expect.stringContaining('names at most 64 notes; given: 65') };
    const answers = [
      await notes.write({ ...noteWith({ title: 'Other' }), supersedes: tooMany }),
      await notes.supersede(tooMany, id),
      await notes.edit(id, { set: { resolvedBy: tooMany } }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 'refused', refusal });
  });
  it('count once, however often they are named', async () => {
    const { memory, write } = newStore();
    const { id } = await write();
    const answer = await appOver(memory).notes.write({
      ...noteWith({ title: 'Other', body: 'Not any more.\n' }),
      supersedes: [id, id.slice(-8), id],
    });
    expect(noteOf(answer).supersedes).toEqual([id]);
  });
  it('must all exist; the first that does not is named', async () => {
    const { memory } = newStore();
    const answer = await appOver(memory).notes.write({ ...noteWith({}), supersedes: tooMany.slice(0, 64) });
    expect(answer).toMatchObject({ refusal: { code: 'note-unknown', message: expect.stringContaining(tooMany[0]!) } });
  });
});

describe('a note whose text already exists', () => {
  it('is answered with the existing note, whatever the line ends, outer blank lines and composed letters', async () => {
    const { memory, write } = newStore();
    const { id } = await write({ body: 'Without it\nthe caf\u00e9 is closed.\n' });
    const again = await write({
      title: ' Deploys need the VPN ',
      body: '\n\nWithout it  \r\nthe cafe\u0301 is closed.\r\n\r\n',
    });
    expect(again).toEqual({
      id,
      status: 'unchanged',
      event: undefined,
      warnings: [`note ${id} says this already, so no second one was written`],
    });
    expect((await memory.events({}, 10)).length).toBe(1);
  });

  it('gives the existing note its tags and other fields, as an edit', async () => {
    const { memory, write } = newStore();
    const { id } = await write({ tags: ['net'], expiresAt: '2099-01-01' });
    expect(await write({ tags: ['Net'], expiresAt: '2099-01-01' })).toMatchObject({ id, status: 'unchanged' });
    const again = await write({
      tags: ['Net', 'deploy'],
      type: 'procedural',
      importance: 0.9,
      keywords: ['wireguard'],
    });
    expect(again).toMatchObject({
      id,
      status: 'recorded',
      event: 'note.edited',
      warnings: [
        expect.stringContaining('says this already'),
        'its fields were updated: type procedural; tags net, deploy; keywords wireguard; importance 0.9; no expiry',
      ],
    });
    const shown = await memory.show(id);
    if (!shown.ok) throw new Error(shown.refusal.message);
    const { answer } = shown;
    expect(answer).toMatchObject({
      type: 'procedural',
      tags: ['net', 'deploy'],
      importance: 0.9,
      keywords: ['wireguard'],
    });
    expect(answer.expires_at).toBeUndefined();
  });

  it('changes no field that the write does not set', async () => {
    const { write } = newStore();
    const { id } = await write({ type: 'procedural', importance: 0.9, confidence: 0.5, tags: ['net'] });
    expect(await write()).toMatchObject({ id, status: 'unchanged', event: undefined });
  });

  it('is written beside a note that lasts longer, which keeps its time', async () => {
    const { memory, write } = newStore();
    const { id } = await write();
    const brief = await write({ expiresAt: '2098-01-01' });
    expect(brief).toMatchObject({ status: 'recorded', event: 'note.written' });
    expect(brief.warnings).toEqual([expect.stringContaining(`note ${id} ("Deploys need the VPN") has the same text`)]);
    expect(await write({ expiresAt: '2098-01-01' })).toMatchObject({ id: brief.id, status: 'unchanged' });
    expect(await write()).toMatchObject({ id, status: 'unchanged' });
    expect(await memory.list({}, 10)).toMatchObject({ total: 2 });
  });

  it('is written beside an episodic note', async () => {
    const { write } = newStore();
    await write({ type: 'episodic' });
    expect(await write()).toMatchObject({ status: 'recorded', event: 'note.written' });
  });

  it.each<readonly [string, string, string]>([
    ['case', 'Use `tar -C build`', 'Use `tar -c build`'],
    ['quotes', "Clean up with rm 'a b'", 'Clean up with rm a b'],
    ['the place of the quotes', 'Run "make x" y', 'Run make "x y"'],
    ['a superscript digit', 'Keep 10\u00b2 entries', 'Keep 102 entries'],
    ['indentation', 'on:\n  push:\n    main', 'on:\n  push:\n  main'],
    ['line breaks', 'one two', 'one\ntwo'],
  ])('does not include one that differs in %s, which is written with a warning', async (_, one, other) => {
    const { memory, write } = newStore();
    const { id } = await write({ title: 'How', body: one });
    const near = await write({ title: 'How', body: other });
    expect([near.status, near.id === id]).toEqual(['recorded', false]);
    expect(near.warnings).toEqual([expect.stringContaining(`note ${id} ("How") says nearly the same`)]);
    expect(await memory.show(near.id)).toMatchObject({ answer: { body: other } });
  });

  it('is written once when several writers send it at the same time', async () => {
    const { memory, write } = newStore();
    await write({ title: 'Something else', body: 'so that there is a store' });
    const other = openStore({ home: memory.settings.home });
    onTestFinished(() => other.close());
    const elsewhere = appOver(other.memory, { user: undefined, workspace: undefined }).notes;
    const answers = await Promise.all([write(), elsewhere.write(noteWith({})), write(), write()]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['recorded', 'unchanged', 'unchanged', 'unchanged']);
    expect(await memory.list({}, 10)).toMatchObject({ total: 2 });
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

  it('gets no warning when only another workspace or user has it', async () => {
    const { memory, write } = newStore();
    await write({}, 'team');
    expect(await write({}, 'mine')).toMatchObject({ status: 'recorded', warnings: [] });
    // A writer who names no workspace writes into their own and sees all.
    const mine = await write();
    expect(mine).toMatchObject({ status: 'recorded', warnings: [] });
    const theirs = await memory.perform(
      { kind: 'write', ...noteWith({ title: 'Ports', body: 'The API is on 9090.' }) },
      { user: 'somebody' },
    );
    expect(theirs.status).toBe('recorded');
    expect(await write({ title: 'Ports', body: 'The API is on 9090.' })).toMatchObject({
      status: 'recorded',
      warnings: [],
    });
    expect(await write()).toMatchObject({ id: mine.id, status: 'unchanged' });
  });

  it('is answered with its event when the same command is sent twice', async () => {
    const { write } = newStore();
    const commandId = newUlid(Date.now());
    const first = await write({}, undefined, commandId);
    expect(await write({}, undefined, commandId)).toEqual({
      ...first,
      warnings: [expect.stringContaining('was recorded at')],
    });
  });

  it.each<[string, Partial<NewNote>, string]>([
    ['gave the note what it lacked', { tags: ['net'] }, 'note.edited'],
    ['let the note supersede another', { supersedes: ['OLDER'] }, 'note.superseded'],
  ])('is answered with that note when a command that %s is sent twice', async (_, fields, event) => {
    const { memory, write } = newStore();
    const [older, { id }] = [await write({ title: 'Old', body: 'Something else entirely.' }), await write()];
    const asked = fields.supersedes === undefined ? fields : { supersedes: [older.id] };
    const commandId = newUlid(Date.now());
    expect(await write(asked, undefined, commandId)).toMatchObject({ id, event });
    const count = (await memory.events({}, 10)).length;
    expect(await write(asked, undefined, commandId)).toEqual({
      id,
      status: 'recorded',
      event,
      warnings: [expect.stringContaining('was recorded at')],
    });
    expect((await memory.events({}, 10)).length).toBe(count);
  });

  it('supersedes others with the note that has the text', async () => {
    const { memory, write } = newStore();
    const [older, newer] = [await write({ title: 'Old', body: 'Something else entirely.' }), await write()];
    expect(await write({ supersedes: [older.id] })).toMatchObject({ id: newer.id, event: 'note.superseded' });
    expect(await memory.show(older.id)).toMatchObject({ answer: { superseded_by: newer.id } });
  });
});

describe('a note that says nearly the same as another', () => {
  it('is written with a warning that names the other and how to supersede it', async () => {
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

  it('is recognised when a short fact has another value', async () => {
    const { write } = newStore();
    const { id } = await write({ title: 'Node of the CI', body: 'CI runs on Node 18.' });
    const { warnings } = await write({ title: 'Node in the CI now', body: 'CI runs on Node 20.' });
    expect(warnings).toEqual([expect.stringContaining(`note ${id} ("Node of the CI") says nearly the same`)]);
    expect((await write({ title: 'Port of the CI', body: 'CI listens on port 20.' })).warnings).toEqual([]);
  });

  it('is recognised in the global project too, but not in other projects', async () => {
    const { write } = newStore();
    await write({ project: 'global' });
    await write({ project: 'other', title: 'Deploys need a VPN' });
    expect((await write()).warnings).toHaveLength(1);
  });

  it.each([
    ['Deploys need a tag', 'The release job looks for it and skips a commit that has none.'],
    ['The VPN drops after an hour', 'Log in again; the client does not say so.'],
  ])('is not one that merely speaks of the same things: %s', async (title, body) => {
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
    ['Never use tabs', 'Use tabs'],
    ['Always run the formatter', 'Do not run the formatter'],
    ['Benutze pnpm, nicht npm', 'Benutze npm, nicht pnpm'],
    ['Niemals direkt auf main pushen', 'Direkt auf main pushen'],
    ['Utilise pnpm au lieu de npm', 'Utilise npm au lieu de pnpm'],
    ['Usa pnpm en vez de npm', 'Usa npm en vez de pnpm'],
  ])('proposes to supersede the other: %s, %s', async (one, other) => {
    const { write, proposals } = newStore();
    const older = await write({ title: one, body: 'So it was agreed in March.' });
    const newer = await write({ title: other, body: 'We talked about it again.' });
    expect(newer.event).toBe('proposal.made');
    expect(newer.warnings).toEqual([
      expect.stringContaining(`note ${older.id} (${JSON.stringify(one)}) contradicts this`),
    ]);
    expect(await proposals()).toEqual([[newer.id, older.id]]);
  });

  it('proposes nothing when it supersedes the other itself', async () => {
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
  ])('is not one that merely says something else: %s, %s', async (one, other) => {
    const { write, proposals } = newStore();
    await write({ title: one, body: 'First.' });
    await write({ title: other, body: 'Second.' });
    expect(await proposals()).toEqual([]);
  });
});

describe('a note that supersedes others', () => {
  const superseding = async (older: readonly Partial<NewNote>[], asked: Partial<NoteToWrite> = {}) => {
    const { memory, write } = newStore();
    const supersedes: string[] = [];
    for (const [at, fields] of older.entries())
      supersedes.push((await write({ title: `Older ${at}`, body: `Body ${at}.`, ...fields })).id);
    const { project: _, scope: __, ...fields } = noteWith({ title: 'Newer', supersedes });
    const answer = await appOver(memory).notes.write({ ...fields, project: { here: 'shop' }, ...asked });
    const { scope, project } = noteOf(answer);
    return { scope, project, warnings: answer.status === 'refused' ? [] : answer.warnings };
  };

  it('stays machine-local when one of them is', async () => {
    expect(await superseding([{}, { scope: 'machine-local' }])).toMatchObject({ scope: 'machine-local', warnings: [] });
    expect(await superseding([{}])).toMatchObject({ scope: 'portable' });
  });
  it('becomes portable when that is asked for', async () => {
    expect(await superseding([{ scope: 'machine-local' }], { scope: 'portable' })).toMatchObject({ scope: 'portable' });
  });
  it('belongs to their project unless one is named', async () => {
    expect(await superseding([{ project: 'bakery' }, { project: 'bakery' }])).toMatchObject({
      project: 'bakery',
      warnings: [],
    });
    expect(await superseding([{ project: 'bakery' }], { project: 'mill' })).toMatchObject({ project: 'mill' });
  });
  it("belongs to the folder's project when theirs differ, and says so", async () => {
    expect(await superseding([{ project: 'bakery' }, { project: 'mill' }])).toMatchObject({
      project: 'shop',
      warnings: ['the notes that it supersedes are of several projects (bakery, mill), so it went to shop'],
    });
  });
});
