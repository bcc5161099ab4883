/** Captures a session right before its compaction, which should find the session's note up to date. */
import { join } from 'node:path';
import { claudeHomeOf } from '../../config/settings.js';
import { maskText } from '../../events/note/mask-text.js';
import { openAgentState } from '../../state/agent-state.js';
import { Memory } from '../../store/memory.js';
import { captureTranscript } from '../capturing.js';
import { locateTranscript } from '../transcript-files.js';
import type { HookContext } from './hook-context.js';
import type { HookPayload } from './payload.js';
import { readItems, removeItem } from './spool.js';

/** If this fails, the item stays in the spool, and the worker carries it out later. */
export const captureNow = async (payload: HookPayload, around: HookContext): Promise<void> => {
  const { settings, userHome, log } = around;
  const folder = join(settings.home, 'spool');
  const mine = readItems(folder, () => undefined).filter(
    ({ item }) => item.kind === 'capture' && item.event === 'PreCompact' && item.session === payload.session,
  );
  const memory = new Memory(settings);
  try {
    await memory.initialise();
    const state = openAgentState(join(settings.home, 'agents.db'));
    try {
      const { session, transcript: path } = payload;
      const transcript = locateTranscript({ path, session }, claudeHomeOf(process.env)) ?? path;
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
