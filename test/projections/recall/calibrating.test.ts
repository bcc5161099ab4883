import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ForeignNote } from '../../../src/commands/foreign-note.js';
import { measureIfDue, referencePrompts } from '../../../src/projections/recall/calibrating.js';
import {
  readThresholds,
  type StoredThresholds,
  storedThresholds,
  storeThresholds,
  wordsRule,
} from '../../../src/projections/recall/thresholds.js';
import { calibrateIfDue } from '../../../src/store/models/prompt-model.js';
import { corpusNotes } from '../../support/corpus-notes.js';
import { openStore, type TestStore, writeCommand } from '../../support/store.js';

const notes = (from: number, to: number): ForeignNote[] => corpusNotes(to).slice(from);

/** Notes on exactly the subjects of the prompts. */
const answering = (count: number): ForeignNote[] =>
  (referencePrompts().get('en') ?? []).slice(-count).map((text, at) => ({
    sourceKey: `jsonl:answers/${at}`,
    title: text,
    body: `${text}\n`,
    tags: [],
    keywords: [],
    project: 'shop',
    type: undefined,
    createdAtMs: Date.UTC(2026, 0, 1),
    updatedAtMs: undefined,
  }));

describe('the thresholds of a store', () => {
  let store: TestStore;
  beforeEach(() => {
    store = openStore();
  });
  afterEach(() => store.close());

  const add = (from: string, added: readonly ForeignNote[]) =>
    store.memory.perform({ kind: 'import', from, notes: added, files: [] });
  const stored = (): Promise<StoredThresholds | undefined> =>
    store.memory.liveIndex.ask((database) => storedThresholds(database));

  it('are the usual ones in a store of few notes', async () => {
    await add('few', notes(0, 10));
    expect(await stored()).toBeUndefined();
    expect(await store.memory.liveIndex.ask((database) => readThresholds(database))).toEqual(wordsRule.usual);
  });

  it('are measured once there are notes, and again when they grow by a fifth', async () => {
    await add('first', notes(0, 40));
    expect((await stored())?.notes).toBe(40);
    await add('some', notes(40, 44));
    expect((await stored())?.notes).toBe(40);
    await add('more', notes(44, 60));
    expect((await stored())?.notes).toBe(60);
  });

  it('are higher, within bounds, where notes match the prompts, and a line never needs more than a note', async () => {
    await add('first', notes(0, 40));
    const before = await stored();
    await add('answers', answering(60));
    const after = await stored();
    expect(after?.sure ?? 0).toBeGreaterThan(before?.sure ?? 1);
    expect(after?.sure ?? 1).toBeLessThan(0.55);
    for (const { sure = 0, maybe = 1 } of [before ?? {}, after ?? {}]) expect(maybe).toBeLessThanOrEqual(sure);
  });

  it('stay through a replay, and come out the same when the same notes are measured again', async () => {
    await add('first', notes(0, 60));
    const before = await stored();
    await store.memory.liveIndex.rebuild('test');
    expect(await stored()).toEqual(before);
    await store.memory.liveIndex.ask((database) => {
      storeThresholds(database, { sure: 0.5, maybe: 0.5, notes: 1 });
      expect(measureIfDue(database)).toEqual(before);
    });
    await calibrateIfDue(store.memory);
    expect(await stored()).toEqual(before);
  });

  it('are not measured, without an error, while there are no notes or too few', async () => {
    await calibrateIfDue(store.memory);
    expect(await stored()).toBeUndefined();
    await store.memory.submit(writeCommand({ title: 'Lease', body: '', project: 'shop' }));
    await calibrateIfDue(store.memory);
    expect(await stored()).toBeUndefined();
  });
});
