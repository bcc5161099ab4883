/** A machine-local text never reaches memory/ or the remote, whatever a command, an editor or a copied file does. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { publishLeftFile } from '../../src/app/adopting.js';
import { forgetNotes, moveNote } from '../../src/app/moving.js';
import { undoEvent } from '../../src/app/undoing.js';
import type { Command } from '../../src/commands/handlers.js';
import type { NoteId } from '../../src/events/note/note.js';
import type { Memory } from '../../src/store/memory.js';
import type { NoteJson } from '../../src/store/note-json.js';
import { type Machines, newMachines } from '../support/machines.js';
import { writeNote } from '../support/store.js';

let machines: Machines;
let a: Memory;
beforeEach(async () => {
  machines = newMachines();
  a = await machines.open('a');
});

const secret = 'PRIVATE-OF-A';

/** Every object of memory/ and of the remote, even unreachable ones. */
const objects = (): string =>
  ['remote.git', 'a/memory']
    .map((name) => join(machines.folder, name))
    .map((cwd) =>
      execFileSync('git', ['cat-file', '--batch-all-objects', '--batch', '--buffer'], { cwd, encoding: 'latin1' }),
    )
    .join('\n');

const record = async (command: Command): Promise<void> => {
  expect(await a.perform(command)).toMatchObject({ status: 'recorded' });
};
const moveTo = async (id: NoteId, scope: 'portable' | 'machine-local'): Promise<NoteJson> => {
  const answer = await moveNote(a, id, { scope });
  if (answer.status !== 'recorded' || answer.note === undefined) throw new Error(JSON.stringify(answer));
  return answer.note;
};

/** A note that others have, made machine-local here. */
const movedHere = async (): Promise<NoteJson & { readonly old: NoteJson }> => {
  const old = await writeNote(a, { title: 'Shared', body: 'one\n' });
  await machines.sync(a);
  await a.finish();
  return { ...(await moveTo(old.id, 'machine-local')), old };
};

describe('a command on a machine-local note', () => {
  it.each<[string, (id: NoteId) => Promise<unknown>]>([
    ['an edit', (id) => record({ kind: 'edit', id, set: { title: secret, body: secret, project: secret } })],
    ['a tag', (id) => record({ kind: 'tag', id, add: [secret], remove: [] })],
    ['a supersession', (id) => writeNote(a, { title: secret, scope: 'machine-local', supersedes: [id] })],
    ['forgetting with a reason', (id) => record({ kind: 'forget', id, reason: secret })],
    [
      'an undo of forgetting',
      async (id) => {
        await record({ kind: 'edit', id, set: { title: secret } });
        await record({ kind: 'forget', id, reason: secret });
        expect((await undoEvent(a, undefined)).ok).toBe(true);
      },
    ],
    [
      'forgetting together with a portable note',
      async (id) => {
        const other = await writeNote(a, { title: 'Portable' });
        await forgetNotes(a, [other.id, id], secret);
      },
    ],
    [
      'an undo of an edit from before the note was moved away',
      async (id) => {
        await record({ kind: 'edit', id, set: { body: secret } });
        const [edited] = await a.events({ note: id }, 1);
        await record({ kind: 'edit', id, set: { body: 'public\n' } });
        await moveTo(id, 'portable');
        await undoEvent(a, edited?.id);
      },
    ],
  ])('%s tells memory/ and the remote nothing', async (_, change) => {
    const { id } = await movedHere();
    await change(id);
    await machines.sync(a);
    expect(objects()).not.toContain(secret);
  });

  it('resolving a conflict with a portable note puts no machine-local text into that', async () => {
    const { id } = await writeNote(a, { title: 'Portable' });
    const copy = await writeNote(a, { title: 'Copy', body: secret, scope: 'machine-local', source: 'merge' });
    execFileSync('sed', ['-i', `s/^tags:/links:\\n- conflicts-with ${id}\\ntags:/`, copy.path ?? '']);
    await a.adopt('hold');
    for (const verdict of ['ours', 'both'] as const)
      expect(await a.perform({ kind: 'resolve-conflict', copy: copy.id, original: id, verdict })).toMatchObject({
        refusal: { code: 'copy-is-local' },
      });
    await machines.sync(a);
    expect(objects()).not.toContain(secret);
  });

  it('a move back and forth publishes only what the note says when it becomes portable', async () => {
    const { id } = await movedHere();
    await record({ kind: 'edit', id, set: { body: secret } });
    await record({ kind: 'edit', id, set: { body: 'public\n' } });
    const portable = await moveTo(id, 'portable');
    const { id: again } = await moveTo(portable.id, 'machine-local');
    await record({ kind: 'edit', id: again, set: { body: secret } });
    await machines.sync(a);
    expect(objects()).not.toContain(secret);
    expect(objects()).toContain('public\n');
  });
});

