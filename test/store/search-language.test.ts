import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainRanking } from '../../src/projections/search/explain.js';
import type { SearchOptions } from '../../src/store/search-options.js';
import { searchIndex } from '../../src/store/searching.js';
import { anyText, idOf } from '../support/arbitraries.js';
import { indexNotes, type NotesIndex } from '../support/indexed-notes.js';

const day = (date: string) => ({ updatedAt: `${date}T12:00:00+00:00` });
const notes = [
  { title: 'Connection pool', body: 'Ten connections to redis.', tags: ['infra/prod'], ...day('2026-06-01') },
  { title: 'Pool of connections', body: 'Redis again.', importance: 0.9, ...day('2026-06-05') },
  { title: 'Deployment hangs', body: 'The timeout of the pool.', type: 'episodic', ...day('2026-06-10') },
  { title: 'Deploys wait', body: 'For the VPN.', project: 'acme/shop', agent: 'claude-code', ...day('2026-06-20') },
  { title: 'Session key', body: 'Set busyTimeout and rotate the auth token.', ...day('2026-06-21') },
  { title: 'Old VPN', body: 'The first gateway.', ...day('2026-01-01') },
  { title: 'New VPN', body: 'The gateway.', supersedes: [idOf(5)], ...day('2026-06-22') },
  { title: 'Bucket', body: 'key [REDACTED:aws-secret-key]', ...day('2026-06-23') },
  { title: 'Redacted papers', body: 'They were redacted by key.', expiresAt: '2026-06-02T00:00:00+00:00' },
] as const;

let index: NotesIndex;
beforeAll(() => {
  index = indexNotes(notes);
});
afterAll(() => index.close());

const now = Date.parse('2026-06-24T12:00:00Z') / 1000;
const search = (text: string, options: SearchOptions = {}) =>
  searchIndex(index.database, text, options, now, undefined, options.explain === true ? explainRanking : undefined);
const found = (text: string, options: SearchOptions = {}): readonly string[] =>
  search(text, options).ranking.hits.map(({ note }) => note.title);

