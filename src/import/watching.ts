/** Watches a folder and reports when its files have changed and then stopped changing. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGivenFolder } from './files.js';
import { walkMarkdown } from './markdown/markdown.js';

export type WatchTimes = {
  /** The files must stay unchanged for this long: an editor may be in the middle of saving. */
  readonly settleMs: number;
  /** Time between two looks at all files: what the system reports of changes misses some, and knows no network drive. */
  readonly pollMs: number;
};

const usualTimes: WatchTimes = { settleMs: 1000, pollMs: 3000 };

export type Watching = {
  readonly signal: AbortSignal;
  /** Called once at the start, and once after each burst of changes. If it throws, the next check calls it again. */
  readonly onChange: () => Promise<void>;
  /** Called when the folder can't be read, and when it can again. */
  readonly onGone: (isGone: boolean) => void;
  readonly onTrouble: (error: unknown) => void;
  readonly times?: Partial<WatchTimes> | undefined;
};

/** Watches until the signal aborts. Saves nothing on disk: after a restart the first call covers missed changes. */
export const watchFolder = async (folder: string, watching: Watching): Promise<void> => {
  const { signal, onChange, onGone, onTrouble } = watching;
  const times = { ...usualTimes, ...watching.times };
  let handled: string | undefined;
  let wasGone = false;
  while (!signal.aborted) {
    const now = await readSettled(folder, times.settleMs, signal, handled);
    if ((now === undefined) !== wasGone) onGone(now === undefined);
    wasGone = now === undefined;
    if (now !== undefined && now !== handled && !signal.aborted) {
      try {
        await onChange();
        handled = now;
      } catch (error) {
        onTrouble(error);
      }
    }
    await pause(times.pollMs, signal);
  }
};

/** Returns name, size, times and inode of each file once they stop changing; undefined if the folder can't be read. */
const readSettled = async (
  folder: string,
  settleMs: number,
  signal: AbortSignal,
  handled: string | undefined,
): Promise<string | undefined> => {
  let before = readState(folder);
  while (before !== undefined && before !== handled && !signal.aborted) {
    await pause(settleMs, signal);
    const after = readState(folder);
    if (after === before) break;
    before = after;
  }
  return before;
};

const readState = (folder: string): string | undefined => {
  const lines: string[] = [];
  try {
    if (!isGivenFolder(folder)) return undefined;
    for (const found of walkMarkdown(folder)) {
      if (found.kind === 'unreadable' && found.path === '') return undefined;
      const stats = lstatSync(join(folder, found.path), { throwIfNoEntry: false });
      lines.push(`${found.path}\0${stats?.mtimeMs}\0${stats?.ctimeMs}\0${stats?.size}\0${stats?.ino}`);
    }
  } catch {
    // The folder vanished while it was read; the next check will tell.
    return undefined;
  }
  return lines.join('\n');
};

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);
