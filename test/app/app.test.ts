import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEvents } from '../../src/app/history.js';
import type { NewNote } from '../../src/app/similar-notes.js';
import { undoEvent } from '../../src/app/undoing.js';
import { appOver, noteOf, openStore, writeNote } from '../support/store.js';

const store = openStore();
const own = appOver(store.memory);
const team = appOver(store.memory, { user: 'ann', workspace: 'acme' });

const note = (title: string): NewNote => ({
  type: 'semantic',
  title,
  body: 'The registry needs the VPN.\n',
  project: 'shop',
  scope: 'portable',
  tags: [],
  keywords: [],
  supersedes: [],
});

let personal: string;
let shared: string;

beforeAll(async () => {
  personal = (await writeNote(store.memory, { title: 'Personal VPN', body: 'registry', project: 'shop' })).id;
  shared = noteOf(await team.notes.write(note('Shared VPN'))).id;
});
afterAll(() => store.close());

describe('an access with a user', () => {
  it('records its user in the event and in the note, whatever the use case', async () => {
    expect(noteOf(await own.notes.write(note('Mine'))).user_id).toBe('self');
    const other = appOver(store.memory, { user: 'bob', workspace: undefined });
    const written = noteOf(await other.notes.write(note('His')));
    expect(written.user_id).toBe('bob');
    await other.notes.tag(written.id, { add: ['vpn'], remove: [] });
    await undoEvent(await other.whole(), undefined);
    const events = await readEvents(await own.wholeToRead(), { note: written.id }, 10);
    expect(events.ok && events.answer.events.map(({ kind, user }) => [kind, user])).toEqual([
      ['event.undone', 'bob'],
      ['note.tagged', 'bob'],
      ['note.written', 'bob'],
    ]);
  });
  it('still lists the notes of every user', async () => {
    const other = appOver(store.memory, { user: 'bob', workspace: undefined });
    expect((await other.notes.list({}, 50)).total).toBe((await own.notes.list({}, 50)).total);
  });
});

describe('an access to one workspace', () => {
  it('writes into that workspace', async () => {
    const shown = await own.notes.show(shared);
    expect(shown.ok && shown.answer).toMatchObject({ workspace_id: 'acme', user_id: 'ann' });
  });
  it('sees none of the text typed into a note by hand while it is moved to another workspace', async () => {
    const { id, path = '' } = noteOf(await team.notes.write(note('Moving away')));
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('acme', 'board').replace('The registry', 'Redundancies: the registry'));
    const search = JSON.stringify(await team.notes.search('moving away', {}));
    expect(search).toContain(id);
    expect(search).not.toContain('Redundancies');
    await store.memory.adopt('hold');
    expect((await team.notes.search('moving away', {})).hits).toEqual([]);
    const after = await own.notes.search('moving away', {});
    expect(after.hits[0]).toMatchObject({ id, workspace_id: 'board' });
    await own.notes.forget([id], undefined);
  });
  it('finds, lists, shows and injects only its notes', async () => {
    expect((await team.notes.search('VPN', {})).hits.map(({ id }) => id)).toEqual([shared]);
    expect((await team.notes.search('VPN', { at: 'HEAD' })).hits.map(({ id }) => id)).toEqual([shared]);
    expect((await team.notes.list({}, 50)).notes.map(({ id }) => id)).toEqual([shared]);
    expect((await team.notes.inject('shop')).text).not.toContain('Personal VPN');
    expect((await team.notes.inject('shop')).text).toContain('Shared VPN');
    expect((await team.notes.show(shared)).ok).toBe(true);
    for (const at of [undefined, 'HEAD']) {
      expect(await team.notes.show(personal, at)).toMatchObject({ ok: false, refusal: { code: 'note-unknown' } });
    }
    expect(await team.notes.listProjects()).toEqual([]);
    expect(await team.notes.idsBeginningWith('01', 10)).toEqual([]);
  });
  it('finds nothing when a filter names another workspace', async () => {
    expect(await team.notes.list({ workspace: 'personal' }, 50)).toEqual({ notes: [], total: 0 });
    expect(await team.notes.search('VPN', { workspace: 'personal' })).toEqual({ hits: [], total: 0, about: {} });
  });
  it('changes no note outside that workspace', async () => {
    const unknown = { status: 'refused', refusal: { code: 'note-unknown' } };
    expect(await team.notes.edit(personal, { set: { title: 'Taken' } })).toMatchObject(unknown);
    expect(await team.notes.tag(personal, { add: ['x'], remove: [] })).toMatchObject(unknown);
    expect(await team.notes.move(personal, { project: 'other' })).toMatchObject(unknown);
    expect(await team.notes.supersede([personal], shared)).toMatchObject(unknown);
    expect(await team.notes.supersede([shared], personal)).toMatchObject(unknown);
    expect(await team.notes.restore(personal)).toMatchObject(unknown);
    expect(await team.notes.forget([personal], undefined)).toMatchObject({ ok: false, refusal: unknown.refusal });
    expect(await team.notes.forget([shared, personal], undefined)).toMatchObject({ ok: false });
    expect(await team.notes.write({ ...note('Next'), supersedes: [personal] })).toMatchObject(unknown);
    expect((await own.notes.show(personal)).ok).toBe(true);
  });
  it('is refused every operation that needs the whole store', async () => {
    const refused = { code: 'access-restricted' };
    await expect(team.notes.restore(shared, { at: 'HEAD' })).rejects.toMatchObject(refused);
    await expect(team.notes.write({ ...note('Next'), sourceKey: 'session:1' })).rejects.toMatchObject(refused);
    await expect(team.notes.write({ ...note('Next'), proposes: [personal] })).rejects.toMatchObject(refused);
    await expect(team.whole()).rejects.toMatchObject(refused);
    await expect(team.wholeToRead()).rejects.toMatchObject(refused);
  });
});
