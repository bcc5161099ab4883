import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openKnownRankings } from '../../src/store/known-rankings.js';
import { searchIndex } from '../../src/store/searching.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
let rankings: ReturnType<typeof openKnownRankings>;
/** How often the index was actually searched. */
let searched = 0;
const nowSeconds = Math.floor(Date.UTC(2026, 5, 1) / 1000);

const ask = (text: string, key = text, at = nowSeconds) =>
  store.memory.liveIndex.ask((database) =>
    rankings.rank(database, key, at, () => {
      searched += 1;
      return searchIndex(database, text, {}, at);
    }),
  );

beforeEach(async () => {
  store = openStore();
  rankings = openKnownRankings();
  searched = 0;
  await writeNote(store.memory, { title: 'Deploy', body: 'Needs the VPN.' });
});
afterEach(() => store.close());

describe('a question that is asked again', () => {
  it('is answered as before, without another search', async () => {
    const first = await ask('vpn');
    expect(await ask('vpn')).toBe(first);
    expect(searched).toBe(1);
    await ask('vpn', 'vpn, by somebody else');
    expect(searched).toBe(2);
  });

  it('is searched again after a write', async () => {
    await ask('vpn');
    await writeNote(store.memory, { title: 'VPN', body: 'Port 443.' });
    expect((await ask('vpn')).ranking.total).toBe(2);
    expect(searched).toBe(2);
  });

  it('is searched again once a note has expired', async () => {
    await writeNote(store.memory, { title: 'VPN', body: 'Until noon.', expiresAt: '2026-06-01T12:00:00Z' });
    expect((await ask('vpn')).ranking.total).toBe(2);
    expect((await ask('vpn', 'vpn', nowSeconds + 11 * 3600)).ranking.total).toBe(2);
    expect(searched).toBe(1);
    expect((await ask('vpn', 'vpn', nowSeconds + 12 * 3600)).ranking.total).toBe(1);
  });

  it('is searched each time if it may depend on the current time', async () => {
    await ask('vpn after:7d');
    await ask('vpn after:7d');
    expect(searched).toBe(2);
  });

  it('is evicted after 64 others', async () => {
    await ask('vpn');
    for (let at = 0; at < 64; at += 1) await ask(`vpn ${at}`);
    await ask('vpn');
    expect(searched).toBe(66);
  });
});

describe('a search that is repeated', () => {
  it('shows each workspace its own notes, and gives the same answer again', async () => {
    const all = await store.memory.search('vpn', {});
    expect(all.hits).toHaveLength(1);
    expect((await store.memory.search('vpn', { workspace: 'elsewhere' })).hits).toEqual([]);
    expect(await store.memory.search('vpn', {})).toEqual(all);
  });
});
