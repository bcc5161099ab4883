import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { modelFolder } from '../../src/embedding/installed-models.js';
import { storedThresholds, wordsRule } from '../../src/projections/recall/thresholds.js';
import { calibrateIfDue, openPromptModel } from '../../src/store/models/prompt-model.js';
import { Reading, type RecallAnswer } from '../../src/store/reading.js';
import { installMadeUp, madeUpParts } from '../embedding/made-up-model.js';
import { corpusNotes } from '../support/corpus-notes.js';
import { openStore, type TestStore, writeNote } from '../support/store.js';

let store: TestStore;
const settings = (searchModel?: string) => ({ home: store.home, machine: 'testbox', user: 'self', searchModel });
const prompt = 'does the automobile need a turbine';

const recall = async (searchModel?: string, embedding?: { url: string; model: string }): Promise<RecallAnswer> => {
  const reading = new Reading({ ...settings(searchModel), embedding });
  try {
    return await reading.recall(prompt, {
      project: 'shop',
      k: 5,
      exclude: new Set(),
      maxBytes: 9000,
      budget: 9000,
      measure: (text) => text.length,
    });
  } finally {
    reading.close();
  }
};

beforeAll(async () => {
  store = openStore();
  await writeNote(store.memory, { title: 'Turbine', body: 'The turbine of the vehicle.', project: 'shop' });
  await writeNote(store.memory, { title: 'Turbine, other', body: 'The turbine of the bakery.', project: 'shop' });
});
beforeEach(() => installMadeUp(store.home));
afterAll(() => store.close());

describe('a prompt with a model in use', () => {
  it('gets a note that means the same, with a relevance other than by words', async () => {
    const [words, both] = [await recall(), await recall('made-up')];
    expect(both.notes[0]?.title).toBe('Turbine');
    expect(both.notes[0]?.relevance).not.toBe(words.notes[0]?.relevance);
  });

  it('is judged by words, without an error, when the model is gone, damaged, invalid or too large', async () => {
    const words = await recall();
    const folder = modelFolder(store.home, 'made-up');
    const degraded = { ...words, explain: { ...words.explain, degraded: expect.any(String) } };
    expect(await recall('none-such')).toEqual(degraded);
    const large = { kind: 'static-1', tokens: 1_000_000, dimension: 64 };
    for (const damage of [
      () => writeFileSync(join(folder, 'anamnesis.json'), JSON.stringify(large)),
      () => writeFileSync(join(folder, 'anamnesis.json'), ''),
      () => rmSync(folder, { recursive: true }),
    ]) {
      damage();
      expect(await recall('made-up')).toEqual(degraded);
    }
  });

  it('is judged by words, without asking the server, when a server makes the vectors', async () => {
    expect(await recall(undefined, { url: 'http://127.0.0.1:9/v1/embeddings', model: 'x' })).toEqual(await recall());
  });
});

describe('the thresholds by meaning', () => {
  it('are measured with those of words, stay through a replay, and are dropped with the model', async () => {
    const rules = async () => {
      const { portable, local } = store.memory.journals;
      const opened = await openPromptModel(settings('made-up'), { portable: portable.folder, local: local.folder });
      if (!('meaning' in opened)) throw new Error(opened.whyNot);
      return opened.meaning.rule;
    };
    await store.memory.perform({ kind: 'import', from: 'first', notes: corpusNotes(40), files: [] });
    const stored = (rule = wordsRule) => store.memory.liveIndex.ask((database) => storedThresholds(database, rule));
    const first = await rules();
    expect(await stored(first)).toBeUndefined();
    const { liveIndex, exists, folders } = store.memory;
    const calibrate = () => calibrateIfDue({ liveIndex, exists, folders, settings: settings('made-up') });
    await calibrate();
    const measured = await stored(first);
    expect(measured?.notes).toBe(42);
    expect(await stored()).toBeDefined();
    await liveIndex.rebuild('test');
    expect(await stored(first)).toEqual(measured);
    installMadeUp(store.home, 'made-up', madeUpParts(6));
    await calibrate();
    expect(await stored(first)).toBeUndefined();
    expect(await stored(await rules())).toBeDefined();
  });
});
