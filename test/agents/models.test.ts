import { describe, expect, it } from 'vitest';
import { failureOf, makeModels } from '../support/models.js';

const question = { system: 's', prompt: 'p', maxTokens: 10 };
const parse = (text: string): string | undefined => (text === 'gibberish' ? undefined : text);

describe('the models that are asked one after another', () => {
  it('end with the first usable answer', async () => {
    const { models, asked, calls } = makeModels(['yes', 'no']);
    expect(await models.ask(question, parse)).toEqual({ value: 'yes', model: 'endpoint:m' });
    expect(calls).toEqual([{ judge: 'endpoint:m', ok: true }]);
    expect(asked).toEqual([{ ...question, timeoutMs: 60_000 }]);
  });

  it.each(['refused', 'timed-out', 'unusable'] as const)('go on after one that is %s', async (problem) => {
    const { models, calls, logged } = makeModels([failureOf(problem), 'yes']);
    expect(await models.ask(question, parse)).toEqual({ value: 'yes', model: 'claude:m' });
    expect(calls).toEqual([
      { judge: 'endpoint:m', ok: false },
      { judge: 'claude:m', ok: true },
    ]);
    expect(logged).toEqual([`model endpoint:m: is ${problem}`]);
  });

  it('go on after an answer that is not one', async () => {
    const { models, logged } = makeModels(['gibberish', 'yes']);
    expect(await models.ask(question, parse)).toMatchObject({ model: 'claude:m' });
    expect(logged).toEqual(['model endpoint:m: the answer is unusable']);
  });

  it('count no call of one that is unavailable', async () => {
    const { models, calls, logged } = makeModels([failureOf('unavailable'), 'yes']);
    expect(await models.ask(question, parse)).toMatchObject({ model: 'claude:m' });
    expect([calls.length, logged]).toEqual([1, []]);
  });

  it('are asked no more often than the day allows', async () => {
    const { models, asked } = makeModels([failureOf('refused'), 'yes'], 1);
    expect(await models.ask(question, parse)).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  it('leave out one that has failed five times today and never answered', async () => {
    const { models, asked } = makeModels([failureOf('refused')]);
    for (let at = 0; at < 7; at += 1) expect(await models.ask(question, parse)).toBeUndefined();
    expect(asked).toHaveLength(5);
    expect(models.isEmpty).toBe(true);
  });
});
