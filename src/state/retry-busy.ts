/** Retries opening a database that another process is opening at the same moment. */

const longestMs = 10_000;
const pauseMs = 5;

/**
 * SQLite itself waits for other processes, but not where it changes the journal mode of a new file: `attempt` is then
 * repeated. Blocks the thread, as SQLite does when it waits.
 */
export const retryWhileBusy = <Answer>(attempt: () => Answer): Answer => {
  const deadlineMs = Date.now() + longestMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadlineMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs * (1 + Math.random()));
    }
  }
};

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
