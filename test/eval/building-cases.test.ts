import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildCases } from '../../src/eval/building-cases.js';
import { runEval } from '../../src/eval/evaluating.js';
import { trace, traceFolder } from '../../src/store/trace-file.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
beforeEach(() => {
  store = openStore();
});
afterEach(() => store.close());

const linesOf = (file: string): readonly unknown[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
const titles = [
  'Deploys hang behind the migration lock',
  'Coffee machine needs descaling monthly',
  'Invoices round half up always',
];
const writeAll = async () => {
  for (const title of titles) await writeNote(store.memory, { title, body: `About ${title}: see \`a_name\`.\n` });
};

describe('buildCases', () => {
  it('makes cases that do not count until someone approves them', async () => {
    await writeAll();
    const { file, cases } = await buildCases(store.memory, { n: 3, seed: 1 });
    expect(file).toBe(join(store.home, 'memory', 'eval', 'built.jsonl'));
    expect(cases).toHaveLength(3);
    expect(linesOf(file)).toEqual(cases);
    expect(new Set(cases.map(({ relevant_ids: [id] }) => id)).size).toBe(3);
    await expect(runEval(store.memory, {})).rejects.toThrow('none of 3 cases is approved, so nothing was measured');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"approved":false', '"approved":true'));
    expect((await runEval(store.memory, {})).report).toMatchObject({ unapproved: 2, metrics: { cases: 1 } });
    expect((await runEval(store.memory, { includeUnreviewed: true })).report.metrics.cases).toBe(3);
  });

  it('says for how many cases a search already has the note first', async () => {
    await writeAll();
    await writeNote(store.memory, {
      title: 'Deploys',
      body: 'Deploys hang: deploys behind the migration, the lock.\n',
    });
    const { cases, first } = await buildCases(store.memory, { types: ['title'], n: 4, seed: 1 });
    expect(cases.map(({ query }) => query)).toHaveLength(3);
    expect(first).toBe(3);
    expect((await buildCases(store.memory, { types: ['title'], n: 4, seed: 1 })).first).toBe(0);
  });

  it('adds nothing that is already asked, and keeps the cases that are there', async () => {
    await writeAll();
    const asked = { types: ['title'] as const, n: 10, seed: 1 };
    const first = await buildCases(store.memory, asked);
    expect(first.cases.length).toBe(3);
    const again = await buildCases(store.memory, asked);
    expect(again.cases).toEqual([]);
    expect(again.without).toEqual([{ type: 'title', reason: expect.any(String) }]);
    expect(linesOf(first.file)).toHaveLength(3);
  });

  it('asks about no note that is machine-local, superseded or of a session', async () => {
    const old = await writeNote(store.memory, { title: 'Old rule about naming branches' });
    await writeNote(store.memory, { title: 'New rule about naming branches', supersedes: [old.id] });
    await writeNote(store.memory, { title: 'Local rule about naming branches', scope: 'machine-local' });
    await writeNote(store.memory, { title: 'Session about naming all branches', type: 'episodic' });
    const { cases } = await buildCases(store.memory, { types: ['title', 'typo'], n: 20, seed: 2 });
    expect(cases.flatMap(({ note_titles }) => note_titles)).toEqual(['New rule about naming branches']);
  });

  it('turns a search after which one of its notes was opened into a case', async () => {
    const [a, b] = [await writeNote(store.memory, { title: 'A' }), await writeNote(store.memory, { title: 'B' })];
    const settings = { home: store.home, user: 'self', session: 's' };
    const given = [a, b].map(({ id }) => [id, 1] as const);
    trace(settings, { by: 'search', query: 'what hangs', notes: given });
    trace(settings, { by: 'open', notes: [[b.id, null]] });
    trace(settings, { by: 'search', query: 'never opened', notes: given });
    trace(settings, { by: 'search', query: 'another asked', notes: given });
    trace({ ...settings, session: 't' }, { by: 'open', notes: [[a.id, null]] });
    const { cases } = await buildCases(store.memory, { types: ['trace'], n: 5, seed: 1 });
    expect(cases).toMatchObject([{ query: 'what hangs', relevant_ids: [b.id], source: 'trace', approved: false }]);
  });

  it('makes no case of a search that contains a secret, or after which an excluded note was opened', async () => {
    const b = await writeNote(store.memory, { title: 'Deploys hang behind the lock' });
    const local = await writeNote(store.memory, { title: 'Coffee machine of this room', scope: 'machine-local' });
    const settings = { home: store.home, user: 'self', session: 's' };
    const notes = [
      [local.id, 2],
      [b.id, 1],
    ] as const;
    trace(settings, { by: 'search', query: 'what hangs', notes });
    trace(settings, { by: 'open', notes: [[local.id, null]] });
    trace(settings, { by: 'open', notes: [[b.id, null]] });
    const line = {
      ...settings,
      atMs: Date.now(),
      by: 'search',
      query: 'redis-cli -a swordfish99 ping says off',
      notes,
    };
    appendFileSync(join(traceFolder(settings.home), 'trace.jsonl'), `${JSON.stringify(line)}\n`);
    trace(settings, { by: 'open', notes: [[b.id, null]] });
    expect((await buildCases(store.memory, { types: ['trace'], n: 5, seed: 1 })).cases).toEqual([]);
  });

  it('says why a type gave no cases', async () => {
    await writeAll();
    expect((await buildCases(store.memory, { types: ['trace'], n: 4, seed: 1 })).without).toEqual([
      { type: 'trace', reason: expect.stringContaining('no search') },
    ]);
  });

  it('is refused if there is no store', async () => {
    await expect(buildCases(store.memory, { n: 1, seed: 1 })).rejects.toMatchObject({
      code: 'eval-set-missing',
    });
  });
});
