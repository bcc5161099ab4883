import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEventsOfNote } from '../../src/app/history.js';
import { undoEvent } from '../../src/app/undoing.js';
import { replayStore } from '../../src/maintenance/replaying.js';
import type { Lookup } from '../../src/store/reading.js';
import { appOver, noteOf, openStore, type TestStore, temporaryFolder, writeNote } from '../support/store.js';

let home: string;
let store: TestStore;
beforeEach(() => {
  home = temporaryFolder();
  store = openStore({ home });
});
afterEach(async () => {
  await store.close();
  rmSync(home, { recursive: true, force: true });
});

/** Adds notes with these ids, as if another tool had left them. */
const addNotes = async (titleOf: Readonly<Record<string, string>>): Promise<void> => {
  const folder = join(home, 'memory', 'semantic');
  mkdirSync(folder, { recursive: true });
  for (const [id, title] of Object.entries(titleOf))
    writeFileSync(join(folder, `${id}.md`), `---\nid: ${id}\ntype: semantic\ntitle: ${title}\n---\n\nText.\n`);
  await store.memory.takeInFolders();
  await store.memory.adopt('hold');
};

const shortIds = async (): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries((await store.memory.list({}, 100)).notes.map(({ id, short_id }) => [id, short_id]));

const refusalOf = <Value>(found: Lookup<Value>) => (found.ok ? undefined : found.refusal);

const first = '00000000000ABCDEFGHJKMNPQ1';
const second = '00000000000ABCDEFGHJZMNPQ1';
const third = '00000000000ABCDEFGHJKMNPQ2';

describe('the short id of a note', () => {
  it('is the last six characters of its id', async () => {
    const { id, short_id: short } = await writeNote(store.memory);
    expect(short).toBe(id.slice(-6));
  });

  it('is longer only where another id has the same ending', async () => {
    await addNotes({ [first]: 'one', [second]: 'two', [third]: 'three' });
    expect(await shortIds()).toEqual({ [first]: 'KMNPQ1', [second]: 'ZMNPQ1', [third]: 'KMNPQ2' });
    const close = '10000000000ABCDEFGHJKMNPQ1';
    await addNotes({ [close]: 'four' });
    expect(await shortIds()).toMatchObject({ [first]: first, [close]: close, [second]: 'ZMNPQ1' });
  });

  it('is longer where another id begins with those characters', async () => {
    await addNotes({ [`0ABCDE${'0'.repeat(20)}`]: 'begins', [`${'0'.repeat(20)}0ABCDE`]: 'ends' });
    expect((await shortIds())[`${'0'.repeat(20)}0ABCDE`]).toBe('00ABCDE');
  });

  it('differs from that of a forgotten note, which restore accepts', async () => {
    const close = '00000000000ABCDEFG1JKMNPQ1';
    await addNotes({ [first]: 'one', [close]: 'two' });
    await store.memory.perform({ kind: 'forget', id: close });
    expect((await shortIds())[first]).toBe('HJKMNPQ1');
    expect(noteOf(await appOver(store.memory).notes.restore('1JKMNPQ1')).id).toBe(close);
  });

  it('is the same after a replay', async () => {
    await addNotes({ [first]: 'one', [second]: 'two', [third]: 'three' });
    const forgotten = await writeNote(store.memory);
    await store.memory.perform({ kind: 'forget', id: forgotten.id });
    const before = await shortIds();
    const read = () =>
      store.memory.liveIndex.ask((database) => ({
        touched: database.prepare('SELECT reversed_id FROM touched_notes ORDER BY 1').pluck().all(),
        notes: database.prepare('SELECT reversed_id FROM notes ORDER BY 1').pluck().all(),
        events: database.prepare('SELECT reversed_id FROM events ORDER BY 1').pluck().all(),
      }));
    const rows = await read();
    expect(rows.touched).toHaveLength(4);
    await replayStore(store.memory, {});
    expect(await read()).toEqual(rows);
    expect(await shortIds()).toEqual(before);
  });

  it('is accepted wherever an id is, in upper or lower case', async () => {
    const { id } = await writeNote(store.memory, { title: 'older' });
    const { notes } = appOver(store.memory);
    const typed = id.slice(-6).toLowerCase();
    expect(await notes.resolveId(typed)).toEqual({ ok: true, answer: id });
    expect(await notes.show(typed, 'HEAD')).toMatchObject({ ok: true, answer: { id, short_id: id.slice(-6) } });
    expect(noteOf(await notes.edit(typed, { set: { title: 'edited' } })).title).toBe('edited');
    expect(await readEventsOfNote(store.memory, typed, 5)).toMatchObject({ ok: true });
    const newer = await writeNote(store.memory, { title: 'newer' });
    expect(noteOf(await notes.supersede([typed], newer.short_id)).supersedes).toEqual([id]);
    expect(await notes.forget([typed], undefined)).toMatchObject({ ok: true, answer: [{ id }] });
  });
});

