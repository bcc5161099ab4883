/** Answer of the tools that change a note: what was done, but not the note, which the model has just written. */
import type { Answer, Found } from '../../app/app.js';
import type { Notes } from '../../app/notes.js';
import { withShortIds } from './short-ids.js';
import { found, refused } from './tool.js';

/** `said` are warnings about what was asked. */
export const answerChange = async (
  notes: Pick<Notes, 'names'>,
  answer: Answer,
  said: readonly string[] = [],
): Promise<Found<object>> => {
  if (answer.status === 'refused') return refused(answer.refusal);
  const { note, event, status, masked, warnings } = answer;
  const { id, short_id, project, version } = note ?? {};
  const told = [...said, ...(await withShortIds(notes, warnings))];
  return found({
    ...(note === undefined ? {} : { id, short_id, project, version }),
    ...(event === undefined ? {} : { event }),
    status,
    ...(masked.length === 0 ? {} : { masked }),
    ...(told.length === 0 ? {} : { warnings: told }),
  });
};
