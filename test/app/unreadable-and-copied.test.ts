/** A command would write a note's file where a person committed something else, or where it has another file. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adoptEdits } from '../../src/app/adopting.js';
import { restoreAt, undoEvent } from '../../src/app/undoing.js';
import type { Command } from '../../src/commands/handlers.js';
import type { Scope } from '../../src/events/note/note.js';
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
const copy = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
};
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
  it('a copy leaves the note its other file', async () => {
    const first = await write('first');
    const another = join(home, 'memory/semantic/d1', `${first.id}.md`);
    copy(first.path, another);
    const copied = await adopt();
    await undo(copied);
    expect([first.path, another].map((path) => existsSync(path))).toEqual([true, false]);
    expect(await notes()).toEqual(['portable semantic: first']);
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
