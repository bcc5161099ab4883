import { expect, it } from 'vitest';
import { flagFor } from '../../src/config/short-process.js';

const v8 = '11.3.244.8-node.33';

it.each([undefined, 'auto', 'hybrid'] as const)('a search with a model has less compiled: --mode %s', (mode) => {
  expect(flagFor({ mode, model: 'potion' }, v8)).toBe('--interrupt-budget=600000');
});

it.each(['keyword', 'exact', 'semantic'] as const)('a search in mode %s is left alone', (mode) => {
  expect(flagFor({ mode, model: 'potion' }, v8)).toBeUndefined();
});

it('a search without a model is left alone, and so is a V8 that nobody measured', () => {
  expect(flagFor({ mode: 'auto', model: undefined }, v8)).toBeUndefined();
  for (const other of ['10.2.154.26', '12.4.254.21-node.33', '13.6.233.10', '110.1'])
    expect(flagFor({ mode: 'auto', model: 'potion' }, other)).toBeUndefined();
});
