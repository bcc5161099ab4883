/** A server that lives for days syncs every so often, so that what other machines learn is here before it is asked for. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app/app.js';
import { readConfig } from '../config/settings.js';
import { describeError } from '../state/environment-probe.js';

/**
 * Takes in hand edits first, then syncs until `signal` aborts; resolves when nothing of it is under way any more. The
 * settings are read each time, so that a change of them needs no new server.
 */
export const keepSynced = async (app: App, signal: AbortSignal): Promise<void> => {
  const attempt = async (what: string, run: () => Promise<unknown>): Promise<void> => {
    try {
      if (app.exists() && !signal.aborted) await run();
    } catch (error) {
      if (!signal.aborted) await app.log(`${what} failed: ${describeError(error, app.settings.home)}`);
    }
  };
  const pause = (ms: number): Promise<unknown> => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

  // A moment after the handshake, so that the client's first list of tools does not wait for it.
  await pause(firstDelayMs);
  await attempt('adopt at start', () => app.intake.adopt('hold'));
  while (!signal.aborted) {
    const seconds = secondsOf(app);
    await pause((seconds === 0 ? lookAgainSeconds : seconds) * 1000);
    if (signal.aborted || secondsOf(app) === 0) continue;
    await attempt('sync', () => app.sync.regularly(signal));
  }
};

const firstDelayMs = 100;
/** Where syncing is off: the settings may say otherwise later. */
const lookAgainSeconds = 60;

const secondsOf = ({ settings }: App): number => {
  try {
    const { sync, syncSeconds } = readConfig(settings.home, process.env);
    return sync ? syncSeconds : 0;
  } catch {
    // A config.json that can't be read is told by every command that a person gives.
    return 0;
  }
};
