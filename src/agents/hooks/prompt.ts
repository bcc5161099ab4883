/** Finds a person's own words in prompts. Pure. */
import { isWrittenByMachine, withoutMachineText } from '../transcript/prose.js';

/** The beginning of a prompt says what it is about; a pasted log after it would only cost time. */
const maxUnits = 20_000;

/** Returns the part that a person typed; '' for a text that the client sends itself. */
export const typedTextOf = (prompt: string, source: string): string => {
  if (source !== '' && source !== 'user' && source !== 'sdk') return '';
  return isWrittenByMachine(prompt) ? '' : withoutMachineText(prompt.slice(0, maxUnits)).trim();
};

/** Returns the text to search with; '' for a slash command. */
export const searchTextOf = (typed: string): string => (/^[/!#]\S*$/.test(typed) ? '' : typed);
