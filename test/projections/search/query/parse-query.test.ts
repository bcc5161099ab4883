import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ParsedQuery, parseQuery } from '../../../../src/projections/search/query/parse-query.js';
import { showTerm } from '../../../../src/projections/search/query/tokens.js';
import { anyText } from '../../../support/arbitraries.js';
import { processorMs } from '../../../support/processor-time.js';

const now = Date.parse('2026-06-24T12:00:00Z') / 1000;
const parse = (text: string): ParsedQuery => parseQuery(text, now);
const readAs = (text: string): string | undefined => parse(text).readAs;

describe("a short query whose filters can't be read", () => {
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
  ])('is searched as words, and says why: %s', (text, problem) => {
    const { phrases, without, fields, ...read } = parse(text);
    expect({ phrases, without, fields, problem: read.problem }).toEqual({
      phrases: [],
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
    'auth AND (token OR key) NOT oauth',
    'error: unknown option -name',
    '-wal file keeps growing to hundreds of megabytes',
    'git commit -am wip',
    'NOT NULL constraint failed',
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
    const { phrases, begun, without, fields, problem } = parse(text);
    expect({ phrases, begun, without, fields, problem }).toEqual({
      phrases: [],
      begun: [],
      without: [],
      fields: [],
      problem: undefined,
    });
    expect(parse(text).text).toBe(text);
  });

  it('is how pasted text is read, whatever it contains', () => {
    const log = `${'ERROR "pool" AND -timeout tag:x\n'.repeat(100)}`;
    expect(parse(log)).toMatchObject({ text: log, phrases: [], fields: [], readAs: undefined });
  });
});

describe('a query', () => {
  it.each<[text: string, phrases: readonly string[]]>([
    ['"connection pool" timeout', ['"connection pool"']],
    ['“connection pool”', ['"connection pool"']],
    ['"one thing" "another"', ['"one thing"', '"another"']],
  ])('asks for phrases: %s', (text, phrases) => {
    expect(parse(text).phrases.map(showTerm)).toEqual(phrases);
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
    expect(parse('cache -staging-eu -node.js -deploy* -迁移').without.map(showTerm)).toEqual([
      'staging-eu',
      'node.js',
      'deploy*',
      '迁移',
    ]);
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
    expect(parse('TAG:infra')).toMatchObject({ text: '', fields: [{ key: 'tag' }] });
    expect(parse('id:hggm56')).toMatchObject({ text: '', fields: [{ key: 'id' }], readAs: 'id:hggm56' });
  });

  it('says how it was read', () => {
    expect(readAs('"connection pool" time* -redis tag:infra -machine:"my laptop"')).toBe(
      'with "connection pool"; time*; without redis; tag:infra; not machine:"my laptop"',
    );
    expect(readAs('connection pool')).toBeUndefined();
  });

  it('with an open quotation mark is searched as words, within its filters and exclusions, and says why', () => {
    expect(parse('auth -redis "token tag:c1')).toMatchObject({
      text: 'auth "token',
      phrases: [],
      without: [{ text: 'redis' }],
      fields: [{ value: 'c1' }],
      readAs: 'without redis; tag:c1',
      problem: 'a quotation mark is not closed',
    });
    expect(parse('find "x -name package.json').without).toEqual([]);
  });

  it('has at most eight prefixes', () => {
    const many = Array.from({ length: 9 }, (_, at) => `word${at}*`).join(' ');
    expect(parse(many)).toMatchObject({ begun: [], problem: 'more than 8 words have a star' });
  });

  it('of any text is parsed, and says how it was read if it is more than words', () => {
    const piece = fc.oneof(anyText, fc.constantFrom('"', '-', '*', 'tag:', 'tag:a', 'auth', '-auth'));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const { phrases, begun, without, fields, readAs: read } = parse(pieces.join(' '));
        expect(phrases.length + begun.length + without.length + fields.length > 0).toBe(read !== undefined);
      }),
    );
  });

  it('of 1,000 characters is parsed in less than 500 ms, whatever it contains', () => {
    for (const piece of ['"', '-', 'a:', 'a*', '“']) {
      const before = processorMs();
      parse(piece.repeat(1000).slice(0, 1000));
      expect(processorMs() - before).toBeLessThan(500);
    }
  });
});
