import { expect, it } from 'vitest';
import { describeEvent } from '../../../src/cli/history/log.js';

it.each([
  ['Ports now', 'ours', 'Ports now (ours)'],
  ['keep-both: Deploys run from CI', 'keep-both', 'keep-both: Deploys run from CI'],
  ['Ports now', undefined, 'Ports now'],
])('%j, %s, reads %j', (subject, reason, text) => {
  expect(describeEvent({ subject, ...(reason === undefined ? {} : { reason }) })).toBe(text);
});
