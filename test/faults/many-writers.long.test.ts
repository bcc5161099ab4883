import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { replayStore } from '../../src/maintenance/replaying.js';
import { syncStore } from '../../src/sync/syncing.js';
import { bundleChild, type ChildResult, startChild } from '../support/children.js';
import { byLength } from '../support/run-length.js';
import { openStore, personsGit, temporaryFolder } from '../support/store.js';
import { reportLine } from './support/report.js';

const processes = 8;
const writes = byLength(20, 20, 250);
const readers = 2;

type Span = readonly [number, number];

const lastLine = ({ stdout }: ChildResult): string => stdout.trim().split('\n').at(-1) ?? '';
const spansOf = (result: ChildResult): readonly Span[] => JSON.parse(lastLine(result));

/** Formats the results for people; limits are checked by the benchmark. */
const report = (waits: readonly Span[], syncs: readonly Span[]): string => {
  const sorted = waits.map(([, ms]) => ms).sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0);
  const first = Math.min(...waits.map(([began]) => began));
  const last = Math.max(...waits.map(([began, ms]) => began + ms));
  const during = waits.filter(([began, ms]) => syncs.some(([from, to]) => began < to && began + ms > from));
  const longest = Math.max(0, ...during.map(([, ms]) => ms)).toFixed(0);
  const rate = ((waits.length * 1000) / (last - first)).toFixed(0);
  return (
    `${waits.length} writes by ${processes} processes: ${rate} writes/s, wait p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ` +
    `${syncs.length} syncs, longest wait during one ${longest} ms`
  );
};

describe('many processes that write at once', () => {
  let home = '';
  const programs = { writer: '', reader: '', syncer: '' };
  beforeAll(async () => {
    programs.writer = await bundleChild('many-writer');
    programs.reader = await bundleChild('many-reader');
    programs.syncer = await bundleChild('many-syncer');
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('all succeed while others read and sync: one note and one event per write, and no error', async () => {
    home = temporaryFolder();
    const store = join(home, 'store');
    const remote = join(home, 'remote.git');
    personsGit(home, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
    const writers = Array.from({ length: processes }, (_, at) =>
      startChild(programs.writer, [store, `box${at}`, String(writes)]),
    );
    const others = [
      startChild(programs.syncer, [store, 'syncing', remote]),
      startChild(programs.syncer, [join(home, 'elsewhere'), 'elsewhere', remote, 'writes']),
      ...Array.from({ length: readers }, (_, at) => startChild(programs.reader, [store, `reader${at}`])),
    ];
    await Promise.all([...writers, ...others].map(({ child }) => once(child.stdout!, 'data')));
    for (const { child } of writers) child.stdin!.write('go\n');
    const written = await Promise.all(writers.map(({ ended }) => ended));
    for (const { child } of others) child.stdin!.write('stop\n');
    const [synced, elsewhere, ...read] = await Promise.all(others.map(({ ended }) => ended));
    for (const { code, stderr } of [...written, synced!, elsewhere!, ...read]) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
    for (const result of read) expect(Number(lastLine(result))).toBeGreaterThan(0);

    const { memory } = openStore({ home: store, machine: 'syncing' });
    expect(await syncStore(memory)).toMatchObject({ outcome: 'synced' });
    const fromElsewhere = spansOf(elsewhere!).length;
    expect((await memory.list({}, 1)).total).toBe(processes * writes + fromElsewhere);
    const events = await memory.events({ kind: 'note.written' }, 10_000);
    expect(events).toHaveLength(processes * writes + fromElsewhere);
    for (let at = 0; at < processes; at += 1) {
      expect(await memory.events({ machine: `box${at}` }, 10_000)).toHaveLength(writes);
    }
    expect((await replayStore(memory, { verify: true })).verified).toBe(true);
    await memory.finish();
    personsGit(memory.journals.portable.folder, 'fsck', '--no-dangling', '--no-progress');
    expect(personsGit(remote, 'rev-parse', 'main')).toBe(
      personsGit(memory.journals.portable.folder, 'rev-parse', 'main'),
    );
    const line = report(written.flatMap(spansOf), spansOf(synced!));
    reportLine(line);
    console.log(line);
  }, 300_000);
});
