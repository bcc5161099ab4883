/** Has a session's note worded by the first model that answers; without one, the text made by rules stays. */

import type { Summarise } from './capturing.js';
import { summariseSession } from './learn/summarise.js';
import type { Models } from './models.js';

/** Returns undefined when no model is chosen. */
export const summariseWith = (models: Models, log: (line: string) => void): Summarise | undefined => {
  const providers = models.judges();
  if (providers.length === 0) return undefined;
  return async (facts) => {
    const { summary, model, calls } = await summariseSession(facts, { providers, mayCall: models.mayCall });
    models.count(calls, log);
    return summary === undefined || model === undefined ? undefined : { ...summary, model };
  };
};
