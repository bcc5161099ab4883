import { describe, expect, it } from 'vitest';
import { sentencesOfUninstall } from '../../../src/cli/setup/plan-sentences.js';

const removal = { client: 'codex', part: 'hooks', file: '/home/me/.codex/hooks.json', commands: [] } as const;

describe('the plan of uninstall', () => {
  it('says of each file what becomes of it', () => {
    const sentences = sentencesOfUninstall(
      [
        { ...removal, change: 'restore', removed: ['a', 'b'] },
        { ...removal, change: 'remove', removed: ['a', 'b'] },
        { ...removal, change: 'edit', removed: ['a', 'b'] },
        { ...removal, change: 'edit', part: 'server', removed: ['a'], file: '/etc/x', commands: [['codex', 'mcp']] },
      ],
      '/home/me',
    );
    expect(sentences).toEqual([
      'Give Codex back ~/.codex/hooks.json as it was before init, byte for byte.',
      'Remove ~/.codex/hooks.json, which init made for Codex and nobody wrote to since.',
      'Take 2 hooks out of ~/.codex/hooks.json; what else Codex or you wrote there stays.',
      'Take the MCP server out of /etc/x (Codex itself does it); what else Codex or you wrote there stays.',
    ]);
  });
});
