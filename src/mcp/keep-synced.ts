/** A server that lives for days syncs every so often, so that what other machines learn is here before it is asked for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../config/settings.js';
import { describeError } from '../state/environment-probe.js';
import type { Memory } from '../store/memory.js';

/**
 * Takes in hand edits first, then syncs until `signal` aborts; resolves when nothing of it is under way any more. The
 * settings are read each time, so that a change of them needs no new server.
 */
export const keepSynced = async (memory: Memory, signal: AbortSignal): Promise<void> => {
  const attempt = async (what: string, run: () => Promise<unknown>): Promise<void> => {
    try {
      if (memory.exists() && !signal.aborted) await run();
    } catch (error) {
      if (!signal.aborted) memory.log(`${what} failed: ${describeError(error, memory.settings.home)}`);
    }
  };
  const pause = (ms: number): Promise<unknown> => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

  // A moment after the handshake, so that the client's first list of tools does not wait for it.
  await pause(firstDelayMs);
  await attempt('adopt at start', () => memory.adopt('hold'));
  while (!signal.aborted) {
    const seconds = secondsOf(memory);
    await pause((seconds === 0 ? lookAgainSeconds : seconds) * 1000);
    if (signal.aborted || secondsOf(memory) === 0) continue;
    await attempt('sync', async () => {
      const { findRemote } = await import('../sync/remote.js');
      if (findRemote(memory) === undefined) return;
      const { syncStore } = await import('../sync/syncing.js');
      await syncStore(memory, { background: true, signal });
    });
  }
};

const firstDelayMs = 100;
/** Where syncing is off: the settings may say otherwise later. */
const lookAgainSeconds = 60;

const secondsOf = ({ settings }: Memory): number => {
  try {
    const { sync, syncSeconds } = readConfig(settings.home, process.env);
    return sync ? syncSeconds : 0;
  } catch {
    // A config.json that can't be read is told by every command that a person gives.
    return 0;
  }
};
