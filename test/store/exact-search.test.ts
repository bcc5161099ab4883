import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchOptions } from '../../src/store/search-options.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
const exact = (text: string, options: SearchOptions = {}) => store.memory.search(text, { mode: 'exact', ...options });
const found = async (text: string, options: SearchOptions = {}): Promise<readonly string[]> =>
  (await exact(text, options)).hits.map(({ title }) => title);

beforeAll(async () => {
  store = openStore();
  await writeNote(store.memory, { title: 'Retries', body: 'Call `retry(3, {` twice:\nretry(3, {\n  wait: 5 })' });
  await writeNote(store.memory, { title: 'Once', body: `${'Filler. '.repeat(100)}retry(3, {` });
  await writeNote(store.memory, { title: 'The "retry(3, {" of Ünal', body: 'Nothing.', project: 'other' });
  await writeNote(store.memory, { title: 'Local', body: 'unconnected, a|b $x', scope: 'machine-local' });
  await writeNote(store.memory, { title: 'Tagged', body: '迁移计划', tags: ['infra/prod'] });
});
afterAll(() => store.close());

describe('an exact search', () => {
  it('finds punctuation, in titles first, then where it occurs more often', async () => {
    expect(await found('retry(3, {')).toEqual(['The "retry(3, {" of Ünal', 'Retries', 'Once']);
    expect(await found('"retry(3')).toEqual(['The "retry(3, {" of Ünal']);
  });

  it('finds parts of words, several lines, tags and other scripts', async () => {
    expect(await found('connect')).toEqual(['Local']);
    expect(await found('a|b $')).toEqual(['Local']);
    expect(await found('twice:\nretry')).toEqual(['Retries']);
    expect(await found('infra/pr')).toEqual(['Tagged']);
    expect(await found('移计')).toEqual(['Tagged']);
  });

  it('is case-sensitive unless told otherwise', async () => {
    expect(await found('RETRY(3')).toEqual([]);
    expect(await found('RETRY(3', { ignoreCase: true })).toHaveLength(3);
    expect(await found('ünal')).toEqual([]);
    expect(await found('ünal', { ignoreCase: true })).toEqual(['The "retry(3, {" of Ünal']);
  });

  it('shows the place, how often the text occurs and which mode answered', async () => {
    const { hits, total, about } = await exact('retry(3, {', { k: 1, offset: 2 });
    expect({ total, about }).toEqual({ total: 3, about: { mode: 'exact' } });
    expect(hits).toMatchObject([{ title: 'Once', rank: 3, score: 1, reasons: ['contains it once'] }]);
    expect(hits[0]?.snippet).toMatch(/retry\(3, \{$/);
  });

  it('respects the filter and the access of the caller', async () => {
    expect(await found('retry(3', { project: 'other' })).toHaveLength(1);
    expect(await found('retry(3', { workspace: 'elsewhere' })).toEqual([]);
  });

  it('finds nothing in front matter, in foreign files or behind links', async () => {
    const folder = join(store.home, 'memory');
    writeFileSync(join(folder, 'scratch.txt'), 'zebra crossing');
    mkdirSync(join(store.home, 'outside'));
    writeFileSync(join(store.home, 'outside', 'a.md'), 'zebra crossing');
    symlinkSync(join(store.home, 'outside'), join(folder, 'linked'));
    expect(await found('zebra crossing')).toEqual([]);
    expect(await found('prov_source')).toEqual([]);
  });

  it.each(['-e', '--help', '-', '\\', '.*', 'a\0b', '\n', ' ', '😀'])('takes %j literally', async (text) => {
    expect((await exact(text)).about).toEqual({ mode: 'exact' });
  });
});
