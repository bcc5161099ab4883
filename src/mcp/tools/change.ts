/** The answer of the tools that change a note. */
import type { Answer, Found } from '../../app/app.js';
import { found, refused } from './tool.js';

export const answerChange = (answer: Answer): Found<object> => {
  if (answer.status === 'refused') return refused(answer.refusal);
  const { note, event, status, masked, warnings } = answer;
  return found({ note, ...(event === undefined ? {} : { event }), status, masked, warnings });
};
