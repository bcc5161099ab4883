/** Entry point of a worker thread: an ordinary function, which a test also calls without a pool. */

import type { EvalTask, runCases } from './eval-cases.js';
import type { DigestTask, digestFile, measureViews, ViewTask } from './index-tasks.js';
import { type ParseTask, parsePacked } from './parse-notes.js';

export type Task = ParseTask | DigestTask | ViewTask | EvalTask;

export type Answer<Asked extends Task> = Asked extends ParseTask
  ? ReturnType<typeof parsePacked>
  : Asked extends DigestTask
    ? ReturnType<typeof digestFile>
    : Asked extends ViewTask
      ? ReturnType<typeof measureViews>
      : ReturnType<typeof runCases>;

/** A replay waits for its threads to start, so modules for other tasks are loaded only when such a task runs. */
export default async (
  task: Task,
): Promise<ReturnType<typeof parsePacked | typeof digestFile | typeof measureViews | typeof runCases>> => {
  switch (task.task) {
    case 'parse':
      return parsePacked(task);
    case 'digest': {
      const { digestFile } = await import('./index-tasks.js');
      return digestFile(task);
    }
    case 'view': {
      const { measureViews } = await import('./index-tasks.js');
      return measureViews(task);
    }
    case 'eval': {
      const { runCases } = await import('./eval-cases.js');
      return runCases(task);
    }
  }
};
