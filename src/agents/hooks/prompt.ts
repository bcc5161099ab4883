/** Finds a person's own words in prompts. Pure. */

/** Texts that a client sends as prompts although no person typed them. */
const injected =
  /^\s*(?:<(?:task-notification|system-reminder|command-name|command-message|local-command-|bash-input)|This session is being continued|\[Request interrupted|Stop hook feedback:)/;

/** The beginning of a prompt says what it is about; a pasted log after it would only cost time. */
const maxUnits = 20_000;

/** Returns the part that a person typed; '' for a text that the client sends itself. */
export const typedTextOf = (prompt: string, source: string): string => {
  if (source !== '' && source !== 'user' && source !== 'sdk') return '';
  if (injected.test(prompt)) return '';
  return prompt
    .replace(/^\s*<(ide_\w+)>[\s\S]*?<\/\1>\s*/, '')
    .trim()
    .slice(0, maxUnits);
};

/** Returns the text to search with; '' for a slash command. */
export const searchTextOf = (typed: string): string => (/^[/!#]\S*$/.test(typed) ? '' : typed);
