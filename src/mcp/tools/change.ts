/** The answer of the tools that change a note: what was done, and not the note back, which the model has just written. */
import type { Answer, Found } from '../../app/app.js';
import { found, refused } from './tool.js';

/** `said` are warnings about what was asked. */
export const answerChange = (answer: Answer, said: readonly string[] = []): Found<object> => {
  if (answer.status === 'refused') return refused(answer.refusal);
  const { note, event, status, masked, warnings } = answer;
  const { id, short_id, project, version } = note ?? {};
  return found({
    ...(note === undefined ? {} : { id, short_id, project, version }),
    ...(event === undefined ? {} : { event }),
    status,
    ...(masked.length === 0 ? {} : { masked }),
    ...(said.length + warnings.length === 0 ? {} : { warnings: [...said, ...warnings] }),
  });
};
