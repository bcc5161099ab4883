import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showStructure } from '../../../../src/projections/search/query/expression-tree.js';
import { type ParsedQuery, parseQuery } from '../../../../src/projections/search/query/parse-query.js';
import { anyText } from '../../../support/arbitraries.js';
import { processorMs } from '../../../support/processor-time.js';

const now = Date.parse('2026-06-24T12:00:00Z') / 1000;
const parse = (text: string): ParsedQuery => parseQuery(text, now);
const must = (text: string): string | undefined => {
  const { structure } = parse(text);
  return structure === undefined ? undefined : showStructure(structure);
};
const readAs = (text: string): string | undefined => parse(text).readAs;

describe("a short query whose operators or filters can't be read", () => {
  it.each([
    ['type:string src:main', 'type:string is not understood; it takes procedural, semantic, episodic'],
    [
      'is:open label:bug',
      'is:open is not understood; it takes superseded, expired, live, any, sensitive, portable, local',
    ],
    [
      'after:2026-13 deploy',
      'after:2026-13 is not understood; it takes a time such as 2026-06-24, 2026-06, 7d, today or yesterday',
    ],
    ['id:HGG6', 'id:HGG6 is not understood; it takes an id, or at least 6 characters of its beginning or end'],
    ['has:issues', 'has:issues is not understood; it takes secret, tag, expiry'],
    ['-vpn', 'the query says only what to leave out; to search for it literally, put it in quotation marks'],
    ['NOT auth', 'the query says only what to leave out; to search for it literally, put it in quotation marks'],
    ['(vpn', 'a bracket is not closed'],
    ['auth (token', 'a bracket is not closed'],
  ])('is searched as words, and says why: %s', (text, problem) => {
    const { structure, without, fields, ...read } = parse(text);
    expect({ structure, without, fields, problem: read.problem }).toEqual({
      structure: undefined,
      without: [],
      fields: [],
      problem,
    });
  });
});

describe('a query of words', () => {
  it.each([
    'why does the deploy hang',
    'How do READ AND WRITE locks work?',
    'locks AND what they do',
    'one two three four AND five',
    'error: unknown option -name',
    '-wal file keeps growing to hundreds of megabytes',
    'git commit -am wip',
    'NOT NULL constraint failed',
    'error: NOT NULL constraint failed',
    '404 NOT FOUND',
    'DO NOT EDIT',
    'ACCESS NOT ALLOWED',
    'READ AND WRITE',
    'openssl s_client -connect db.acme:443 -showcerts',
    'find . -name package.json',
    'File "main.py", line 10 ModuleNotFoundError: No module named requests',
    'Error: agent:connection refused',
    'java -jar app.jar',
    'docker run --rm -it node',
    'find . -name foo --print',
    'foo(bar) => baz()',
    'C++ (the language)',
    'https://example.com/a?b=c',
    'a 5" disk',
    '* ** -- - ()',
    '日本語のメモ',
    'SELECT * FROM notes',
    '',
  ])('stays as it is: %s', (text) => {
    const { structure, begun, without, fields, problem } = parse(text);
    expect({ structure, begun, without, fields, problem }).toEqual({
      structure: undefined,
      begun: [],
      without: [],
      fields: [],
      problem: undefined,
    });
    expect(parse(text).text).toBe(text);
  });

  it('is how pasted text is read, whatever it contains', () => {
    const log = `${'ERROR "pool" AND -timeout tag:x\n'.repeat(100)}`;
    expect(parse(log)).toMatchObject({ text: log, structure: undefined, fields: [], readAs: undefined });
  });
});

