/** Shell commands: which two are the same one, which steps of a line worked, and what kind of work one is. Pure. */
import { cleanText, clip, oneLine } from '../transcript/clip.js';

const maxCommandUnits = 200;
const maxWords = 8;
/** Units of a command that are looked at. */
const lookedAt = 6 * 1024;

export const shownCommand = (command: string): string =>
  clip(oneLine(cleanText(command, 8 * maxCommandUnits)), maxCommandUnits);

/** The words by which two commands are the same, without `cd`, variables, flags, redirections and later commands. */
export const commandWords = (command: string): readonly string[] => {
  const steps = stepsOf(command).map(stepWords);
  return steps.find(([first]) => first !== undefined && !preparing.has(first)) ?? steps[0] ?? [];
};

/** True if one equals or continues the other: `git push` and `git push origin main`, not `make` and `make test`. */
export const isSameCommand = (a: readonly string[], b: readonly string[]): boolean => {
  const shared = Math.min(a.length, b.length);
  if (shared === 0 || (shared === 1 && a.length !== b.length)) return false;
  for (let i = 0; i < shared; i += 1) if (a[i] !== b[i]) return false;
  return true;
};

/** The steps that must have worked if the line did: none beside `||`, in the background or in a here document. */
export const commandsThatWorked = (line: string): readonly (readonly string[])[] => {
  const joined = line.replace(/'[^']*'|"(?:\\[\s\S]|[^"\\])*"/g, "''").replace(/\\\n|(?<=[&|])[ \t]*\n/g, ' ');
  const last = joined.split(/[;\n]/).findLast((text) => text.trim() !== '') ?? '';
  const isCertain = line.length <= lookedAt && !line.includes('<<') && !/\|\||[^&>]&(?![&>\d])/.test(last);
  const steps = isCertain ? last.split('&&').map((step) => stepWords(step.split('|')[0] ?? '')) : [];
  return [commandWords(line), ...steps];
};

/** Whether a command only looks, keeps house (moves files, commits) or may test; of several steps, the strongest. */
export const kindOfCommand = (command: string): 'looks' | 'keeps-house' | 'tries' => {
  let kind: 'looks' | 'keeps-house' = 'looks';
  for (const step of stepsOf(command)) {
    const [first] = stepWords(step);
    if (first === undefined || preparing.has(first) || looking.has(first)) continue;
    if (!keepingHouse.has(first)) return 'tries';
    kind = 'keeps-house';
    // A here document or a commit message of many lines may follow.
    if (/<<|\bcommit\b/.test(step)) break;
  }
  return kind;
};

const stepsOf = (command: string): readonly string[] => command.slice(0, lookedAt).split(/&&|\|\||[;\n|]/);

/** Without `time` or `timeout 60` before the command. */
const stepWords = (step: string): readonly string[] => {
  const words = step.trim().split(/\s+/).filter(isTelling);
  const begin = watching.has(words[0] ?? '') ? words.findIndex((word, at) => at > 0 && !limit.test(word)) : 0;
  return words.slice(Math.max(begin, 0)).slice(0, maxWords);
};

const isTelling = (word: string): boolean =>
  word !== '' && word !== '&' && word !== 'sudo' && !/^-|^\d?[<>]|^[A-Za-z_]\w*=/.test(word);

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const preparing = setOf('cd export source . set sleep echo mkdir');
/** Commands that run another command and may limit its time. */
const watching = setOf('time timeout gtimeout');
const limit = /^(?:\d+(?:\.\d+)?[smhd]?|(?:SIG)?(?:HUP|INT|KILL|TERM))$/;
const looking = setOf(
  'ls cat head tail less grep egrep rg ag find fd tree pwd which type file stat wc diff cmp sed awk jq yq sort uniq cut tr printf true test [ env date whoami ps df du man column xargs',
);
const keepingHouse = setOf('git gh glab hg svn rm mv cp chmod chown ln touch unzip tar zip kill pkill open');
