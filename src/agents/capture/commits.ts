/** Commits that a command made, read from what git printed or else from the message it was given. Pure. */
import { clip, oneLine } from '../transcript/clip.js';

export type MadeCommit = { readonly hash: string; readonly subject: string };

/** Command and output are masked. Empty for one that commits nothing. */
export const commitsIn = (command: string, output: string): readonly MadeCommit[] => {
  if (!/\bgit\b.{0,200}\bcommit\b/.test(command.slice(0, lookedAt))) return [];
  const printed = [...output.slice(0, lookedAt).matchAll(line)].map(([, hash = '', subject = '']) => ({
    hash: hash.slice(0, 10),
    subject: clip(oneLine(subject), maxSubjectUnits),
  }));
  if (printed.length > 0) return printed;
  const subject = subjectIn(command.slice(0, lookedAt));
  return subject === '' || /nothing to commit|no changes added/.test(output.slice(0, lookedAt))
    ? []
    : [{ hash: '', subject: clip(subject, maxSubjectUnits) }];
};

const lookedAt = 8 * 1024;
const maxSubjectUnits = 120;

/** `[main 6f035fd] Subject`, `[main (root-commit) 6f035fd] Subject`. */
const line = /^\[[^\]\s]{1,200}(?: \([a-z -]{1,40}\))? ([0-9a-f]{7,40})\] (\S.*)$/gm;

/** The first line of `-m "…"`, `-am '…'` or of a here document. */
const subjectIn = (command: string): string => {
  const [, , quoted = ''] = /\s-[a-z]{0,5}m[ =]?(["'])((?:(?!\1)[^\\]|\\.){1,4000})/s.exec(command) ?? [];
  const given = quoted.startsWith('$(cat <<') ? quoted.slice(quoted.indexOf('\n') + 1) : quoted;
  return oneLine(given.split('\n').find((one) => one.trim() !== '') ?? '').replaceAll('\\', '');
};
