/** A command would write a note's file where a person put another note's: neither note loses its text. */
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adoptEdits } from '../../src/app/adopting.js';
import { restoreAt, undoEvent } from '../../src/app/undoing.js';
import type { Command } from '../../src/commands/handlers.js';
import type { NoteType, Scope } from '../../src/events/note/note.js';
import { pathOfNote } from '../../src/events/note/paths.js';
import { openStore, personsGit, type TestStore, temporaryFolder, writeNote } from '../support/store.js';

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

type Written = { readonly id: string; readonly path: string };
const write = async (body: string, scope: Scope = 'portable'): Promise<Written> => {
  const { id, path = '' } = await writeNote(store.memory, { title: `Note ${body}`, body, scope });
  return { id, path };
};
const pathIn = (folder: 'memory' | 'local', type: NoteType, { id }: Written): string =>
  join(home, folder, pathOfNote(type, id));
const put = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
};
const copy = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
};
const change = (path: string, edit: (text: string) => string): void =>
  writeFileSync(path, edit(readFileSync(path, 'utf8')));

/** Every note as its scope, type and text. */
const notes = async (): Promise<readonly string[]> => {
  const { notes: listed } = await store.memory.list({}, 100);
  const shown = await Promise.all(listed.map(({ id }) => store.memory.show(id)));
  return shown
    .map((one) => (one.ok ? `${one.answer.scope} ${one.answer.type}: ${one.answer.body?.trim()}` : 'gone'))
    .sort();
};
const newestEvent = async (): Promise<string> => {
  const [event] = await store.memory.events({}, 1);
  return event?.id ?? '';
};
const adopt = async (): Promise<string> => {
  await store.memory.adopt('record');
  return newestEvent();
};
const undo = (event: string): Promise<unknown> => undoEvent(store.memory, event);
const perform = (command: Command): Promise<unknown> => store.memory.perform(command);
const place = (one: Written, scope: Scope = 'portable', type: NoteType = 'semantic'): string =>
  `${scope === 'portable' ? 'memory' : 'local'}/${pathOfNote(type, one.id)}`;
const taken = (by: Written, where: string) => ({
  code: 'place-taken',
  message: expect.stringMatching(new RegExp(`^note ${by.id} lies where .* belongs, in ${where}$`)),
});

describe('a command that would move a note onto the file of another', () => {
  it('is refused when it edits the type', async () => {
    const [first, second] = [await write('first'), await write('second')];
    put(second.path, pathIn('memory', 'procedural', first));
    change(pathIn('memory', 'procedural', first), (text) => text.replace('type: semantic', 'type: procedural'));
    await adopt();
    const edited = await perform({ kind: 'edit', id: first.id, set: { type: 'procedural' } });
    expect(edited).toMatchObject({
      status: 'refused',
      refusal: taken(second, place(first, 'portable', 'procedural')),
    });
    expect(await notes()).toEqual(['portable procedural: second', 'portable semantic: first']);
  });
});

describe('the advice when another note has the place', () => {
  it('overwrites no file of that note and names the event to undo', async () => {
    const [banana, cherry] = [await write('banana'), await write('cherry')];
    copy(banana.path, cherry.path);
    change(cherry.path, (text) => `${text}typed\n`);
    const adopted = await adopt();
    const refused = await undoEvent(store.memory, undefined);
    const where = `memory/semantic/apart/${banana.id}.md`;
    expect(refused).toMatchObject({
      ok: false,
      refusal: {
        ...taken(banana, place(cherry)),
        next: `rename that file to ${where}, run: anamnesis adopt, then anamnesis undo ${adopted}`,
      },
    });
    put(cherry.path, join(home, where));
    await store.memory.adopt('hold');
    expect(await undo(adopted)).toMatchObject({ ok: true });
    expect(await notes()).toEqual(['portable semantic: banana', 'portable semantic: cherry']);
    expect(readFileSync(join(home, where), 'utf8')).toContain('typed');
  });
});