describe('a file in memory/', () => {
  const left = async (): Promise<readonly string[]> =>
    (await a.adopt('hold')).portable.left.map(({ path, reason }) => `${path}: ${reason}`);
  const inMemory = (note: NoteJson): string =>
    join(machines.folder, 'a', 'memory', 'semantic', note.id.slice(-2), `${note.id}.md`);
  const save = (file: string, text: string): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };

  it.each<[string, () => Promise<string>]>([
    [
      'with the id of a note of local/',
      async () => {
        const note = await writeNote(a, { title: 'Local', body: secret, scope: 'machine-local' });
        mkdirSync(dirname(inMemory(note)), { recursive: true });
        cpSync(note.path ?? '', inMemory(note));
        return note.id;
      },
    ],
    [
      'with the id of a note that was forgotten in local/',
      async () => {
        const note = await writeNote(a, { title: 'Local', body: secret, scope: 'machine-local' });
        save(inMemory(note), readFileSync(note.path ?? '', 'utf8'));
        await record({ kind: 'forget', id: note.id });
        return note.id;
      },
    ],
    [
      'that an editor saved after its note moved to local/',
      async () => {
        const { old } = await movedHere();
        save(inMemory(old), `---\nid: ${old.id}\ntype: semantic\ntitle: Shared\n---\none\n${secret}\n`);
        return old.id;
      },
    ],
    [
      'that says scope: machine-local',
      async () => {
        const id = '01J0000000000000000000000A';
        const text = `---\nid: ${id}\ntype: semantic\ntitle: Mine\nscope: machine-local\n---\n${secret}\n`;
        save(join(machines.folder, 'a', 'memory', 'semantic', '0A', `${id}.md`), text);
        return id;
      },
    ],
  ])('%s is left and named, by each adopt and sync', async (_, make) => {
    const id = await make();
    expect(await left()).toEqual([expect.stringContaining(id)]);
    await machines.sync(a);
    await writeNote(a, { title: 'Another' });
    await machines.sync(a);
    expect(await left()).toEqual([expect.stringContaining(id)]);
    expect(objects()).not.toContain(secret);
  });

  it('becomes a new note by adopt --publish, and the one of local/ stays', async () => {
    const note = await writeNote(a, { title: 'Local', body: 'for all\n', scope: 'machine-local' });
    save(inMemory(note), readFileSync(note.path ?? '', 'utf8'));
    expect(await left()).toEqual([expect.stringContaining(`anamnesis adopt --publish ${note.id}`)]);
    expect(await publishLeftFile(a, note.id)).toMatchObject({ ok: true });
    expect(await left()).toEqual([]);
    const { notes } = await a.list({}, 9);
    expect(notes.map(({ scope, id }) => [scope, id === note.id]).toSorted()).toEqual([
      ['machine-local', true],
      ['portable', false],
    ]);
    await machines.sync(a);
    expect(objects()).toContain('for all');
    expect(await publishLeftFile(a, note.id)).toMatchObject({ ok: false, refusal: { code: 'none-left' } });
  });
});
