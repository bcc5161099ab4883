import { describe, expect, it } from 'vitest';
import { isCommandId } from '../../../src/commands/write-path/command-id.js';
import { openStore, personsGit, writeCommand, writeNote } from '../../support/store.js';

const token = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;

describe('the id of a command', () => {
  it.each([
    'one',
    'hook-17',
    'retry_1.2',
    'ci/acme/shop@4711:deploy',
    '01JB2M7QK3W8Z5T1N9X4V6R0YD',
    'f47ac10b-58cc-4372-a567-0e02b2c3d479',
    'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'learn:f47ac10b-58cc-4372-a567-0e02b2c3d479/7c9e6679-7425-40de-944b-e07fc1f90ae7:da39a3ee5e6b4b0d',
  ])('may be %s', (id) => {
    expect(isCommandId(id)).toBe(true);
  });

  it.each([
    '',
    'two words',
    'two\nlines',
    'a=b',
    '-x',
    'naïve',
    'x'.repeat(201),
    token,
    `job:${token}`,
    `sk-ant-${'api03-'}${'Ab1Cd2Ef3'.repeat(10)}`,
    `AKIA${'QYLPMN5HFIQR7XYA'}`,
  ])('may not be %j', (id) => {
    expect(isCommandId(id)).toBe(false);
  });

  it('is not committed if it is a secret, and the refusal does not repeat it', async () => {
    const store = openStore();
    try {
      await writeNote(store.memory);
      const answer = await store.memory.perform(writeCommand({ title: 'Other' }), { commandId: token });
      expect(answer).toMatchObject({ status: 'refused', refusal: { code: 'command-id-invalid' } });
      expect(JSON.stringify(answer)).not.toContain(token);
      expect(personsGit(store.memory.journals.portable.folder, 'log', '--all', '--format=%B')).not.toContain(token);
    } finally {
      await store.close();
    }
  });
});
