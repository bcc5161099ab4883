/** Capture before the context goes: what is compacted next should find its session's note up to date. */
import { join } from 'node:path';
import type { HookPayload } from '../../commands/hooks/payload.js';
import { readItems, removeItem } from '../../commands/hooks/spool.js';
import { maskText } from '../../commands/mask-text.js';
import { openAgentState } from '../../events/agent-state.js';
import { captureTranscript } from '../capturing.js';
import { openMemory } from '../memory.js';
import type { HookSurroundings } from './run-hook.js';

/** The item in the spool stays when this fails; the worker carries it out later. */
export const captureNow = async (payload: HookPayload, around: HookSurroundings): Promise<void> => {
  const { settings, userHome, log } = around;
  const folder = join(settings.home, 'spool');
  const mine = readItems(folder, () => undefined).filter(
    ({ item }) => item.kind === 'capture' && item.event === 'PreCompact' && item.session === payload.session,
  );
  const memory = openMemory(settings);
  try {
    await memory.initialise();
    const state = openAgentState(join(settings.home, 'agents.db'));
    try {
      const { transcript } = payload;
      const captured = await captureTranscript(memory, state, {
        transcript,
        source: 'pre-compact',
        agent: around.client,
        userHome,
      });
      if (captured.status === 'refused') log(maskText(`capture of ${transcript} refused: ${captured.refusal.message}`));
      else for (const one of mine) removeItem(folder, one);
    } finally {
      state.close();
    }
  } finally {
    await memory.finish();
  }
};
