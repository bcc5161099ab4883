import { describe, expect, it } from 'vitest';
import { EvalBenchCase, whyNoCase } from '../../src/eval/eval-case-schema.js';

const whyNot = (value: unknown): string => {
  const parsed = EvalBenchCase.safeParse(value);
  return parsed.success ? '' : whyNoCase(parsed.error);
};

describe('a case of eval bench', () => {
  it('may list its relevant notes under either name', () => {
    const parsed = { id: 'q1', query: 'why', relevant: ['a'] };
    expect(EvalBenchCase.parse({ id: 'q1', query: 'why', relevant: ['a'] })).toEqual(parsed);
    expect(EvalBenchCase.parse({ id: 'q1', query: 'why', relevant_ids: ['a'] })).toEqual(parsed);
  });

  it('is known by its query if it has no id', () => {
    expect(EvalBenchCase.parse({ query: 'why', relevant: [1] })).toEqual({ id: 'why', query: 'why', relevant: ['1'] });
  });

  it('is refused without relevant notes or without a query', () => {
    expect(whyNot({ query: 'why' })).toBe('it has no relevant');
    expect(whyNot({ relevant: [] })).toBe('it has no query');
  });
});
