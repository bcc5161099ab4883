import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCloseness } from '../../../src/embedding/closeness.js';
import { type MeaningParts, openByMeaning } from '../../../src/projections/recall/by-meaning.js';
import {
  isWorthReading,
  type JudgedPrompt,
  judgeNotes,
  judgeWith,
  recallNotes,
} from '../../../src/projections/recall/recall.js';
import { meaningRule, wordsRule } from '../../../src/projections/recall/thresholds.js';
import { madeUpModel } from '../../embedding/made-up-model.js';
import { openStore, type TestStore, writeNote } from '../../support/store.js';

const bodies = new Map([
  ['Turbine', 'The turbine of the vehicle.'],
  ['Turbine, other', 'The turbine of the bakery.'],
]);
const model = madeUpModel();
const parts: MeaningParts = {
  rule: meaningRule(model.id),
  openCloseness: (asked) => openCloseness(model, asked),
  bodyOf: ({ title }) => bodies.get(title) ?? '',
};
const meaning = openByMeaning(parts);
const promptOf = (text: string): JudgedPrompt => ({ text, project: 'shop', nowSeconds: 0, exclude: new Set() });

let store: TestStore;
const ask = <Answer>(run: Parameters<typeof store.memory.liveIndex.ask<Answer>>[0]): Promise<Answer> =>
  store.memory.liveIndex.ask(run);

beforeAll(async () => {
  store = openStore();
  for (const [title, body] of bodies) await writeNote(store.memory, { title, body, project: 'shop' });
});
afterAll(() => store.close());

describe('notes judged by meaning for a prompt', () => {
  it('are more relevant when they say what was asked in other words', async () => {
    const text = 'does the automobile need a turbine';
    const judged = await ask((database) => judgeWith(database, promptOf(text), meaning));
    expect(judged.rule).toBe(meaning.rule);
    const [first, second] = judged.notes;
    expect(first?.row.title).toBe('Turbine');
    expect(first?.relevance).toBeGreaterThan((second?.relevance ?? 1) + 0.05);
  });

  it('are shown by the thresholds of the rule of meaning, at most as many as were asked for', async () => {
    const query = { ...promptOf('the turbine of an automobile'), k: 1 };
    const { notes } = await ask((database) => recallNotes(database, query, meaning));
    expect(notes.map(({ note }) => note.title)).toEqual(['Turbine']);
    expect(notes[0]?.relevance).toBeGreaterThanOrEqual(meaning.rule.usual.sure);
  });

  it('are judged by words when judging by meaning takes too long', async () => {
    const text = 'does the automobile need a turbine';
    const judged = await ask((database) =>
      judgeWith(database, promptOf(text), openByMeaning({ ...parts, isLate: () => true })),
    );
    expect(judged.rule).toBe(wordsRule);
    expect(judged).toEqual({ ...(await ask((database) => judgeNotes(database, promptOf(text)))), rule: wordsRule });
  });

  it('are not read for a prompt that they barely fit', async () => {
    const judged = await ask((database) => judgeNotes(database, promptOf('run the tests again')));
    expect(isWorthReading(judged)).toBe(false);
    const bodyOf = (): string => {
      throw new Error('read');
    };
    expect(openByMeaning({ ...parts, bodyOf }).judgeAgain(judged, 'run the tests again')?.notes).toEqual([]);
  });

  it('are compared only with the part of a long prompt that they fit', async () => {
    const asked: string[] = [];
    const spied = openByMeaning({
      ...parts,
      openCloseness: (one) => {
        asked.push(one.text);
        return parts.openCloseness(one);
      },
    });
    const filler = Array.from({ length: 40 }, (_, at) => `zebra${at}x`).join(' ');
    await ask((database) => judgeWith(database, promptOf(`${filler} turbine of the automobile`), spied));
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('turbine');
    expect(asked[0]?.split(' ').length).toBeLessThanOrEqual(12);
  });
});
