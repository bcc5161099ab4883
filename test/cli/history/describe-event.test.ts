import { expect, it } from 'vitest';
import { describeEvent } from '../../../src/cli/history/log.js';

it.each([
  ['conflict.resolved', 'Ports now', 'ours', "Ports now (the copy's text was taken)"],
  ['conflict.resolved', 'Ports now', 'both', 'Ports now (both texts were kept)'],
  ['proposal.settled', 'accept: Deploys run from CI', 'accept', 'Deploys run from CI (accepted)'],
  ['proposal.settled', 'keep-both: Deploys run from CI', 'keep-both', 'Deploys run from CI (both are kept)'],
  ['note.forgotten', 'Deploys run from CI', 'accept', 'Deploys run from CI (accept)'],
  ['conflict.resolved', 'Ports now', 'of a newer version', 'Ports now (of a newer version)'],
  ['note.written', 'Ports now', undefined, 'Ports now'],
])('%s of %j, %s, reads %j', (kind, subject, reason, text) => {
  expect(describeEvent({ kind, subject, ...(reason === undefined ? {} : { reason }) })).toBe(text);
});
