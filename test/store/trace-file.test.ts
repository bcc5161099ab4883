import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { offeredIn, readTrace, removeTrace, trace, traceFolder } from '../../src/store/trace-file.js';
import { programOf } from '../support/children.js';

let home: string;
const settings = (more: object = {}) => ({ home, user: 'self', ...more });
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'anamnesis-trace-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const current = (): string => join(traceFolder(home), 'trace.jsonl');
const program = programOf(
  'tracer',
  `import { trace } from './src/store/trace-file.ts';
  const [home, session] = process.argv.slice(2);
  const notes = Array.from({ length: 60 }, () => ['01ARZ3NDEKTSV4RRFFQ69G5FAV', 0.5]);
  for (let at = 0; at < 40; at += 1) trace({ home, session, user: 'self' }, { by: 'inject', notes });`,
);
const isRoot = process.getuid?.() === 0;

describe('the trace', () => {
  it('keeps what was asked and returned, in order, readable by its owner only', () => {
    trace(settings({ session: 's' }), { by: 'search', query: 'why does it hang', total: 9, notes: [['A', 1.5]] });
    trace(settings(), { by: 'inject', project: 'p', agent: 'codex', notes: [['B', null]] });
    expect(readTrace(home)).toMatchObject([
      { by: 'search', session: 's', user: 'self', query: 'why does it hang', total: 9, notes: [['A', 1.5]] },
      { by: 'inject', project: 'p', agent: 'codex', notes: [['B', null]] },
    ]);
    expect(statSync(current()).mode & 0o777).toBe(0o600);
  });

  it('leaves possible secrets out of a query', () => {
    trace(settings(), { by: 'recall', query: 'use ghp_0123456789abcdef0123456789abcdef0123 here', notes: [] });
    expect(readTrace(home)[0]?.query).toBe('use … here');
  });

  it('is not written when it is turned off', () => {
    trace(settings({ trace: false }), { by: 'search', query: 'q', notes: [] });
    expect(existsSync(traceFolder(home))).toBe(false);
    expect(readTrace(home)).toEqual([]);
  });

  it('is bounded, and loses its oldest part first', () => {
    const notes = Array.from({ length: 100 }, (_, at) => [`01ARZ3NDEKTSV4RRFFQ6900${at + 100}`, null] as const);
    for (let at = 0; at < 600; at += 1) trace(settings(), { by: 'inject', project: `${at}`, notes });
    const kept = readTrace(home);
    expect(kept.length).toBeLessThan(600);
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.map(({ project }) => Number(project))).toEqual(
      Array.from({ length: kept.length }, (_, at) => 600 - kept.length + at),
    );
    const bytes = readdirSync(traceFolder(home)).map((name) => statSync(join(traceFolder(home), name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1.1 * 1024 * 1024);
  });

  it('skips malformed lines', () => {
    trace(settings(), { by: 'open', notes: [['A', null]] });
    appendFileSync(current(), '{"atMs":1,"by":"sea\n[]\nnull\n{"atMs":"x","by":"open","notes":[]}\n{"by":"open"}\n');
    trace(settings(), { by: 'open', notes: [['B', null]] });
    expect(readTrace(home).map(({ notes }) => notes[0]?.[0])).toEqual(['A', 'B']);
  });

  it('causes no failure when it cannot be written', () => {
    writeFileSync(traceFolder(home), 'in the way');
    expect(() => trace(settings(), { by: 'open', notes: [] })).not.toThrow();
    expect(() => trace({ ...settings(), home: '/proc/nowhere' }, { by: 'open', notes: [] })).not.toThrow();
    // A full disk fails only when it is written to.
    expect(() => trace({ ...settings(), home: '/dev/full' }, { by: 'open', notes: [] })).not.toThrow();
  });

  it.skipIf(isRoot)('causes no failure in a read-only folder', () => {
    chmodSync(home, 0o500);
    try {
      expect(() => trace(settings(), { by: 'open', notes: [] })).not.toThrow();
    } finally {
      chmodSync(home, 0o700);
    }
  });

  it('can be removed, even twice', () => {
    trace(settings(), { by: 'open', notes: [] });
    removeTrace(home);
    expect(readdirSync(home)).toEqual([]);
    expect(() => removeTrace(home)).not.toThrow();
  });

  it('keeps every line of eight concurrent processes intact, and loses none when the file is rotated', async () => {
    const run = promisify(execFile);
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((name) => run(process.execPath, [program, home, `${name}`])));
    expect(existsSync(join(traceFolder(home), 'trace.1.jsonl'))).toBe(true);
    const found = readTrace(home);
    const ofEach = new Map(found.map(({ session }) => [session, found.filter((one) => one.session === session)]));
    expect([...ofEach.values()].map(({ length }) => length)).toEqual(Array(8).fill(40));
    expect(found.every(({ notes }) => notes.length === 60)).toBe(true);
  }, 60_000);
});

describe('the record of a recall', () => {
  const notes = [
    { id: 'a', relevance: 0.5 },
    { id: 'b', relevance: 0.5, resolves: 'A' },
  ];

  it('has no score for a note that was added only because of another', () => {
    expect(offeredIn(notes, undefined)).toEqual({
      notes: [
        ['a', 0.5],
        ['b', null],
      ],
    });
  });

  it('marks the notes of which only the title was shown', () => {
    const maybe = [{ id: 'c', relevance: 0.1 }];
    expect(offeredIn(notes.slice(0, 1), undefined, maybe)).toEqual({
      notes: [
        ['a', 0.5],
        ['c', 0.1, 'named'],
      ],
    });
  });

  it('says whether a model judged', () => {
    expect(offeredIn([], { model: 'made-up' })).toEqual({ mode: 'hybrid', notes: [] });
    expect(offeredIn([], { model: null })).toEqual({ notes: [] });
  });
});
