/** Opening a database that another process opens at the same moment. */
import Database from 'better-sqlite3';

const longestMs = 10_000;
const pauseMs = 5;

/**
 * SQLite waits for others by itself, but not where it changes the journal mode of a new file: `attempt` is then made
 * again. Blocks the thread, as SQLite does when it waits.
 */
export const retryWhileBusy = <Answer>(attempt: () => Answer): Answer => {
  const deadlineMs = Date.now() + longestMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      const isBusy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!isBusy || Date.now() > deadlineMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs * (1 + Math.random()));
    }
  }
};
