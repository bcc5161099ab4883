/** Syncs a server that runs for days at intervals, so that other machines' notes are here before they are needed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app/app.js';
import { readConfig } from '../config/settings.js';
import { describeError } from '../state/environment-probe.js';

/** Adopts hand edits, then syncs until `signal` aborts and nothing is in progress. Reads the settings each time. */
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
  await attempt('adopt at start', async () => (await app.whole()).adopt('hold'));
  while (!signal.aborted) {
    const seconds = secondsOf(app);
    await pause((seconds === 0 ? lookAgainSeconds : seconds) * 1000);
    if (signal.aborted || secondsOf(app) === 0) continue;
    await attempt('sync', async () => (await import('../app/sync.js')).syncInBackground(await app.whole(), signal));
  }
};

const firstDelayMs = 100;
/** How often the settings are read again while syncing is off. */
const lookAgainSeconds = 60;

const secondsOf = ({ settings }: App): number => {
  try {
    const { sync, syncSeconds } = readConfig(settings.home, process.env);
    return sync ? syncSeconds : 0;
  } catch {
    // Every command that a person runs reports a config.json that can't be read.
    return 0;
  }
};
