import { describe, expect, it } from 'vitest';
import { openKnownKeys } from '../../../../src/projections/search/query/known-keys.js';
import { parseQuery } from '../../../../src/projections/search/query/parse-query.js';

const now = Date.parse('2026-06-24T12:00:00Z') / 1000;
const known = openKnownKeys(
  {
    hasTag: (tag) => ['postgres', 'infra/prod', '123'].includes(tag.toLowerCase()),
    hasId: (part) => part.toUpperCase() === 'HGGGM5',
    tagsLike: (tag) => (tag === 'postgers' ? ['postgres'] : []),
  },
  now,
);
const parse = (text: string) => parseQuery(text, known);
const plain = (text: string) => ({ text, fields: [], readAs: undefined, problem: undefined });

describe('a query', () => {
  it.each<[text: string, key: string, value: string, readAs: string]>([
    ['#postgres', 'tag', 'postgres', 'tag:postgres'],
    ['#Postgres', 'tag', 'Postgres', 'tag:Postgres'],
    ['#infra/prod', 'tag', 'infra/prod', 'tag:infra/prod'],
    ['tags:postgres', 'tag', 'postgres', 'tag:postgres'],
    ['types:semantic', 'type', 'semantic', 'type:semantic'],
    ['scopes:portable', 'scope', 'portable', 'scope:portable'],
    ['since:7d', 'after', '7d', 'after:7d'],
    ['until:2026-06', 'before', '2026-06', 'before:2026-06'],
    ['id:HGGGM5', 'id', 'HGGGM5', 'id:HGGGM5'],
    ['id:hgggm5', 'id', 'hgggm5', 'id:hgggm5'],
    ['type:Semantic', 'type', 'Semantic', 'type:Semantic'],
    ['scope:Portable', 'scope', 'Portable', 'scope:Portable'],
    ['is:Superseded', 'is', 'Superseded', 'is:Superseded'],
    ['has:Secret', 'has', 'Secret', 'has:Secret'],
    ['after:Today', 'after', 'Today', 'after:Today'],
  ])('can name a key: %s', (text, key, value, readAs) => {
    expect(parse(text)).toMatchObject({ fields: [{ key, value, isWithout: false }], readAs, problem: undefined });
  });

  it('excludes a tag with a minus before its sign', () => {
    expect(parse('pool -#postgres')).toMatchObject({ text: 'pool', fields: [{ key: 'tag', isWithout: true }] });
  });

  it.each([
    '#redis',
    '#123',
    '#',
    '# postgres',
    '## postgres',
    '##postgres',
    'C#',
    'fix #42',
    '"#postgres"x',
    'db#postgres',
  ])('is only words where # marks no existing tag, a number or a heading: %s', (text) => {
    expect(parse(text).fields).toEqual([]);
    expect(parse(text).problem).toBeUndefined();
  });

  it('of more than twelve words counts as pasted and keeps all its signs', () => {
    const text = `${'word '.repeat(12)}#postgres since:7d`;
    expect(parse(text)).toMatchObject(plain(text));
  });

  it.each<[text: string, problem: string]>([
    ['type:fix', 'type:fix is not understood; a type is procedural, semantic or episodic'],
    ['types:fix', 'types:fix is not understood; a type is procedural, semantic or episodic'],
    ['scope:here', 'scope:here is not understood; a scope is portable or machine-local'],
    ['before:notadate', 'before:notadate is not understood; a time is 2026-06-24, 2026-06, 7d, today or yesterday'],
    ['since:noon', 'since:noon is not understood; a time is 2026-06-24, 2026-06, 7d, today or yesterday'],
    ['is:open', 'is:open is not understood; it takes superseded, expired, live, any, sensitive, portable or local'],
    ['has:issues', 'has:issues is not understood; it takes secret, tag or expiry'],
    ['tags:postgers', 'there is no tag "postgers"; near it: postgres'],
    ['tags:zebra', 'there is no tag "zebra"'],
    ['id:HGGGM6', 'there is no note with the id HGGGM6'],
    ['id:x', 'id:x is not understood; an id, or at least 4 characters of its beginning or end, has letters and digits'],
    ['updated:today', 'updated: is not a key; use after:today'],
    ['projects:shop', 'projects: is not a key; use project:shop'],
    ['tag: postgres', 'tag: has a space after it; use tag:postgres'],
    ['type: semantic', 'type: has a space after it; use type:semantic'],
  ])('that only looks like a key stays words, and says what a key would be: %s', (text, problem) => {
    expect(parse(text)).toMatchObject({ ...plain(text), problem });
  });

  it.each([
    'updated:never',
    'tag: zebra',
    'type: error',
    'agent: connection refused',
    'project: the shop',
    'constructor:x',
    'created:2026-06',
    'a: b',
  ])('of words with a colon says nothing about keys: %s', (text) => {
    expect(parse(text)).toMatchObject(plain(text));
  });

  it('that names a tag by its key asks for it, even if there is no such tag', () => {
    expect(parse('tag:zebra')).toMatchObject({ fields: [{ key: 'tag', value: 'zebra' }], problem: undefined });
    expect(known.missingTag([], ['postgres', 'postgers'])).toBe('there is no tag "postgers"; near it: postgres');
    expect(known.missingTag([], ['postgres'])).toBeUndefined();
  });
});