describe('a query', () => {
  it.each<[text: string, titles: readonly string[]]>([
    ['"connection pool"', ['Connection pool']],
    ['"connection pool" redis', ['Connection pool']],
    ['redis -again', ['Connection pool']],
    ['pool -"connection pool" -hangs', ['Pool of connections']],
    ['gatew*', ['New VPN']],
    ['pool tag:infra', ['Connection pool']],
    ['pool -tag:infra type:episodic', ['Deployment hangs']],
    ['gateway', ['New VPN']],
    ['gateway is:superseded', ['Old VPN']],
    ['redacted is:expired', ['Redacted papers']],
    ['key has:secret', ['Bucket']],
    ['vpn -agent:claude', ['New VPN']],
    ['vpn project:shop -is:superseded after:2026-06-20', ['New VPN', 'Deploys wait']],
  ])('%s finds only what it asks for', (text, titles) => {
    expect(found(text).toSorted()).toEqual(titles.toSorted());
  });

  it('with a star finds all words with that prefix', () => {
    expect(found('deploy*').toSorted()).toEqual(['Deployment hangs', 'Deploys wait']);
    expect(found('busyt*')).toEqual(['Session key']);
  });

  it('of fields only lists the notes that match, newest first', () => {
    expect(found('after:7d')).toEqual(['Bucket', 'New VPN', 'Session key', 'Deploys wait']);
    expect(found('after:2026-06-01 before:2026-06-10 -redis')).toEqual([]);
    expect(search('after:7d', { k: 1, offset: 1 }).ranking).toMatchObject({
      total: 4,
      hits: [{ rank: 2, note: { title: 'New VPN' } }],
    });
  });

  it('that no note matches is searched as words, within its fields, and says so', () => {
    const { ranking, about } = search('"pool connection timeout" type:episodic');
    expect(ranking.hits.map(({ note }) => note.title)).toEqual(['Deployment hangs']);
    expect(about).toEqual({
      read_as: 'with "pool connection timeout"; type:episodic',
      relaxed: 'no note matches all of it: searched for its words',
    });
  });

  it('that is malformed is searched as words, and says why', () => {
    const { ranking, about } = search('vpn "gateway');
    expect(ranking.hits[0]?.note.title).toBe('New VPN');
    expect(about).toEqual({ relaxed: 'a quotation mark is not closed: searched for its words' });
  });

  it.each(['rotate -auth', '"rotate the auth" -session'])(
    '%s, which excludes every match, finds nothing and says why',
    (text) => {
      const { ranking, about } = search(text);
      expect(ranking).toMatchObject({ hits: [], total: 0 });
      expect(about.relaxed).toBe('every note with these words also has what the query leaves out');
    },
  );

  it('still applies its exclusions when it is searched as words', () => {
    expect(found('"vpn gateway pool" -timeout').toSorted()).not.toContain('Deployment hangs');
  });

  it.each(['-auth', '-"auth token"'])('%s only excludes notes, and finds nothing', (text) => {
    const { ranking, about } = search(text);
    expect(ranking).toMatchObject({ hits: [], total: 0 });
    expect(about).toEqual({ relaxed: expect.stringMatching(/^the query says only what to leave out/) });
  });

  it('does not match a phrase inside a word, nor correct a prefix', () => {
    expect(found('"set busyTimeout" -"rotate busyTimeout"')).toEqual(['Session key']);
    expect(search('gatewax* new').about.corrected).toBeUndefined();
  });

  it('shows every hit once, page by page', () => {
    const pages = [0, 1, 2, 3].flatMap((offset) => found('pool vpn', { k: 1, offset, prefer: 'acme/shop' }));
    expect(pages).toEqual(found('pool vpn', { k: 4, prefer: 'acme/shop' }));
  });

  it('is not explained to a caller who cannot see all notes', () => {
    expect(search('pool', { explain: true, workspace: 'personal' }).about.explain).toBeUndefined();
  });

  it('that is an id or a part of one finds that note first, even if it is superseded', () => {
    expect(found(idOf(5))).toEqual(['Old VPN']);
    expect(found(idOf(5).slice(-8).toLowerCase())).toEqual(['Old VPN']);
    expect(search(idOf(5), { workspace: 'other' }).ranking.hits).toEqual([]);
  });

  it('can name notes by id, also superseded ones and beside other conditions', () => {
    expect(found(`id:${idOf(5)}`)).toEqual(['Old VPN']);
    expect(found(`gateway id:${idOf(5).slice(-8).toLowerCase()},${idOf(6)}`)).toEqual(['New VPN', 'Old VPN']);
    expect(found(`gateway is:any -id:${idOf(5)}`)).toEqual(['New VPN']);
    expect(search(`id:${idOf(5)}`, { workspace: 'other' }).ranking.hits).toEqual([]);
  });

  it('finds nothing beyond the access of the caller, whatever its fields', () => {
    expect(found('is:any', { workspace: 'other' })).toEqual([]);
    expect(found('vpn pool project:shop', { user: 'other' })).toEqual([]);
  });

  it('can be sorted by date or importance', () => {
    expect(found('pool', { sort: 'date' })).toEqual(['Deployment hangs', 'Pool of connections', 'Connection pool']);
    expect(found('pool', { sort: 'importance' })[0]).toBe('Pool of connections');
    expect(found('pool', { sort: 'date', k: 1, offset: 1 })).toEqual(['Pool of connections']);
  });

  it('can have other wordings, which count less', () => {
    expect(found('vpn', { also: ['redis pool'] })).toEqual(
      expect.arrayContaining(['New VPN', 'Deploys wait', 'Connection pool', 'Pool of connections']),
    );
    expect(found('gateway', { also: ['redis'] })[0]).toBe('New VPN');
  });

  it('explains what the index was asked and what was left out', () => {
    const { about } = search('why does the gateway of the vpn hang', { explain: true });
    expect(about.explain).toEqual({
      match: '"hang" OR "gateway" OR "vpn"',
      words: [
        { word: 'gateway', notes: 2 },
        { word: 'vpn', notes: 3 },
        { word: 'hang', notes: 1 },
      ],
      dropped: ['why', 'does', 'the', 'of'],
      left_out: { superseded: 1, expired: 0 },
    });
    expect(search('gateway').about).toEqual({});
  });

  it('is answered, whatever it contains', () => {
    const piece = fc.oneof(
      anyText,
      fc.constantFrom('pool', 'AND', '(', ')', '"', '-vpn', 'deploy*', 'tag:a', '\0'),
      fc.constantFrom(
        '迁移计划',
        'Straße',
        'busyTimeout',
        'is:any',
        '"迁移"',
        '{title}:',
        '^pool',
        "'; DROP TABLE",
        '😀',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const { ranking } = search(pieces.join(' '));
        expect(ranking.total).toBeGreaterThanOrEqual(ranking.hits.length);
      }),
    );
  });
});
