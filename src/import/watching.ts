/** Watches a folder and reports when its files have changed and then stopped changing. */
import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGivenFolder } from './files.js';
import { walkMarkdown } from './markdown/markdown.js';

export type WatchTimes = {
  /** The files must stay unchanged for this long: an editor may be in the middle of saving. */
  readonly settleMs: number;
  /** The longest time between two checks if the system reports changes, since it misses some. */
  readonly lookMs: number;
  /** The same if it doesn't: too many folders, or a network drive. */
  readonly pollMs: number;
};

const usualTimes: WatchTimes = { settleMs: 1000, lookMs: 30_000, pollMs: 3000 };

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
  const hints = openHints(folder);
  let handled: string | undefined;
  let wasGone = false;
  try {
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
      await hints.next(hints.isTold() ? times.lookMs : times.pollMs, signal);
    }
  } finally {
    hints.close();
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

type Hints = {
  /** False if the system reports nothing. */
  isTold(): boolean;
  /** Resolves after `ms`, or as soon as something may have changed since the last call. */
  next(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
};

/** A hint only says that a check is worthwhile; the file it names is not trusted. */
const openHints = (folder: string): Hints => {
  let watcher: FSWatcher | undefined;
  let isHinted = false;
  let wake: (() => void) | undefined;
  const hint = (): void => {
    isHinted = true;
    wake?.();
  };
  const close = (): void => {
    watcher?.close();
    watcher = undefined;
  };
  const open = (): void => {
    try {
      watcher ??= watch(folder, { recursive: true }, hint).on('error', close);
    } catch {
      watcher = undefined;
    }
  };
  open();
  return {
    isTold: () => watcher !== undefined,
    async next(ms, signal) {
      if (watcher === undefined) open();
      if (!isHinted && !signal.aborted) {
        const woken = new AbortController();
        wake = () => woken.abort();
        await pause(ms, AbortSignal.any([signal, woken.signal]));
        wake = undefined;
      }
      isHinted = false;
    },
    close,
  };
};