describe('a committed file that cannot be read as a note', () => {
  const commitUnreadable = (path: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'a draft without front matter\n');
    personsGit(join(home, 'memory'), 'add', '-A');
    personsGit(join(home, 'memory'), 'commit', '-q', '-m', 'a draft');
  };

  const blocked = { code: 'file-blocked', next: expect.stringContaining('anamnesis adopt') };

  it.each<[string, (id: string, forgotten: string) => Promise<unknown>, object]>([
    ['restore', (id) => perform({ kind: 'restore', id }), { status: 'refused', refusal: blocked }],
    ['undo', (_, forgotten) => undo(forgotten), { ok: false, refusal: blocked }],
  ])('is not overwritten when %s brings its note back', async (_, bringBack, refused) => {
    const { id, path } = await write('text');
    await perform({ kind: 'forget', id });
    const forgotten = await newestEvent();
    commitUnreadable(path);
    expect(await bringBack(id, forgotten)).toMatchObject(refused);
    expect(readFileSync(path, 'utf8')).toBe('a draft without front matter\n');
    rmSync(path);
    await adopt();
    await bringBack(id, forgotten);
    expect(await notes()).toEqual(['portable semantic: text']);
  });

  it('is replaced by an older text when the note is restored to a point', async () => {
    const { id, path } = await write('text');
    const written = await newestEvent();
    commitUnreadable(path);
    await restoreAt(store.memory, id, written);
    expect(await notes()).toEqual(['portable semantic: text']);
  });
});

describe('undoing', () => {
  it('is refused while another note has the place of a note that would come back', async () => {
    const [first, second, third] = [await write('first'), await write('second'), await write('third')];
    put(first.path, join(home, 'memory/semantic/d1', `${first.id}.md`));
    put(second.path, first.path);
    const renamed = await adopt();
    put(third.path, second.path);
    await adopt();
    expect(await undo(renamed)).toMatchObject({ ok: false, refusal: taken(third, place(second)) });
    expect(await notes()).toEqual(['first', 'second', 'third'].map((body) => `portable semantic: ${body}`));
    put(second.path, third.path);
    await adopt();
    await undo(renamed);
    expect(await notes()).toEqual(['first', 'second', 'third'].map((body) => `portable semantic: ${body}`));
    expect(readFileSync(first.path, 'utf8')).toMatch(/\nfirst$/);
  });

  it.each([
    ['named by its id', (one: Written) => one.path],
    ['under the name of another note', (_: Written, other: Written) => other.path],
  ])('a copy leaves the note its last file when the original, %s, is gone', async (_, placeOf) => {
    const [first, other] = [await write('first'), await write('other')];
    const original = placeOf(first, other);
    if (original !== first.path) put(first.path, original);
    await adopt();
    copy(original, join(home, 'memory/semantic/d1', `${first.id}.md`));
    const copied = await adopt();
    rmSync(original);
    await adopt();
    await undo(copied);
    expect(await notes()).toContain('portable semantic: first');
  });
});

it('adopting reports a note that lost one of its two files as changed, not as forgotten', async () => {
  const first = await write('first');
  copy(first.path, join(home, 'memory/semantic/d1', `${first.id}.md`));
  await adopt();
  rmSync(first.path);
  const { changes } = await adoptEdits(store.memory, 'record');
  expect(changes).toMatchObject([{ id: first.id, change: 'edited' }]);
});

describe('a note whose place another note took is restored', () => {
  it('as the last event left it, even when that event moved it', async () => {
    const [first, other] = [await write('old text'), await write('other')];
    await perform({ kind: 'edit', id: first.id, set: { type: 'procedural', body: 'new text' } });
    copy(other.path, pathIn('memory', 'procedural', first));
    await adopt();
    await perform({ kind: 'restore', id: first.id });
    expect(await notes()).toEqual(['portable procedural: new text', 'portable semantic: other']);
  });

  it('to a point at which its file was named after another note', async () => {
    const [first, other] = [await write('first'), await write('other')];
    put(first.path, other.path);
    const point = await adopt();
    change(other.path, (text) => text.replace(/^first$/m, 'changed'));
    await adopt();
    await restoreAt(store.memory, first.id, point);
    expect(await notes()).toEqual(['portable semantic: first']);
  });
});
