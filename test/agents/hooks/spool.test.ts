import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countExchanges, putItem, readItems, removeItem, type SpoolItem } from '../../../src/agents/hooks/spool.js';
import { temporaryFolder } from '../../support/store.js';

let folder = '';
beforeEach(() => {
  folder = join(temporaryFolder(), 'spool');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const item = (fields: Partial<SpoolItem> = {}): SpoolItem => ({
  kind: 'capture',
  session: '0b7c3f1e-1111-2222-3333-444455556666',
  transcript: '/t.jsonl',
  cwd: '/work',
  event: 'SessionEnd',
  text: '',
  size: 10,
  client: 'claude-code',
  ...fields,
});
const read = (): readonly SpoolItem[] => readItems(folder, () => undefined).map((one) => one.item);

describe('the spool', () => {
  it('returns the items that were put', () => {
    putItem(folder, item({ text: 'schön "quoted"\n' }));
    expect(read()).toEqual([item({ text: 'schön "quoted"\n' })]);
  });
  it('keeps one item when the same hook fires twice', () => {
    putItem(folder, item());
    putItem(folder, item());
    putItem(folder, item({ kind: 'exchange', event: 'Stop', size: 20 }));
    putItem(folder, item({ kind: 'exchange', event: 'Stop', size: 20 }));
    expect(read()).toHaveLength(2);
  });
  it('keeps every exchange of a session, and counts them', () => {
    for (const size of [10, 20, 30]) putItem(folder, item({ kind: 'exchange', event: 'Stop', size }));
    putItem(folder, item({ kind: 'exchange', event: 'Stop', session: 'other' }));
    expect(countExchanges(folder, item().session)).toBe(3);
  });
  it("removes an item only if it hasn't changed since it was read", () => {
    putItem(folder, item());
    const [before] = readItems(folder, () => undefined);
    putItem(folder, item({ size: 99 }));
    removeItem(folder, before!);
    expect(read()).toEqual([item({ size: 99 })]);
    removeItem(folder, readItems(folder, () => undefined)[0]!);
    expect(read()).toEqual([]);
  });
  it('does not let a session id point to a file elsewhere', () => {
    putItem(folder, item({ session: '../../etc/passwd' }));
    expect(readdirSync(folder)).toEqual(['capture.______etc_passwd.SessionEnd.json']);
  });
  it("reports files that aren't items and reads the others", () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.json'), '{half');
    writeFileSync(join(folder, 'b.json'), '{"kind":"dance"}');
    putItem(folder, item());
    const problems: string[] = [];
    expect(readItems(folder, (file) => problems.push(file))).toHaveLength(1);
    expect(problems).toEqual(['a.json', 'b.json']);
  });
  it('is readable for its owner only', () => {
    const name = putItem(folder, item());
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });
});
