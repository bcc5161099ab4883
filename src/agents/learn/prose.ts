/** Extracts the part of a prompt that a person wrote, without pasted text and a program's additions. Pure. */
import { typedPart } from './typed-part.js';

/**
 * Returns '' for a prompt that is mostly code, output or a document, and for one that a program wrote. Fenced code is
 * removed and does not count.
 */
export const extractProse = (prompt: string): string => {
  const said = prompt.slice(0, maxChars).replace(/\r\n?/g, '\n');
  if (isWrittenByMachine(said)) return '';
  const lines = typedPart(withoutMachineText(said).replace(fences, '\n')).split('\n');
  const spoken = withoutPaste(lines);
  const spokenChars = countChars(spoken);
  if (spokenChars > maxProseChars || spokenChars * 2 < countChars(lines)) return '';
  return spoken.join('\n').trim();
};

/** True for text that Claude Code writes in the person's place, and for text that we put there ourselves. */
export const isWrittenByMachine = (prompt: string): boolean =>
  machineStart.test(prompt.trimStart()) || injected.exec(prompt.trimStart().slice(0, 200))?.index === 0;

/** Removes what hooks and the editor added: otherwise we would learn again from what we injected ourselves. */
export const withoutMachineText = (prompt: string): string => {
  const [own = ''] = prompt.split(injected, 1);
  return own.replace(frames, '\n');
};

/** No one types more than this. */
const maxChars = 20_000;
/** More than this is a pasted document, whose rules are about something else. */
const maxProseChars = 2_000;

/** Notes that we injected ourselves, and the question that a judge is asked. */
const injected = /^# Anamnesis memory|^Notes that exist already:$|^You read a conversation between a user/m;

const machineStart =
  /^(?:<(?:command-|local-command-|bash-|task-notification|system-reminder)|\[Request interrupted|This session is being continued|Stop hook feedback:|Caveat: |\[Image)/;

const frames =
  /<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics|task-notification|local-command-\w+|command-\w+)\b[^>]{0,200}>[\s\S]*?(?:<\/\1>|$)/g;

/** An unclosed fence reaches to the end. */
const fences = /^[ \t]*(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm;

/** Drops pasted lines. A few lines between two lines of output were printed with them, even if they read like prose. */
const withoutPaste = (lines: readonly string[]): readonly string[] => {
  const spoken: string[] = [];
  // Spoken lines since the last line of output; undefined as long as there was none.
  let since: number | undefined;
  for (const line of lines) {
    if (line.trim() === '') spoken.push(line);
    else if (!isPasted(line)) {
      spoken.push(line);
      if (since !== undefined) since += 1;
    } else if (pastedForms.some((form) => form.test(line))) {
      if (since !== undefined && since <= maxBetween) dropLast(spoken, since);
      since = 0;
    }
  }
  return spoken;
};

const maxBetween = 4;

/** Drops the last `count` lines that aren't empty, and the empty ones between them. */
const dropLast = (spoken: string[], count: number): void => {
  for (let left = count; left > 0; ) if ((spoken.pop() ?? 'none').trim() !== '') left -= 1;
};

const isPasted = (line: string): boolean =>
  line.trim() !== '' && (pastedForms.some((form) => form.test(line)) || isCode(line));

const pastedForms: readonly RegExp[] = [
  // Prompts, quotes, diffs, drawings, tables, indented blocks.
  /^\s*(?:[❯➜|│├└┌═─✓✗✔✖×⎿●⏺]|[$%#>+](?=\s|$)|>>>|@@|=>|--- |\+\+\+ )/,
  /^(?: {4}|\t)\s*\S/,
  // Output: times, levels, traces, progress.
  /^\s*[[(]?\d{4}-\d{2}-\d{2}[T ]|^\s*\[?\d{1,2}:\d{2}:\d{2}/,
  /^\s*\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|fatal|error|warning|npm (?:ERR!|error|warn)|panic|Traceback)(?!\w)\]?\s?[:([]?/,
  /^\s*at \S+|^\s*File ".+", line \d|^\w*(?:Error|Exception)\b.*:|:\d+:\d+\)?$|\s\d+\.\d+s$/,
  // Data and statements.
  /^\s*["'{}[\]<].*[,{}[\]>;]\s*$|^\s*"[^"]+":/,
  /^\s*(?:import|export|const|let|var|function|class|def|public|private|return|package|func|fn|SELECT|INSERT|UPDATE)\s.*[;{(:=]\s*\S*$/,
  /[;{]\s*$|^\s*(?:\/\/|\/\*|\*\/|<!--)/,
];

/** Prose is mostly letters and spaces. */
const isCode = (line: string): boolean => {
  const text = line.trim().replace(/`[^`]*`/g, 'x');
  const plain = text.match(/[\p{L}\p{M}\s]/gu)?.length ?? 0;
  return text.length > 12 && plain < text.length * 0.7;
};

const countChars = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.trim().length, 0);
