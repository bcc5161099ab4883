/** Commands that wait in `state.db` for the holder of the write lock, and their answers. */
import type Database from 'better-sqlite3';

export type QueuedCommand = { readonly id: string; readonly payload: string };

export type CommandQueue = {
  enqueue(command: QueuedCommand): void;
  waiting(limit: number): readonly QueuedCommand[];
  answer(answers: readonly { readonly id: string; readonly answer: string }[]): void;
  /** Returns the answer and takes it out of the queue; undefined while the command waits. */
  takeAnswer(id: string): string | undefined;
  /** Takes commands out of the queue that their own process carried out or gave up. */
  dequeue(ids: readonly string[]): void;
  /** Drops answers that were not fetched within an hour: their process is gone. */
  dropOldAnswers(nowMs: number): void;
};

type Value = string | number;

/** Prepares statements that return nothing. */
export const runner =
  (database: Database.Database) =>
  (sql: string): ((...args: readonly Value[]) => void) => {
    const statement = database.prepare<Value[]>(sql);
    return (...args) => {
      statement.run(...args);
    };
  };

export const queueOver = (database: Database.Database): CommandQueue => {
  const run = runner(database);
  const enqueue = run('INSERT OR IGNORE INTO queue (id, payload) VALUES (?, ?)');
  const waiting = database.prepare<[number], QueuedCommand>(
    'SELECT id, payload FROM queue WHERE answer IS NULL ORDER BY id LIMIT ?',
  );
  const answer = run('UPDATE queue SET answer = ?, answeredMs = ? WHERE id = ?');
  const answered = database.prepare<[string], { answer: string }>(
    'SELECT answer FROM queue WHERE id = ? AND answer IS NOT NULL',
  );
  const dequeue = run('DELETE FROM queue WHERE id = ?');
  const dropOld = run('DELETE FROM queue WHERE answeredMs < ?');
  return {
    enqueue: ({ id, payload }) => enqueue(id, payload),
    waiting: (limit) => waiting.all(limit),
    answer: database.transaction((answers) => {
      for (const { id, answer: text } of answers) answer(text, Date.now(), id);
    }),
    takeAnswer: (id) => {
      const row = answered.get(id);
      if (row !== undefined) dequeue(id);
      return row?.answer;
    },
    dequeue: database.transaction((ids) => {
      for (const id of ids) dequeue(id);
    }),
    dropOldAnswers: (nowMs) => dropOld(nowMs - 3_600_000),
  };
};
