import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatNote } from '../../src/cli/note-view.js';
import type { NoteJson } from '../../src/store/note-json.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

describe('a note whose file cannot be read any more', () => {
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

  it('is shown as it is, without a word, once the file is whole again', async () => {
    writeFileSync(path, readFileSync(path, 'utf8').replace('title: [half', 'title: Whole'));
    expect(await shown()).toMatchObject({ title: 'Whole', body: 'newer\n' });
    expect(await shown()).not.toHaveProperty('file_problem');
  });
});
