import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approveCases, openCases } from '../../src/eval/approving-cases.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
let first: string;
let second: string;
const approvedLine = '{"query":"known","relevant_ids":["a"],"approved":true}';
const vpn = '{"query":"vpn",  "approved":false, "relevant_ids":["b"], "note_titles":["Deploys"], "mine":1}';
const lock = '{"query":"lock","relevant_ids":["c"],"approved":false,"project":"shop","category":"title"}';
const pool = '{"query":"pool","relevant_ids":["d"],"approved":false}';

beforeEach(async () => {
  store = openStore();
  await writeNote(store.memory);
  first = join(store.home, 'first.jsonl');
  second = join(store.home, 'second.jsonl');
  writeFileSync(first, `${approvedLine}\n${vpn}\n\n${lock}\n`);
  writeFileSync(second, pool);
});
afterEach(() => store.close());

const sets = () => [first, second];
const numbersOf = (cases: readonly { readonly number: number }[]) => cases.map(({ number }) => number);

describe('cases to approve', () => {
  it('are those not approved yet, with their numbers among all', () => {
    const open = openCases(store.memory, { sets: sets() });
    expect(open.map(({ number, line, query }) => [number, line, query])).toEqual([
      [2, 2, 'vpn'],
      [3, 4, 'lock'],
      [4, 1, 'pool'],
    ]);
    expect(open[1]).toMatchObject({ file: first, project: 'shop', category: 'title', note_titles: [] });
  });

  it('keep their numbers, keys and places when approved, and other lines keep their bytes', () => {
    expect(numbersOf(approveCases(store.memory, { sets: sets(), numbers: [2, 4, 1] }))).toEqual([2, 4]);
    expect(readFileSync(first, 'utf8')).toBe(
      `${approvedLine}\n{"query":"vpn","approved":true,"relevant_ids":["b"],"note_titles":["Deploys"],"mine":1}\n\n${lock}\n`,
    );
    expect(readFileSync(second, 'utf8')).toBe('{"query":"pool","relevant_ids":["d"],"approved":true}');
    expect(numbersOf(openCases(store.memory, { sets: sets() }))).toEqual([3]);
    expect(approveCases(store.memory, { sets: sets(), numbers: [2] })).toEqual([]);
  });

  it('are all refused if one of the numbers does not exist', () => {
    expect(() => approveCases(store.memory, { sets: sets(), numbers: [2, 9] })).toThrow('there is no case 9');
    expect(readFileSync(first, 'utf8')).toContain(vpn);
  });

  it('are refused with the place of a line that is not a case, and in a compressed file', () => {
    writeFileSync(second, '{"query":"pool"}');
    expect(() => openCases(store.memory, { sets: [second] })).toThrow(/second\.jsonl:1 is not an eval case/);
    writeFileSync(second, Buffer.from([0x1f, 0x8b, 8, 0]));
    expect(() => openCases(store.memory, { sets: [second] })).toThrow('not valid UTF-8');
  });

  it('are looked for in memory/eval if no file is named, without creating it', () => {
    expect(() => openCases(store.memory, {})).toThrow('there is no eval set in');
    expect(existsSync(join(store.home, 'memory', 'eval'))).toBe(false);
  });
});