describe('a query', () => {
  it.each<[text: string, must: string]>([
    ['"connection pool" timeout', '"connection pool"'],
    ['“connection pool”', '"connection pool"'],
    ['"one thing" "another"', '"one thing" AND "another"'],
    ['auth AND token', 'auth AND token'],
    ['auth OR token', 'auth OR token'],
    ['auth AND token OR key', '(auth AND token) OR key'],
    ['auth AND (token OR "session key")', 'auth AND (token OR "session key")'],
    ['auth token OR key', '(auth AND token) OR key'],
    ['(auth OR token) AND deploy*', '(auth OR token) AND deploy*'],
    ['a1 OR (b1 NOT c1)', 'a1 OR (b1 NOT c1)'],
    ['cache NOT (staging OR go1)', 'cache'],
    ['timeout OR requests -busy', 'timeout OR requests'],
  ])('asks for %s', (text, structure) => {
    expect(must(text)).toBe(structure);
    expect(parse(text).problem).toBeUndefined();
  });

  it('may have prefixes and exclude words', () => {
    expect(parse('deploy* hang -redis -"old staging"')).toMatchObject({
      text: 'hang',
      begun: [{ kind: 'prefix', text: 'deploy' }],
      without: [
        { kind: 'word', text: 'redis' },
        { kind: 'phrase', text: 'old staging' },
      ],
    });
    expect(parse('cache -staging-eu -node.js -deploy* -迁移').without.map(showStructure)).toEqual([
      'staging-eu',
      'node.js',
      'deploy*',
      '迁移',
    ]);
    expect(parse('timeout OR requests -busy').without).toEqual([{ kind: 'word', text: 'busy' }]);
    expect(parse('cache -(staging OR go1)').without.map(showStructure)).toEqual(['staging OR go1']);
    expect(parse('auth NOT redis').without).toEqual([{ kind: 'word', text: 'redis' }]);
    expect(parse('auth AND NOT (redis OR memcached)').without.map(showStructure)).toEqual(['redis OR memcached']);
    expect(parse('auth AND token -redis')).toMatchObject({ text: 'auth token', without: [{ text: 'redis' }] });
  });

  it('may filter by keys of the notes', () => {
    expect(parse('tag:infra deploy -type:episodic project:"acme/shop"')).toMatchObject({
      text: 'deploy',
      fields: [
        { key: 'tag', value: 'infra', isWithout: false },
        { key: 'type', value: 'episodic', isWithout: true },
        { key: 'project', value: 'acme/shop', isWithout: false },
      ],
    });
    expect(parse('auth AND token tag:infra')).toMatchObject({ text: 'auth token', fields: [{ value: 'infra' }] });
    expect(parse('TAG:infra')).toMatchObject({ text: '', fields: [{ key: 'tag' }] });
    expect(parse('id:hggm56')).toMatchObject({ text: '', fields: [{ key: 'id' }], readAs: 'id:hggm56' });
  });

  it('may filter from any place, also within brackets: a filter applies to the whole query', () => {
    expect(parse('tag:infra AND auth AND (token OR key after:7d)')).toMatchObject({
      readAs: 'with auth AND (token OR key); tag:infra; after:7d',
      problem: undefined,
    });
  });

  it('says how it was read', () => {
    expect(readAs('"connection pool" time* -redis tag:infra -machine:"my laptop"')).toBe(
      'with "connection pool"; time*; without redis; tag:infra; not machine:"my laptop"',
    );
    expect(readAs('connection pool')).toBeUndefined();
  });

  it.each<[text: string, problem: string]>([
    ['auth AND', 'there is nothing after an operator'],
    ['AND auth', 'there is nothing before AND'],
    ['auth AND (token OR key', 'a bracket is not closed'],
    ['auth AND token)', 'a closing bracket has no opening one'],
    ['auth OR tag:infra', 'an operator or a bracket has nothing to join'],
    ['auth OR NOT token', 'OR joins words, phrases and brackets'],
    ['auth AND "token', 'a quotation mark is not closed'],
    [`${'('.repeat(40)}auth OR token${')'.repeat(40)}`, 'brackets are nested too deep'],
  ])('that is malformed is searched as words: %s', (text, problem) => {
    expect(parse(text)).toMatchObject({ problem, structure: undefined });
  });

  it('that is malformed keeps its filters', () => {
    expect(parse('deploy AND "steps tag:infra')).toMatchObject({ fields: [{ key: 'tag', value: 'infra' }] });
    expect(parse('auth AND (token tag:infra')).toMatchObject({ text: 'auth and token', fields: [{ key: 'tag' }] });
  });

  it.each([
    'NOT tag:infra kubectl',
    'why is the api rollout stuck NOT tag:infra',
    'kubectl rollout readiness probe NOT tag:infra',
    'webhooks NOT retry stripe OR NOT tag:infra',
    'kubectl NOT (tag:infra rollout)',
    'kubectl NOT ((rollout) tag:infra',
    'kubectl OR -tag:infra',
  ])('excludes by a filter after NOT, however the rest is read: %s', (text) => {
    expect(parse(text)).toMatchObject({ fields: [{ key: 'tag', value: 'infra', isWithout: true }] });
    expect(readAs(text)).toContain('not tag:infra');
  });

  it('keeps a filter after the bracket that NOT applies to', () => {
    expect(parse('auth OR NOT (token tag:a1) tag:b1').fields).toEqual([
      { key: 'tag', value: 'a1', isWithout: true },
      { key: 'tag', value: 'b1', isWithout: false },
    ]);
  });

  it('that is malformed still excludes words with a minus', () => {
    expect(parse('auth OR -redis tag:c1')).toMatchObject({
      text: 'auth or',
      without: [{ text: 'redis' }],
      fields: [{ value: 'c1' }],
      readAs: 'without redis; tag:c1',
      problem: expect.stringContaining('OR joins'),
    });
    expect(parse('find "x -name package.json').without).toEqual([]);
  });

  it('has at most eight prefixes', () => {
    const many = Array.from({ length: 9 }, (_, at) => `word${at}*`).join(' ');
    expect(parse(many)).toMatchObject({ begun: [], problem: 'more than 8 words have a star' });
  });

  it('of any text is parsed, and says how it was read if it has a structure', () => {
    const piece = fc.oneof(
      anyText,
      fc.constantFrom('AND', 'OR', 'NOT', '(', ')', '"', '-', '*', 'tag:', 'tag:a', 'auth'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const parsed = parse(pieces.join(' '));
        if (parsed.structure !== undefined) showStructure(parsed.structure);
        expect(parsed.structure === undefined || parsed.readAs !== undefined).toBe(true);
      }),
    );
  });

  it('parses back to the structure that it is shown as', () => {
    const word = fc.constantFrom('auth', 'token', '"session key"', 'redis', 'deploy*');
    const tree = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        word,
        fc.tuple(tie('node'), fc.constantFrom('AND', 'OR', 'NOT'), tie('node')).map((parts) => `(${parts.join(' ')})`),
      ),
    })).node;
    fc.assert(
      fc.property(tree, tree, (left, right) => {
        const shown = must(`${left} AND ${right}`);
        if (shown !== undefined) expect(must(`(${shown}) AND x1`)).toBe(must(`(${must(shown) ?? ''}) AND x1`));
      }),
    );
  });

  it('of 1,000 characters is parsed in less than 500 ms, whatever it contains', () => {
    for (const piece of ['(', '"', '-', 'a:', '((a OR ', 'AND ', 'a*', '“']) {
      const before = processorMs();
      parse(piece.repeat(1000).slice(0, 1000));
      expect(processorMs() - before).toBeLessThan(500);
    }
  });
});
