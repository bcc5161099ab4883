/** Tells what a person wrote in a prompt from what a program added, and from what is quoted. Pure. */

/** True for text that Claude Code writes in the person's place, and for text that we put there ourselves. */
export const isWrittenByMachine = (prompt: string): boolean =>
  machineStart.test(prompt.trimStart()) || injected.exec(prompt.trimStart().slice(0, 200))?.index === 0;

/** Removes what hooks and the editor added: otherwise we would learn again from what we injected ourselves. */
export const withoutMachineText = (prompt: string): string => {
  const [own = ''] = prompt.split(injected, 1);
  return own.replace(frames, '\n');
};

/** Removes fences (an unclosed one reaches to the end), quoted lines and indented blocks. */
export const withoutQuotes = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(fences, '\n')
    .replace(/^(?:\s{0,3}>| {4}|\t).*$/gm, '')
    .trim();

/** Returns '' for a prompt that is long enough to be a document, and for one that a program wrote. */
export const extractProse = (prompt: string): string => {
  const said = isWrittenByMachine(prompt) ? '' : withoutQuotes(withoutMachineText(prompt));
  return said.length > maxProseUnits ? '' : said;
};

/** More than this is a pasted document, whose rules are about something else. */
const maxProseUnits = 2_000;

/** Notes that we injected ourselves, and the question that a judge is asked. */
const injected = /^# Anamnesis memory|^Notes that exist already:$|^You read a conversation between a user/m;

const machineStart =
  /^(?:<(?:command-|local-command-|bash-|task-notification|system-reminder)|\[Request interrupted|This session is being continued|Stop hook feedback:|Caveat: |\[Image)/;

const frames =
  /<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics|task-notification|local-command-\w+|command-\w+)\b[^>]{0,200}>[\s\S]*?(?:<\/\1>|$)/g;

const fences = /^[ \t]*(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm;
