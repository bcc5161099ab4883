/** Commits that a command made, read from what git printed or else from the message it was given. Pure. */
import { clip, oneLine } from '../transcript/clip.js';
import { givesRule } from './printed.js';

export type MadeCommit = { readonly hash: string; readonly subject: string };

/**
 * Command and output are masked. Empty for one that commits nothing: a file that it shows may hold the same lines. A
 * subject that gives its reader a rule is ''.
 */
export const commitsIn = (command: string, output: string): readonly MadeCommit[] => {
  const asked = command.slice(0, lookedAt);
  const runs = bareCommand(asked).match(invocation) ?? [];
  if (runs.length === 0) return [];
  const printed = output.slice(0, lookedAt);
  const lines = [...printed.matchAll(line)].map(([, hash = '', subject = '']) => ({
    hash: hash.slice(0, 10),
    subject: oneLine(subject),
  }));
  return committed(asked, lines, runs, /nothing to commit|no changes added/.test(printed))
    .map(({ hash, subject }) => ({ hash, subject: givesRule(subject) ? '' : clip(subject, maxSubjectUnits) }))
    .filter(({ hash, subject }) => hash !== '' || subject !== '');
};

/** Those whose subject the command gave; where it gave none, the last that git can have printed. */
const committed = (
  command: string,
  lines: readonly MadeCommit[],
  runs: readonly string[],
  isUnchanged: boolean,
): readonly MadeCommit[] => {
  const subject = subjectIn(command);
  const said = oneLine(command.replaceAll('\\', ''));
  // A hook may put the number of an issue in front.
  const own = lines.filter((one) => said.includes(one.subject) || (subject !== '' && one.subject.includes(subject)));
  if (own.length > 0) return own;
  if (subject !== '' && !subject.includes('$')) return isUnchanged ? [] : [{ hash: '', subject }];
  return /\b(?:for|while|until|xargs)\b/.test(command) ? lines : lines.slice(-runs.length);
};

const lookedAt = 8 * 1024;
const maxSubjectUnits = 120;

/** `[main 6f035fd] Subject`, `[main (root-commit) 6f035fd] Subject`. */
const line = /^\[[^\]\s]{1,200}(?: \([a-z -]{1,40}\))? ([0-9a-f]{7,40})\] (\S.*)$/gm;

/** Where a command may begin, with variables and options in front of `commit`. */
const invocation =
  /(?:^|[;&|({`]|\b(?:then|do|else|time|sudo|env|command)[ \t])[ \t]{0,40}(?:\w{1,80}=\S{0,200}[ \t]{1,40}){0,8}git(?:[ \t]{1,9}(?:-[Cc][ \t]{1,9}\S{1,200}|--?[\w-]{1,40}(?:=\S{0,200})?)){0,8}[ \t]{1,9}commit(?=[\s;&|)}`]|$)/gm;

/** Without here documents, comments and what stands in quotes, all of which may speak of git. */
const bareCommand = (command: string): string => {
  const lines: string[] = [];
  let end = '';
  for (const one of command.replaceAll('\\\n', ' ').split('\n')) {
    if (end !== '') {
      if (one.trim() === end) end = '';
      continue;
    }
    end = /<<-?[ \t]{0,9}["']?(\w{1,40})/.exec(one)?.[1] ?? '';
    lines.push(one);
  }
  return lines.join('\n').replace(quoted, (text) => (text.startsWith('\\') ? text : "''"));
};

const quoted = /\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*'|(?<=^|\s)#.*/gm;

/** The first line of `-m "…"`, `-am '…'` or of a here document. */
const subjectIn = (command: string): string => {
  const [, , quote = ''] = /\s-[a-z]{0,5}m[ =]?(["'])((?:(?!\1)[^\\]|\\.){1,4000})/s.exec(command) ?? [];
  const given = quote.startsWith('$(cat <<') ? quote.slice(quote.indexOf('\n') + 1) : quote;
  return oneLine(given.split('\n').find((one) => one.trim() !== '') ?? '').replaceAll('\\', '');
};