describe('an id that matches several notes', () => {
  it('is refused with the short id and the title of each', async () => {
    await addNotes({ [first]: 'one', [second]: 'two', [third]: 'three' });
    await store.memory.perform({ kind: 'forget', id: third });
    expect(refusalOf(await store.memory.show('00000000'))).toMatchObject({
      code: 'id-ambiguous',
      message: '00000000 fits 3 notes: KMNPQ1 (one), KMNPQ2 (forgotten: three), ZMNPQ1 (two)',
      next: 'give one of these ids',
    });
    expect(refusalOf(await store.memory.show('mnpq1'))?.message).toBe('MNPQ1 fits 2 notes: KMNPQ1 (one), ZMNPQ1 (two)');
  });

  it('names twenty of them and counts the others', async () => {
    const titles = Array.from({ length: 25 }, (_, at) => [`00000000000ABCDEFGHJKMNP${at + 10}`, `note ${at}`] as const);
    await addNotes(Object.fromEntries(titles));
    const refusal = refusalOf(await store.memory.show('0000'));
    expect(refusal?.message).toMatch(/^0000 fits 25 notes: .*note 19\), and 5 more$/);
    expect(refusal?.next).toBe('give more characters of the id');
  });

  it('does not reveal to a workspace that notes of others match it', async () => {
    await addNotes({ [first]: 'one', [second]: 'two' });
    const team = appOver(store.memory, { user: 'ann', workspace: 'acme' });
    expect(refusalOf(await team.notes.show('MNPQ1'))?.code).toBe('note-unknown');
    const own = noteOf(
      await team.notes.write({
        type: 'semantic',
        title: 'shared',
        body: 'Text.',
        project: 'shop',
        scope: 'portable',
        tags: [],
        keywords: [],
        supersedes: [],
      }),
    );
    expect(await team.notes.resolveId(own.short_id)).toEqual({ ok: true, answer: own.id });
    await store.memory.perform({ kind: 'forget', id: own.id });
    expect(refusalOf(await team.notes.show(own.short_id))?.message).toBe(`there is no note ${own.short_id}`);
  });
});

describe('the short id of an event', () => {
  it('is printed by the history, and accepted by undo and as a point in history', async () => {
    const { id } = await writeNote(store.memory);
    const { notes } = appOver(store.memory);
    const events = await readEventsOfNote(store.memory, id, 5);
    const [event] = events.ok ? events.answer.events : [];
    expect(event?.short_id).toBe(event?.id.slice(-6));
    await notes.edit(id, { set: { title: 'edited' } });
    const shown = await notes.show(id, event?.short_id ?? '');
    expect(shown.ok && shown.answer.title).toBe('Use WAL mode');
    const [edited] = (await store.memory.events({ kind: 'note.edited' }, 1)).map((one) => one.id);
    const undone = await undoEvent(store.memory, edited?.slice(-6).toLowerCase());
    expect(undone).toMatchObject({ ok: true, answer: { undone: { id: edited } } });
  });
});
