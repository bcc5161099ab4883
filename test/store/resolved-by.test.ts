import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchOptions } from '../../src/store/search-options.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(() => store.close());

const trouble = {
  title: 'Uploads fail with 413',
  body: 'The proxy answers entity too large.\n',
  type: 'episodic',
} as const;
const truth = { title: 'Set client_max_body_size', body: 'Twenty megabytes in nginx.\n' };

const write = (note: { title: string; body: string; type?: 'episodic' }) => writeNote(store.memory, note);
const link = (id: string, resolvedBy: readonly string[]) =>
  store.memory.perform({ kind: 'edit', id, set: { resolvedBy } });
const fileOf = async ({ id }: { readonly id: string }) => {
  const shown = await store.memory.show(id);
  return (shown.ok && shown.answer.path) || '';
};
const search = async (text: string, options: SearchOptions = {}) => {
  const { hits, total } = await store.memory.search(text, options);
  return { titles: hits.map(({ title }) => title), resolves: hits.map((hit) => hit.resolves), total };
};

describe('a note that is resolved by another', () => {
  it('adds the other to a search after all hits, beyond their limit', async () => {
    const symptom = await write(trouble);
    await write({ title: 'Uploads are logged', body: 'In the bucket.\n' });
    await link(symptom.id, [(await write(truth)).id]);
    const { titles, resolves, total } = await search('uploads', { k: 2 });
    expect(titles).toEqual([expect.anything(), expect.anything(), truth.title]);
    expect(symptom.id.endsWith(resolves[2] ?? '-')).toBe(true);
    expect(resolves.slice(0, 2)).toEqual([undefined, undefined]);
    expect(total).toBe(2);
  });

  it('does not add the other if that is a hit itself', async () => {
    const symptom = await write(trouble);
    const own = await write({ title: 'Uploads need 413 raised', body: 'See nginx.\n' });
    await link(symptom.id, [own.id]);
    expect((await search('uploads 413')).resolves).toEqual([undefined, undefined]);
  });

  it('adds at most three others to an answer', async () => {
    const symptom = await write(trouble);
    const ids: string[] = [];
    for (const at of [1, 2, 3, 4, 5]) ids.push((await write({ title: `Answer ${at}`, body: `Number ${at}.\n` })).id);
    await link(symptom.id, ids);
    expect((await search('uploads')).titles).toEqual([trouble.title, 'Answer 1', 'Answer 2', 'Answer 3']);
  });

  it('adds the successor of a superseded one, but none that has expired', async () => {
    const symptom = await write(trouble);
    const first = await write(truth);
    await link(symptom.id, [first.id]);
    const next = { title: 'Uploads go to the bucket now', body: 'No proxy is between.\n' };
    const newer = await writeNote(store.memory, { ...next, title: 'Direct to the bucket', supersedes: [first.id] });
    expect((await search('entity')).titles).toEqual([trouble.title, 'Direct to the bucket']);
    await store.memory.perform({ kind: 'edit', id: newer.id, set: { expiresAt: '2020-01-01T00:00:00+00:00' } });
    expect((await search('entity')).titles).toEqual([trouble.title]);
  });

  it('adds none that the filter or the query excludes', async () => {
    const symptom = await write(trouble);
    await link(symptom.id, [(await write(truth)).id]);
    expect((await search('uploads', { type: 'episodic' })).titles).toEqual([trouble.title]);
    expect((await search('uploads', { user: 'somebody-else' })).titles).toEqual([]);
    expect((await search('uploads -nginx')).titles).toEqual([trouble.title]);
  });

  it('follows a link that a person wrote into the file, even before it is adopted', async () => {
    const file = await fileOf(await write(trouble));
    const { id } = await write(truth);
    writeFileSync(file, readFileSync(file, 'utf8').replace('---\n', `---\nlinks: [resolved-by ${id}]\n`));
    expect((await search('uploads')).titles).toEqual([trouble.title, truth.title]);
    appendFileSync(file, 'resolved-by is a word of this text\n');
    expect((await search('uploads')).titles).toEqual([trouble.title, truth.title]);
  });

  it('ignores links to no note, to itself or to thousands of unknown notes', async () => {
    const symptom = await write(trouble);
    const file = await fileOf(symptom);
    const { id } = await write(truth);
    const unknown = Array.from({ length: 3000 }, (_, at) => `resolved-by 01J${String(at).padStart(23, '0')}`);
    const links = ['resolved-by nothing', `resolved-by ${symptom.id}`, `resolved-by ${id}`, ...unknown];
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('---\n', `---\nlinks:\n${links.map((one) => `- ${one}\n`).join('')}`),
    );
    expect((await search('uploads')).titles).toEqual([trouble.title, truth.title]);
  });
});

describe('a recalled note that is resolved by another', () => {
  const recall = async (prompt: string, asked: { k?: number; exclude?: readonly string[]; maxBytes?: number } = {}) =>
    store.memory.recall(prompt, {
      project: 'shop',
      k: asked.k ?? 5,
      exclude: new Set(asked.exclude ?? []),
      maxBytes: asked.maxBytes ?? 9000,
      budget: 9000,
      measure: (text) => text.length,
    });
  const prompt = 'why do the uploads fail with 413';
  const add = async (answer: { title: string; body: string; project?: string } = truth) => {
    const symptom = await writeNote(store.memory, { ...trouble, project: 'shop' });
    const own = await writeNote(store.memory, { project: 'shop', ...answer });
    await link(symptom.id, [own.id]);
    return { symptom, own };
  };

  it('adds the other’s text, which says what it resolves and counts as given', async () => {
    const { symptom, own } = await add();
    const { text, ids, notes } = await recall(prompt);
    expect(ids).toEqual([symptom.id, own.id]);
    expect(text).toContain('Twenty megabytes');
    expect(text).toContain(`resolves: ${notes[0]?.short_id}`);
    expect(notes[1]).toMatchObject({ id: own.id, resolves: notes[0]?.short_id });
  });

  it('only names the other in a line when there are enough notes or no room', async () => {
    const { symptom, own } = await add({ ...truth, body: 'Twenty megabytes. '.repeat(100) });
    for (const few of [{ k: 1 }, { maxBytes: 1500 }]) {
      const { text, ids, maybe } = await recall(prompt, few);
      expect(ids).toEqual([symptom.id]);
      expect(text).toMatch(/\nsolved by: \w+, Set client_max_body_size\n$/);
      expect(maybe.map(({ id }) => id)).toEqual([own.id]);
    }
  });

  it('adds none that the session has or that is in another project', async () => {
    const { symptom, own } = await add();
    expect((await recall(prompt, { exclude: [own.id] })).ids).toEqual([symptom.id]);
    await link(symptom.id, [(await writeNote(store.memory, { ...truth, body: 'Else.', project: 'other' })).id]);
    expect((await recall(prompt)).ids).toEqual([symptom.id]);
  });
});
