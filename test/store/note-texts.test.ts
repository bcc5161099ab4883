import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatNote } from '../../src/cli/note-view.js';
import { filesOfNote } from '../../src/projections/index/query.js';
import type { NoteJson } from '../../src/store/note-json.js';
import { NoteTexts } from '../../src/store/note-texts.js';
import { Reading } from '../../src/store/reading.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

describe('a note whose file has become unreadable', () => {
  let store: TestStore;
  let id = '';
  let path = '';
  beforeEach(async () => {
    store = openStore();
    ({ id } = await writeNote(store.memory, { title: 'Registry', body: 'recorded\n' }));
    path = (await shown()).path ?? '';
    writeFileSync(
      path,
      readFileSync(path, 'utf8')
        .replace(/^title: .*$/m, 'title: [half')
        .replace('recorded', 'newer'),
    );
  });
  afterEach(() => store.close());

  const shown = async (): Promise<NoteJson> => {
    const found = await store.memory.show(id);
    if (!found.ok) throw new Error('the note is missing');
    return found.answer;
  };

  it('is shown as it was recorded, and the answer says so', async () => {
    expect(await shown()).toMatchObject({ title: 'Registry', body: 'recorded\n', file_problem: expect.any(String) });
    expect(formatNote(await shown())).toMatch(/not shown +the file as it is now: /);
  });

  it('is shown as it is, without a warning, once the file is readable again', async () => {
    writeFileSync(path, readFileSync(path, 'utf8').replace('title: [half', 'title: Whole'));
    expect(await shown()).toMatchObject({ title: 'Whole', body: 'newer\n' });
    expect(await shown()).not.toHaveProperty('file_problem');
  });
});

describe('a note in a folder that became a link to itself', () => {
  it('is found with its recorded text, beside the others', async () => {
    const store = openStore();
    const { path = '' } = await writeNote(store.memory, { title: 'Registry', body: 'quokka one\n' });
    await writeNote(store.memory, { title: 'Ports', body: 'quokka two\n' });
    const folder = dirname(path);
    rmSync(folder, { recursive: true });
    symlinkSync(basename(folder), folder);
    const { hits } = await store.memory.search('quokka', {});
    expect(hits.map(({ title }) => title).toSorted()).toEqual(['Ports', 'Registry']);
    await store.close();
  });
});

