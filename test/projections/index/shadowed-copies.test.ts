import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replayStore } from '../../../src/maintenance/replaying.js';
import { noteOf, openStore, personsGit, type TestStore, writeNote } from '../../support/store.js';

describe('a second file of a superseded note', () => {
  let store: TestStore;
  beforeEach(() => {
    store = openStore();
  });
  afterEach(() => store.close());

  it('is indexed by a catch-up exactly as by a replay', async () => {
    const { memory } = store;
    const older = await writeNote(memory, { title: 'older' });
    const newer = await writeNote(memory, { title: 'newer' });
    const { path = '' } = noteOf(await memory.perform({ kind: 'supersede', ids: [older.id], by: newer.id }));
    expect(path).toContain(newer.id);
    const shown = await memory.show(older.id);
    const file = shown.ok ? (shown.answer.path ?? '') : '';
    const { folder } = memory.journals.portable;
    const copy = join(folder, 'semantic', `${older.id}.md`);
    copyFileSync(file, copy);
    writeFileSync(
      copy,
      readFileSync(copy, 'utf8').replace(/^updated_at: .*$/m, "updated_at: '2020-01-01T00:00:00+00:00'"),
    );
    personsGit(folder, 'add', '-A');
    personsGit(folder, 'commit', '-qm', 'a copy');
    expect((await memory.list({}, 10)).total).toBeGreaterThan(0);
    expect(await replayStore(memory, { verify: true })).toMatchObject({ verified: true });
  });
});
