import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readStatus } from '../../src/app/status.js';
import { importPath } from '../../src/import/importing.js';
import { replayStore } from '../../src/maintenance/replaying.js';
import { searchNotes } from '../../src/projections/search/search.js';
import { openStore, type TestStore, temporaryFolder, writeNote } from '../support/store.js';

const shared = join(process.cwd(), '../shared/interop/python-anamnesis');
const missing = !existsSync(shared);
const needs = missing ? ' (skipped: needs ../shared/interop)' : '';

const readExpected = (name: string) => JSON.parse(readFileSync(join(shared, name), 'utf8'));

/** Creates a store as the Python program leaves it on a machine that syncs. */
const pythonStore = (): string => {
  const home = temporaryFolder();
  execFileSync('git', ['clone', '-q', join(shared, 'memory.bundle'), join(home, 'memory')]);
  cpSync(join(shared, 'local'), join(home, 'local'), { recursive: true });
  return home;
};

describe.skipIf(missing)(`a store of the Python program${needs}`, () => {
  let store: TestStore | undefined;
  let home = '';
  afterEach(async () => {
    await store?.memory.finish();
    for (const folder of [home, store?.home])
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  it('is used as it is: the same notes, counts and superseded notes', async () => {
    home = pythonStore();
    store = openStore({ home });
    await store.memory.initialise();
    const expected = readExpected('expected-stats.json');
    const status = await readStatus(store.memory);
    expect(status).toMatchObject({
      total: expected.total,
      by_type: expected.by_type,
      by_project: expected.by_project,
      by_scope: expected.by_scope,
    });
    const { notes } = await store.memory.list({}, 1000);
    expect(
      notes
        .filter((note) => note.superseded_by !== undefined)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(expected.superseded);
    expect((await replayStore(store.memory, { verify: true })).verified).toBe(true);
  });

  it('gets a first write as a new file, and none of its own files is touched', async () => {
    home = pythonStore();
    store = openStore({ home });
    const before = execFileSync('git', ['-C', join(home, 'memory'), 'ls-tree', '-r', 'main'], { encoding: 'utf8' });
    await writeNote(store.memory, { title: 'Ours' });
    const after = execFileSync('git', ['-C', join(home, 'memory'), 'ls-tree', '-r', 'main'], { encoding: 'utf8' });
    expect(after.split('\n').filter((line) => !before.includes(line))).toHaveLength(1);
    expect(before.split('\n').filter((line) => !after.includes(line))).toEqual([]);
  });

  it('finds with the plain query what the Python program finds', async () => {
    home = pythonStore();
    store = openStore({ home });
    await store.memory.initialise();
    const nowSeconds = Math.floor(Date.now() / 1000);
    const { searches } = readExpected('expected-search.json');
    let firstAmongEight = 0;
    let common = 0;
    for (const { query, project, type, ids } of searches) {
      const asked = { text: query, filter: { project, type }, k: 8, nowSeconds, plain: true };
      const { hits } = await store.memory.liveIndex.ask((database) => searchNotes(database, asked));
      const found = hits.map(({ note }) => note.id);
      if (found.includes(ids[0])) firstAmongEight += 1;
      common += ids.filter((id: string) => found.includes(id)).length / ids.length;
    }
    // The Python program weighs title, body and tags alike; with our weights the order within the eight differs.
    expect(firstAmongEight).toBe(searches.length);
    expect(common / searches.length).toBeGreaterThan(0.95);
  });

  it('injects most of the notes that the Python program injects', async () => {
    home = pythonStore();
    store = openStore({ home });
    await store.memory.initialise();
    const expected: Record<string, string> = readExpected('expected-inject.json');
    const block = expected['github.com/acme/docs'] ?? '';
    const titles = (text: string): string[] =>
      [...text.matchAll(/^## \[(\w+)\] (.*)$/gm)].map((found) => found[0].trim());
    const ours = titles((await store.memory.inject('github.com/acme/docs', { budget: 1_000_000, k: 100 })).text);
    const theirs = new Set(titles(block));
    const known = ours.filter((title) => theirs.has(title));
    expect(known.length).toBeGreaterThan(theirs.size * 0.6);
  });

  it('is imported into another store with its ids and bytes, and a second import changes nothing', async () => {
    home = pythonStore();
    store = openStore();
    const first = await importPath(store.memory, home);
    expect(first).toMatchObject({
      format: 'anamnesis',
      problems: [],
      answer: { counts: { imported: 115, updated: 0, skipped: 0 } },
    });
    const { notes } = await store.memory.list({}, 1000);
    for (const { id } of notes.slice(0, 20)) {
      const shown = await store.memory.show(id);
      const path = shown.ok ? (shown.answer.path ?? '') : '';
      const relative = path.slice(store.home.length + 1);
      expect(readFileSync(path).equals(readFileSync(join(home, relative)))).toBe(true);
    }
    const second = await importPath(store.memory, home);
    expect(second).toMatchObject({
      answer: { status: 'unchanged', counts: { imported: 0, updated: 0, skipped: 115 } },
    });
  });
});