describe('a note of excessive length', () => {
  let store: TestStore;
  let id = '';
  const body = `first of all\n${'größe zebra\n'.repeat(300_000)}at the very end\n`;
  beforeEach(async () => {
    store = openStore();
    const note = await writeNote(store.memory, { title: 'Long', body: 'short\n' });
    id = note.id;
    const path = note.path ?? '';
    await store.memory.finish();
    writeFileSync(path, readFileSync(path, 'utf8').replace('short\n', body));
    await store.memory.adopt('hold');
  });
  afterEach(() => store.close());

  it('is shown in full, and found by the words of its first mebibyte or by its exact text', async () => {
    const shown = await store.memory.show(id);
    expect(shown.ok && shown.answer.body === body).toBe(true);
    const idsOf = async (text: string, mode: 'keyword' | 'exact'): Promise<readonly string[]> =>
      (await store.memory.search(text, { mode })).hits.map((hit) => hit.id);
    expect(await idsOf('zebra', 'keyword')).toEqual([id]);
    expect(await idsOf('very', 'keyword')).toEqual([]);
    expect(await idsOf('at the very end', 'exact')).toEqual([id]);
  });

  it('is read only at its beginning when a few lines of it are shown or compared', async () => {
    const texts = new NoteTexts(store.memory.journals);
    const notes = await store.memory.liveIndex.ask((database) => filesOfNote(database, id));
    const [head] = await texts.readHeads(notes);
    expect(head?.body.length).toBeLessThan(300_000);
    expect(head?.body.startsWith('first of all\n')).toBe(true);
    expect(head?.body.endsWith('\n…\n')).toBe(true);
    const [whole] = await texts.read(notes);
    expect(whole?.body === body).toBe(true);
  });

  it('is read from git when its file is now another note’s, or not a note', async () => {
    const [note] = await store.memory.liveIndex.ask((database) => filesOfNote(database, id));
    const path = join(store.memory.journals.portable.folder, note?.path ?? '');
    const { path: other = '' } = await writeNote(store.memory, { title: 'Other', body: 'another\n' });
    const others = readFileSync(other, 'utf8').replace('another\n', `somebody else's\n${'filler\n'.repeat(300_000)}`);
    for (const text of [others, `---\nnot: a note\n---\n${'filler\n'.repeat(300_000)}`]) {
      writeFileSync(path, text);
      const [head] = await new NoteTexts(store.memory.journals).readHeads(note === undefined ? [] : [note]);
      expect(head?.body.startsWith('first of all\n')).toBe(true);
      expect((await store.memory.store()).state.touched('portable')).toEqual([note?.path]);
    }
  });

  it('is read only at its beginning for a session', async () => {
    const reading = new Reading(store.memory.settings);
    const head = await reading.head(id);
    reading.close();
    expect(head).toMatchObject({ title: 'Long', claimed: false });
    expect(head?.body.length).toBeLessThan(300_000);
  });

  it('is read in full if it is no longer than a command can write', async () => {
    const most = `${'word '.repeat(52_000)}end\n`;
    const { id: usual } = await writeNote(store.memory, { title: 'Usual', body: most });
    const notes = await store.memory.liveIndex.ask((database) => filesOfNote(database, usual));
    const [head] = await new NoteTexts(store.memory.journals).readHeads(notes);
    expect(head?.body === most).toBe(true);
  });
});

describe('a note with a title of excessive length', () => {
  let store: TestStore;
  let id = '';
  const title = `Deploys ${'need the VPN '.repeat(60_000)}end`;
  const beginning = `${title.slice(0, 1000)}…`;
  beforeEach(async () => {
    store = openStore();
    const note = await writeNote(store.memory, { title: 'Long', body: 'text\n', project: 'shop' });
    id = note.id;
    const path = note.path ?? '';
    await store.memory.finish();
    writeFileSync(path, readFileSync(path, 'utf8').replace('title: Long', `title: ${title}`));
    await store.memory.adopt('hold');
  });
  afterEach(() => store.close());

  const isWhole = async (): Promise<boolean> => {
    const shown = await store.memory.show(id);
    return shown.ok && shown.answer.title === title;
  };

  it('is listed and found with the beginning of the title, and shown in full', async () => {
    const listed = await store.memory.list({}, 10);
    expect(listed.notes.map((note) => note.title === beginning)).toEqual([true]);
    const { hits } = await store.memory.search('deploys', {});
    expect(hits.map((hit) => hit.title === beginning)).toEqual([true]);
    expect(await isWhole()).toBe(true);
  });

  it('keeps the title when another field is edited', async () => {
    const edited = await store.memory.perform({ kind: 'edit', id, set: { body: 'other\n' } });
    expect(edited.status).toBe('recorded');
    expect(await isWhole()).toBe(true);
  });

  it('appears in the block of a session with only the beginning of the title', async () => {
    const { text } = await store.memory.inject('shop');
    expect(text).toContain(`## [semantic] ${beginning}\n`);
    expect(text.length).toBeLessThan(2000);
  });

  it('is also cut in the block before an edit by hand is adopted', async () => {
    const shown = await store.memory.show(id);
    const path = (shown.ok && shown.answer.path) || '';
    writeFileSync(path, readFileSync(path, 'utf8').replace('title: Deploys', 'title: Releases'));
    const { text } = await store.memory.inject('shop');
    expect(text).toContain(`## [semantic] Releases${title.slice(7, 999)}…\n`);
  });
});
