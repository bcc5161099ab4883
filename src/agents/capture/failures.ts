/** Picks the lines of a failed command's output that name the error. Joins lines, so masked text only. Pure. */
import { cleanText, clip, oneLine } from '../transcript/clip.js';

const maxErrorUnits = 300;
const maxReportedUnits = 120;
const maxLineUnits = 1000;
const maxErrorLines = 3;
/** Units of the output that are searched for an error, from each end. */
const lookedAt = 6 * 1024;

/** True if a person or a rule kept the agent from running the command, which says nothing about the command. */
export const wasNotRun = (output: string): boolean => notRun.test(output.slice(0, 300));

const notRun = new RegExp(
  "^(?:<tool_use_error>)?(?:The user doesn't want to|\\[Request interrupted|Permission to use |" +
    'Sibling tool call errored|Cancelled: parallel tool call|Claude requested permissions)',
);

/** Returns the exit code and the first lines that name an error, or else the last two lines. */
export const gistOfError = (output: string): string => {
  const isLong = output.length > 2 * lookedAt;
  const looked = isLong ? `${output.slice(0, lookedAt)}\n${output.slice(-lookedAt)}` : output;
  const lines = linesWithWords(looked);
  const hasCode = /^(?:Error: )?Exit code \d+$/.test(lines[0] ?? '');
  const said = hasCode ? lines.slice(1) : lines;
  const at = said.findIndex((line) => namesError.test(line));
  const told = at === -1 ? said.slice(-2) : said.slice(at, at + maxErrorLines);
  const code = hasCode ? [(lines[0] ?? '').toLowerCase().replace('error: ', '')] : [];
  return clip([...code, ...told].join(' · '), maxErrorUnits);
};

const linesWithWords = (text: string): readonly string[] =>
  (text.match(/[^\n\r]+/g) ?? [])
    // Bars and counters of a progress display have no words.
    .filter((line) => /\p{L}{3}/u.test(line))
    .map((line) => oneLine(cleanText(line.slice(0, maxLineUnits).replace(/<\/?tool_use_error>/g, ''), maxLineUnits)))
    .filter((line) => line !== '');

const namesError =
  /\b(?:\w{0,60}(?:error|exception)|fatal|failed|failure|panic|traceback|denied|cannot|can't|could not|unable|undefined|unexpected|no such|no match|not found|refused|timed out|timeout|abort(?:ed)?|invalid|missing|fail)\b|\*\*|✗|✘|×/i;

/** Returns the error in a prompt that looks like the pasted output of a failed program, else ''. */
export const reportedError = (prompt: string): string => {
  const lines = prompt.slice(0, 2 * lookedAt).split('\n');
  const failing = lines.find((line) => printedFailure.test(line));
  if (lines.length < 3 || failing === undefined) return '';
  return clip(gistOfError(failing).replace(/^[\d.\s]{1,20}/, ''), maxReportedUnits);
};

/** A failure as programs print it, at the beginning of a line or after a step's number or name. */
const printedFailure =
  /^.{0,24}\b(?:error|fatal|panic|exception|failed|ERR!|Traceback|Uncaught|Unhandled)\b.{0,4}[:!([]|^\s{0,8}(?:error|fatal|failed)\b|\bexit(?:ed with)? (?:code|status):? [1-9]|\b[A-Z]\w{2,40}(?:Error|Exception)\b:|^\s{0,8}(?:FAIL|✗|✘|×)\s|npm error/;
