/** Which prompts are a person's own words. Pure. */

/** Texts that a client sends as prompts although nobody typed them. */
const injected =
  /^\s*(?:<(?:task-notification|system-reminder|command-name|command-message|local-command-|bash-input)|This session is being continued|\[Request interrupted|Stop hook feedback:)/;

/** A prompt's first units say what it is about; a pasted log behind them would only cost time. */
const maxUnits = 20_000;

/** The part that a person typed; '' for a text that the client sends itself. */
export const typedTextOf = (prompt: string, source: string): string => {
  if (source !== '' && source !== 'user' && source !== 'sdk') return '';
  if (injected.test(prompt)) return '';
  return prompt
    .replace(/^\s*<(ide_\w+)>[\s\S]*?<\/\1>\s*/, '')
    .trim()
    .slice(0, maxUnits);
};

/** The text to search with, of a typed one; '' for a slash command. */
export const searchTextOf = (typed: string): string => (/^[/!#]\S*$/.test(typed) ? '' : typed);
