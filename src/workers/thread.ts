/** Entry of a worker thread. An ordinary function, which a test also calls without a pool. */
import { type EvalTask, runCases } from './eval-cases.js';
import { type ParseTask, parseNotes } from './parse-notes.js';
import { measureViews, type ViewTask } from './view-sizes.js';

export type Task = ParseTask | ViewTask | EvalTask;

export type Answer<Asked extends Task> = Asked extends ParseTask
  ? ReturnType<typeof parseNotes>
  : Asked extends ViewTask
    ? ReturnType<typeof measureViews>
    : ReturnType<typeof runCases>;

export default (task: Task): ReturnType<typeof parseNotes | typeof measureViews | typeof runCases> => {
  switch (task.task) {
    case 'parse':
      return parseNotes(task);
    case 'view':
      return measureViews(task);
    case 'eval':
      return runCases(task);
  }
};
