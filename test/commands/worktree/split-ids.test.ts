/** One id in both journals: from a store of the version before, or because a sync brings an id of local/. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { NoteId } from '../../../src/events/note/note.js';
import type { Memory } from '../../../src/store/memory.js';
import { syncStore } from '../../../src/sync/syncing.js';
import { type Machines, newMachines } from '../../support/machines.js';
import { writeNote } from '../../support/store.js';

const id: NoteId = '01J0000000000000000000000A';
const path = `semantic/0A/${id}.md`;

const textOf = (title: string, body: string, more = ''): string =>
  `---\nid: ${id}\ntype: semantic\ntitle: ${title}\n${more}---\n${body}\n`;

const save = (memory: Memory, journal: 'portable' | 'local', text: string, at = path): void => {
  const file = join(memory.journals[journal].folder, at);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

/** Every object of memory/ and of the remote, even unreachable ones. */
const portableObjects = ({ folder }: Machines, machine = 'a'): string =>
  [join(folder, 'remote.git'), join(folder, machine, 'memory')]
    .map((cwd) =>
      execFileSync('git', ['cat-file', '--batch-all-objects', '--batch', '--buffer'], { cwd, encoding: 'latin1' }),
    )
    .join('\n');

/** `a` has the note in local/, and another machine publishes one with the same id. */
const sharedByTwo = async (step: (name: string) => void = () => undefined) => {
  const machines = newMachines();
  const [a, b] = [await machines.open('a', { step }), await machines.open('b')];
  save(a, 'local', textOf('Mine', 'PRIVATE of a'));
  await a.adopt('hold');
  save(b, 'portable', textOf('Theirs', 'known to all'));
  await b.adopt('hold');
  await machines.sync(b);
  return { machines, a, b };
};

const notesOf = async (memory: Memory) =>
  (await memory.list({}, 20)).notes.map((note) => [note.title, note.scope, note.id === id]).toSorted();

describe('an id of local/ that a sync brings', () => {
  it('stays with the portable note, and the machine-local one gets an id of its own', async () => {
    const { machines, a } = await sharedByTwo();
    await machines.sync(a);
    expect(await notesOf(a)).toEqual([
      ['Mine', 'machine-local', false],
      ['Theirs', 'portable', true],
    ]);
    expect((await a.events({ kind: 'notes.migrated' }, 9)).map(({ journal }) => journal)).toEqual(['local']);
    expect(portableObjects(machines)).not.toContain('PRIVATE');
  });

  it('is split once: the next commands and syncs find nothing to do', async () => {
    const { machines, a } = await sharedByTwo();
    await machines.sync(a, a);
    await writeNote(a, { title: 'Next' });
    expect(await a.events({ kind: 'notes.migrated' }, 9)).toHaveLength(1);
  });

  it('keeps what a file in memory/ says under that id, as a machine-local note of its own', async () => {
    const { machines, a } = await sharedByTwo();
    save(a, 'portable', textOf('Copied', 'PRIVATE copy'), `semantic/copied/${id}.md`);
    save(a, 'portable', textOf('At its place', 'PRIVATE too'));
    await machines.sync(a);
    expect(await notesOf(a)).toEqual([
      ['At its place', 'machine-local', false],
      ['Copied', 'machine-local', false],
      ['Mine', 'machine-local', false],
      ['Theirs', 'portable', true],
    ]);
    expect(readFileSync(join(a.journals.portable.folder, path), 'utf8')).toContain('known to all');
    expect(portableObjects(machines)).not.toContain('PRIVATE');
  });

  it('takes what a person is about to save in local/ along', async () => {
    const { machines, a } = await sharedByTwo();
    save(a, 'local', textOf('Mine', 'PRIVATE of a, edited'));
    await machines.sync(a);
    const [mine] = (await a.list({ scope: 'machine-local' }, 9)).notes;
    expect(await a.show(mine?.id ?? '')).toMatchObject({ answer: { body: 'PRIVATE of a, edited\n' } });
    expect(portableObjects(machines)).not.toContain('PRIVATE');
  });

  it('stays superseded by what superseded it here', async () => {
    const { machines, a } = await sharedByTwo();
    await writeNote(a, { title: 'Newer', scope: 'machine-local', supersedes: [id] });
    await machines.sync(a);
    expect((await a.search('PRIVATE', {})).hits.map(({ title }) => title)).toEqual(['Newer']);
  });

  it.each(['split:kept', 'split:back', 'put', 'checkpoint'])('is finished after a kill at %s', async (point) => {
    let isKilled: boolean | undefined;
    const step = (name: string): void => {
      if (isKilled !== false || name !== point) return;
      isKilled = true;
      throw new Error('killed');
    };
    const { machines, a } = await sharedByTwo(step);
    save(a, 'portable', textOf('Left', 'PRIVATE too'), `semantic/left/${id}.md`);
    isKilled = false;
    await a.adopt('hold').catch(() => undefined);
    await syncStore(a).catch(() => undefined);
    expect(isKilled).toBe(true);
    await machines.sync(a);
    expect(await notesOf(a)).toEqual([
      ['Left', 'machine-local', false],
      ['Mine', 'machine-local', false],
      ['Theirs', 'portable', true],
    ]);
    expect(portableObjects(machines)).not.toContain('PRIVATE');
  });
});

describe('what a version before 0.4 noted in state.db', () => {
  /** As that version left it: it knew no `ids-split`. */
  const withFact = async (key: string, value: string, file = '') => {
    const machines = newMachines();
    const a = await machines.open('a');
    await writeNote(a, { title: 'There' });
    await a.finish();
    if (file !== '') save(a, 'portable', file);
    const database = new Database(join(machines.folder, 'a', 'state.db'));
    database.exec("DELETE FROM facts WHERE key = 'ids-split'");
    database.prepare('INSERT INTO facts VALUES (?, ?)').run(key, value);
    database.close();
    await machines.sync(a);
    return { machines, a };
  };

  it('keeps the rest of a command in both journals as a machine-local note', async () => {
    const content = Buffer.from(textOf('Second half', 'PRIVATE')).toString('base64');
    const second = {
      firstId: 'x',
      journal: 'memory',
      event: {},
      epochMs: 0,
      changes: [{ path, before: null, content }],
    };
    const { machines, a } = await withFact('second-commit', JSON.stringify(second));
    expect(await notesOf(a)).toContainEqual(['Second half', 'machine-local', false]);
    expect(portableObjects(machines)).not.toContain('PRIVATE');
  });

  it('keeps a file that a move took along as a machine-local note, and takes it out of memory/', async () => {
    const taken = JSON.stringify(['01J0000000000000000000000E', [path, 'a blob']]);
    const { machines, a } = await withFact('taken-along', taken, textOf('Taken along', 'PRIVATE'));
    expect(await notesOf(a)).toContainEqual(['Taken along', 'machine-local', false]);
    expect(existsSync(join(a.journals.portable.folder, path))).toBe(false);
    expect(portableObjects(machines)).not.toContain('PRIVATE');
  });
});
