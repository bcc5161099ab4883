import { describe, expect, it } from 'vitest';
import { formatState, parseState } from '../../../src/commands/write-path/state-json.js';

const undo = {
  kind: 'undo',
  commits: [
    { journal: 'portable', commit: 'c1' },
    { journal: 'local', commit: 'c2' },
  ],
};
const restore = { kind: 'restore-at', id: 'N', commits: { portable: 'c1', local: 'c2' } };
const words = { kind: 'write', title: 'portable', body: '"journal":"memory"', tags: ['portable', 'memory'] };

describe('a command that state.db stores for another process', () => {
  it('names the journals after their folders, as every version does', () => {
    expect(JSON.parse(formatState(undo)).commits).toEqual([
      { journal: 'memory', commit: 'c1' },
      { journal: 'local', commit: 'c2' },
    ]);
    expect(JSON.parse(formatState(restore)).commits).toEqual({ memory: 'c1', local: 'c2' });
  });

  it('is read back unchanged, and text that people wrote is left alone', () => {
    for (const kept of [undo, restore, words]) expect(parseState(formatState(kept))).toEqual(kept);
    expect(JSON.parse(formatState(words))).toEqual(words);
  });
});
