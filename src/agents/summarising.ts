/** A session's summary by the configured model; without one, or when it does not answer, the rules' text stays. */

import { readLastExchanges } from './capture/read-session.js';
import type { Summarise } from './capturing.js';
import { summariseSession } from './learn/summarise.js';
import type { Models } from './models.js';

const maxExchanges = 12;
/** The model is shown less; secrets are masked before that cut. */
const maxCharsPerReply = 12_000;

/** Undefined when no endpoint is configured: nothing leaves the machine then. */
export const summariseWith = (models: Models, log: (line: string) => void): Summarise | undefined => {
  const { summariser } = models;
  if (summariser === undefined) return undefined;
  return async (transcript) => {
    const exchanges = await readLastExchanges(transcript, { count: maxExchanges, maxChars: maxCharsPerReply });
    const { summary, model, calls } = await summariseSession(exchanges, {
      providers: [summariser],
      mayCall: models.mayCall,
    });
    models.count(calls, log);
    return summary === undefined || model === undefined ? undefined : { ...summary, model };
  };
};
