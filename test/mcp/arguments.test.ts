import { describe, expect, it } from 'vitest';
import {
  EditArguments,
  HistoryArguments,
  ListArguments,
  parseArguments,
  SearchArguments,
  StatusArguments,
  SyncArguments,
  WriteArguments,
} from '../../src/mcp/tools/arguments-schema.js';

const messageOf = (answer: ReturnType<typeof parseArguments>): string => (answer.ok ? 'accepted' : answer.message);

describe('parsing the arguments of a tool', () => {
  it('fills in what was left out', () => {
    expect(parseArguments(SearchArguments, { query: ' wal mode ' })).toEqual({
      ok: true,
      value: { query: 'wal mode', k: 8, offset: 0 },
    });
    expect(parseArguments(ListArguments, undefined)).toEqual({ ok: true, value: { limit: 20 } });
    expect(parseArguments(StatusArguments, undefined)).toEqual({ ok: true, value: {} });
  });
  it('treats null as left out', () => {
    const given = { query: 'wal', project: null, type: null, k: null };
    expect(parseArguments(SearchArguments, given)).toEqual({ ok: true, value: { query: 'wal', k: 8, offset: 0 } });
  });
  it('reads k as limit, and limit as k, when the tool has only the other', () => {
    expect(parseArguments(SearchArguments, { query: 'wal', limit: 3 })).toMatchObject({ ok: true, value: { k: 3 } });
    expect(parseArguments(ListArguments, { k: 3 })).toEqual({ ok: true, value: { limit: 3 } });
    expect(parseArguments(HistoryArguments, { id: '01J0', k: 3 })).toMatchObject({ ok: true, value: { limit: 3 } });
    expect(parseArguments(StatusArguments, { k: 3 }).ok).toBe(false);
  });
  it('keeps a null that removes a field of a note', () => {
    const given = { id: '01J0', importance: null, expires_at: null, title: null };
    expect(parseArguments(EditArguments, given)).toEqual({
      ok: true,
      value: { id: '01J0', importance: null, expires_at: null },
    });
  });
  it('names a missing argument and its possible values', () => {
    expect(messageOf(parseArguments(WriteArguments, { title: 'a', body: 'b' }))).toBe(
      'type is missing: it must be one of procedural, semantic, episodic',
    );
    expect(messageOf(parseArguments(SearchArguments, {}))).toBe('query is missing: it must be a text');
  });
  it.each([
    [{ query: '  ' }, 'query must be a text that is not empty; given: ""'],
    [{ query: 7 }, 'query must be a text; given: 7'],
    [{ query: 'a', k: 0 }, 'k must be a whole number from 1 to 50; given: 0'],
    [{ query: 'a', k: 1.5 }, 'k must be a whole number from 1 to 50; given: 1.5'],
    [{ query: 'a', k: 'eight' }, 'k must be a whole number from 1 to 50; given: "eight"'],
    [{ query: 'a', k: '0' }, 'k must be a whole number from 1 to 50; given: 0'],
    [{ query: 'a', type: 'fact' }, 'type must be one of procedural, semantic, episodic; given: "fact"'],
    [{ query: 'a', scope: 'local' }, 'scope must be one of portable, machine-local; given: "local"'],
    [
      { query: 'a', count: 3 },
      'there is no argument count: there are query, project, type, scope, tag, also, mode, sort, k, offset',
    ],
    [{ query: 'a', limit: 51 }, 'k must be a whole number from 1 to 50; given: 51'],
    [{ query: 'a', k: 3, limit: 4 }, /^there is no argument limit: /],
    [{ query: 'a', type: 'x', k: -1 }, /^type must be .*; k must be /],
    [['a'], 'the arguments must be an object of named values'],
    ['a', 'the arguments must be an object of named values'],
  ])('refuses %j', (given, message) => {
    const shown = messageOf(parseArguments(SearchArguments, given));
    if (typeof message === 'string') expect(shown).toBe(message);
    else expect(shown).toMatch(message);
  });
  it('names the place in a list', () => {
    const given = { type: 'semantic', title: 'a', body: 'b', tags: ['x', 3], importance: 2, supersedes: 5 };
    expect(messageOf(parseArguments(WriteArguments, given))).toBe(
      'tags[1] must be a text; given: 3; supersedes must be a note id or a list of at most 64 note ids; given: 5; ' +
        'importance must be a number from 0 to 1; given: 2',
    );
  });
  it('shows only the beginning of a long value', () => {
    expect(messageOf(parseArguments(SearchArguments, { query: 'x'.repeat(5000) })).length).toBeLessThan(160);
  });
  const long = 'x'.repeat(4001);
  const many = Array.from({ length: 65 }, (_, at) => `${at}`);
  it.each([
    [{ query: long }, /^query must be a text of at most 4000 characters; given: "x{59}…$/],
    [{ query: 'a', project: long }, /^project must be a text of at most 4000 characters; given: "x{59}…$/],
    [{ query: 'a', also: many }, 'also must be a list of at most 64 texts; given: 65'],
    [{ query: 'a', also: ['b', long] }, /^also\[1\] must be a text of at most 4000 characters; given: "x{59}…$/],
  ])('refuses arguments that are too long: %#', (given, message) => {
    expect(messageOf(parseArguments(SearchArguments, given))).toMatch(message);
  });
  it('limits every list, and every text except the body', () => {
    const note = { type: 'semantic', title: 'a', body: long };
    expect(messageOf(parseArguments(WriteArguments, note))).toBe('accepted');
    for (const name of ['tags', 'keywords', 'supersedes'])
      expect(messageOf(parseArguments(WriteArguments, { ...note, [name]: many }))).toContain('a list of at most 64');
    for (const name of ['title', 'project', 'expires_at', 'supersedes'])
      expect(messageOf(parseArguments(WriteArguments, { ...note, [name]: long }))).toContain('at most 4000 characters');
    expect(messageOf(parseArguments(EditArguments, { id: '1', resolved_by: many }))).toContain('at most 64');
  });
  it('reads lists, numbers and booleans from texts, and leaves texts alone', () => {
    const written = { type: 'semantic', title: '["a"]', body: '3', project: 'true' };
    const read = (given: object) => parseArguments(WriteArguments, { ...written, ...given });
    const value = { ...written, tags: ['alpha', 'beta'], importance: 0.9 };
    expect(read({ tags: '["alpha","beta"]', importance: '0.9' })).toEqual({ ok: true, value });
    expect(read({ tags: 'alpha, beta', importance: 0.9 })).toEqual({ ok: true, value });
    expect(read({ supersedes: '["01A","01B"]' })).toMatchObject({ value: { supersedes: ['01A', '01B'] } });
    expect(read({ supersedes: '01A' })).toMatchObject({ value: { supersedes: ['01A'] } });
    expect(read({ tags: '' })).toMatchObject({ value: { tags: [] } });
    expect(parseArguments(SearchArguments, { query: '["a"]', k: '3' })).toMatchObject({
      value: { query: '["a"]', k: 3 },
    });
    expect(parseArguments(SyncArguments, { force: 'true' })).toEqual({ ok: true, value: { force: true } });
    expect(parseArguments(EditArguments, { id: '1', resolved_by: '["01A"]' })).toMatchObject({
      value: { resolved_by: ['01A'] },
    });
  });
  it.each([
    [{ tags: '[alpha, beta]' }, /^tags must be a list: JSON such as/],
    [{ supersedes: '["01A"' }, /^supersedes must be a list: JSON such as/],
    [{ tags: '["a", 3]' }, /^tags\[1\] must be a text; given: 3/],
    [{ tags: JSON.stringify(many) }, /^tags must be a list of at most 64 texts; given: 65/],
    [{ tags: many.join() }, /^tags must be a list of at most 64 texts; given: 65/],
    [{ importance: '2' }, /^importance must be a number from 0 to 1; given: 2/],
  ])('refuses the texts of %j', (given, message) => {
    const written = { type: 'semantic', title: 'a', body: 'b' };
    expect(messageOf(parseArguments(WriteArguments, { ...written, ...given }))).toMatch(message);
  });
  it('does not accept a property that every object has', () => {
    expect(messageOf(parseArguments(StatusArguments, { constructor: null }))).toBe('accepted');
    expect(messageOf(parseArguments(StatusArguments, { toString: 1 }))).toBe(
      'there is no argument toString: it takes none',
    );
  });
});
