import { describe, expect, it } from 'vitest';
import { sentencesOfUninstall } from '../../../src/cli/setup/plan-sentences.js';

const removal = { client: 'codex', part: 'hooks', file: '/home/me/.codex/hooks.json' } as const;

describe('the plan of uninstall', () => {
  it('says what becomes of each file', () => {
    const sentences = sentencesOfUninstall(
      [
        { ...removal, change: 'restore', removed: ['a', 'b'] },
        { ...removal, change: 'remove', removed: ['a', 'b'] },
        { ...removal, change: 'edit', removed: ['a', 'b'] },
        { ...removal, change: 'edit', part: 'server', removed: ['a'], file: '/etc/x' },
      ],
      '/home/me',
    );
    expect(sentences).toEqual([
      'Restore ~/.codex/hooks.json for Codex as it was before init, byte for byte.',
      'Remove ~/.codex/hooks.json, which init created for Codex and which has not changed since.',
      'Remove 2 hooks from ~/.codex/hooks.json; anything else that Codex or you wrote there stays.',
      'Remove the MCP server from /etc/x; anything else that Codex or you wrote there stays.',
    ]);
  });
});
