/** Commits that a command made, read from git's output or else from the message in the command. Pure. */
import { clip, oneLine } from '../transcript/clip.js';

export type MadeCommit = { readonly hash: string; readonly subject: string };

/** Expects masked texts. Of several lines in the output, those count whose subject the command gave. */
export const commitsIn = (command: string, output: string): readonly MadeCommit[] => {
  const asked = command.slice(0, scannedUnits);
  if (!invocation.test(asked)) return [];
  const printed = output.slice(0, scannedUnits);
  const lines = [...printed.matchAll(line)].map(([, hash = '', subject = '']) => ({
    hash: hash.slice(0, 10),
    subject: clip(oneLine(subject), maxSubjectUnits),
  }));
  const subject = subjectIn(asked);
  if (subject === '' || subject.includes('$')) return lines;
  // A hook may prepend an issue number.
  const own = lines.filter((one) => one.subject.includes(subject));
  if (own.length > 0) return own;
  return /nothing to commit|no changes added/.test(printed) ? [] : [{ hash: '', subject }];
};

const scannedUnits = 8 * 1024;
const maxSubjectUnits = 120;

/** `[main 6f035fd] Subject`, `[main (root-commit) 6f035fd] Subject`. */
const line = /^\[[^\]\s]{1,200}(?: \([a-z -]{1,40}\))? ([0-9a-f]{7,40})\] (\S.*)$/gm;

/** `git commit`, with options before `commit`. */
const invocation =
  /\bgit(?:[ \t]{1,9}(?:-[Cc][ \t]{1,9}(?:"[^"]{1,200}"|\S{1,200})|--?[\w-]{1,40}(?:=\S{0,200})?)){0,8}[ \t]{1,9}commit(?=[\s;&|)}`]|$)/m;

/** Returns the first line of `-m "…"`, `-am '…'` or a here document. */
const subjectIn = (command: string): string => {
  const [, , quote = ''] = /\s-[a-z]{0,5}m[ =]?(["'])((?:(?!\1)[^\\]|\\.){1,4000})/s.exec(command) ?? [];
  const given = quote.startsWith('$(cat <<') ? quote.slice(quote.indexOf('\n') + 1) : quote;
  const [first = ''] = given.split('\n').filter((one) => one.trim() !== '');
  return clip(oneLine(first).replaceAll('\\', ''), maxSubjectUnits);
};
