/**
 * Failed commands: which later command is the same one, and which part of the output says why. Expects masked texts,
 * because lines are picked and joined here. Pure.
 */
import { cleanText, clip, oneLine } from '../transcript/clip.js';
import { withoutAddress } from './program-output.js';

const maxCommandUnits = 200;
const maxErrorUnits = 300;
/** Units of the output that are searched for an error, from each end. */
export const lookedAt = 6 * 1024;

/** The command on one line, as a note shows it. */
export const shownCommand = (command: string): string =>
  clip(oneLine(cleanText(command, 8 * maxCommandUnits)), maxCommandUnits);

/**
 * Returns the words by which two commands are the same: without steps such as `cd`, variables, flags, redirections, and
 * anything after a pipe or in a further command.
 */
export const commandWords = (command: string): readonly string[] => {
  const steps = command
    .slice(0, lookedAt)
    .split(/&&|\|\||[;\n|]/)
    .map(stepWords);
  return steps.find(([first]) => first !== undefined && !preparing.has(first)) ?? steps[0] ?? [];
};

/** Returns the same words of one step, without `time` or `timeout 60` before it. */
export const stepWords = (step: string): readonly string[] => {
  const words = step.trim().split(/\s+/).filter(isTelling);
  const begin = watching.has(words[0] ?? '') ? words.findIndex((word, at) => at > 0 && !limit.test(word)) : 0;
  return words.slice(Math.max(begin, 0)).slice(0, maxWords);
};

/** True if one equals or continues the other: `git push` and `git push origin main`, not `make` and `make test`. */
export const isSameCommand = (a: readonly string[], b: readonly string[]): boolean => {
  const shared = Math.min(a.length, b.length);
  if (shared === 0 || (shared === 1 && a.length !== b.length)) return false;
  for (let i = 0; i < shared; i += 1) if (a[i] !== b[i]) return false;
  return true;
};

/** True if a person or a rule kept the agent from running the command, which says nothing about the command. */
export const wasNotRun = (output: string): boolean => notRun.test(output.slice(0, 300));

/**
 * Tells whether a command only looks, keeps house (moves files, commits), or may have tested what was written. Of
 * several steps the strongest kind counts.
 */
export const kindOfCommand = (command: string): 'looks' | 'keeps-house' | 'tries' => {
  let kind: 'looks' | 'keeps-house' = 'looks';
  for (const step of command.slice(0, lookedAt).split(/&&|\|\||[;\n|]/)) {
    const [first] = stepWords(step);
    if (first === undefined || preparing.has(first) || looking.has(first)) continue;
    if (!keepingHouse.has(first)) return 'tries';
    kind = 'keeps-house';
    // A here document or a commit message of many lines may follow.
    if (/<<|\bcommit\b/.test(step)) break;
  }
  return kind;
};

/** Begins the output of a command left running in the background, whose outcome is not known yet. */
export const leftRunning = 'Command running in background';

/** Returns the exit code and the first lines that name an error, or else the last ones, without orders to readers. */
export const gistOfError = (output: string): string => {
  const isLong = output.length > 2 * lookedAt;
  const looked = isLong ? `${output.slice(0, lookedAt)}\n${output.slice(-lookedAt)}` : output;
  let code = '';
  const before: string[] = [];
  const telling: string[] = [];
  for (const line of linesWithWords(looked)) {
    if (code === '' && before.length === 0 && /^(?:Error: )?Exit code \d+$/.test(line)) {
      code = line.toLowerCase().replace('error: ', '');
    } else if (telling.length === 0 && !namesError.test(line)) {
      before.push(line);
    } else {
      const words = withoutAddress(line);
      if (words !== '' && (telling.length > 0 || namesError.test(words))) telling.push(words);
      else if (words !== '') before.push(words);
    }
    if (telling.length === maxErrorLines) break;
  }
  const told = telling.length > 0 ? telling : lastOf(before);
  return clip([code, ...told].filter((line) => line !== '').join(' · '), maxErrorUnits);
};

/** Returns the last two lines that say something: judging every line of a long output costs more than reading it. */
const lastOf = (lines: readonly string[]): readonly string[] => {
  const last: string[] = [];
  for (let i = lines.length - 1; i >= 0 && last.length < 2; i -= 1) {
    const words = withoutAddress(lines[i] ?? '');
    if (words !== '') last.unshift(words);
  }
  return last;
};

/** A generator, since splitting a long output makes thousands of strings for the three that are kept. */
function* linesWithWords(text: string): Generator<string> {
  for (const [line] of text.matchAll(/[^\n\r]+/g)) {
    // Bars and counters of a progress display have no words.
    if (!/\p{L}{3}/u.test(line)) continue;
    const words = oneLine(cleanText(line.slice(0, maxLineUnits).replace(/<\/?tool_use_error>/g, ''), maxLineUnits));
    if (words !== '') yield words;
  }
}

const maxLineUnits = 1000;
const maxReportedUnits = 120;
const maxErrorLines = 3;
const maxWords = 8;
const preparing: ReadonlySet<string> = new Set(['cd', 'export', 'source', '.', 'set', 'sleep', 'echo', 'mkdir']);

/** Commands that run another command and may limit its time. */
const watching: ReadonlySet<string> = new Set(['time', 'timeout', 'gtimeout']);
const limit = /^(?:\d+(?:\.\d+)?[smhd]?|(?:SIG)?(?:HUP|INT|KILL|TERM))$/;

const looking: ReadonlySet<string> = new Set(
  'ls cat head tail less grep egrep rg ag find fd tree pwd which type file stat wc diff cmp sed awk jq yq sort uniq cut tr printf true test [ env date whoami ps df du man column xargs'.split(
    ' ',
  ),
);
const keepingHouse: ReadonlySet<string> = new Set(
  'git gh glab hg svn rm mv cp chmod chown ln touch unzip tar zip kill pkill open'.split(' '),
);

const isTelling = (word: string): boolean =>
  word !== '' &&
  !/^-/.test(word) &&
  !/^\d?[<>]/.test(word) &&
  !/^[A-Za-z_]\w*=/.test(word) &&
  word !== '&' &&
  word !== 'sudo';

const notRun = new RegExp(
  "^(?:<tool_use_error>)?(?:The user doesn't want to|\\[Request interrupted|Permission to use |" +
    'Sibling tool call errored|Cancelled: parallel tool call|Claude requested permissions)',
);

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
