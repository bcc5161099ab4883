/** Commits that a command made, read from git's output or else from the message in the command. Pure. */
import { clip, oneLine } from '../transcript/clip.js';
import { givesRule } from './program-output.js';

export type MadeCommit = { readonly hash: string; readonly subject: string };

/**
 * Expects masked texts. Returns nothing for a command that doesn't commit: a file that it prints may contain such
 * lines. A subject that gives its reader a rule becomes ''.
 */
export const commitsIn = (command: string, output: string): readonly MadeCommit[] => {
  const asked = command.slice(0, scannedUnits);
  const runs = bareCommand(asked).match(invocation) ?? [];
  if (runs.length === 0) return [];
  const printed = output.slice(0, scannedUnits);
  const lines = [...printed.matchAll(line)].map(([, hash = '', subject = '']) => ({
    hash: hash.slice(0, 10),
    subject: oneLine(subject),
  }));
  return committed(asked, lines, runs, /nothing to commit|no changes added/.test(printed))
    .map(({ hash, subject }) => ({ hash, subject: givesRule(subject) ? '' : clip(subject, maxSubjectUnits) }))
    .filter(({ hash, subject }) => hash !== '' || subject !== '');
};

/** Keeps the commits whose subject the command gave; if it gave none, the last ones that git can have printed. */
const committed = (
  command: string,
  lines: readonly MadeCommit[],
  runs: readonly string[],
  isUnchanged: boolean,
): readonly MadeCommit[] => {
  const subject = subjectIn(command);
  const said = oneLine(command.replaceAll('\\', ''));
  // A hook may prepend an issue number.
  const own = lines.filter((one) => said.includes(one.subject) || (subject !== '' && one.subject.includes(subject)));
  if (own.length > 0) return own;
  if (subject !== '' && !subject.includes('$')) return isUnchanged ? [] : [{ hash: '', subject }];
  return /\b(?:for|while|until|xargs)\b/.test(command) ? lines : lines.slice(-runs.length);
};

const scannedUnits = 8 * 1024;
const maxSubjectUnits = 120;

/** `[main 6f035fd] Subject`, `[main (root-commit) 6f035fd] Subject`. */
const line = /^\[[^\]\s]{1,200}(?: \([a-z -]{1,40}\))? ([0-9a-f]{7,40})\] (\S.*)$/gm;

/** `git commit` where a command may begin, with variables before it and options before `commit`. */
const invocation =
  /(?:^|[;&|({`]|\b(?:then|do|else|time|sudo|env|command)[ \t])[ \t]{0,40}(?:\w{1,80}=\S{0,200}[ \t]{1,40}){0,8}git(?:[ \t]{1,9}(?:-[Cc][ \t]{1,9}\S{1,200}|--?[\w-]{1,40}(?:=\S{0,200})?)){0,8}[ \t]{1,9}commit(?=[\s;&|)}`]|$)/gm;

/** Removes here documents, comments and quoted text, all of which may mention git. */
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

/** Returns the first line of `-m "…"`, `-am '…'` or a here document. */
const subjectIn = (command: string): string => {
  const [, , quote = ''] = /\s-[a-z]{0,5}m[ =]?(["'])((?:(?!\1)[^\\]|\\.){1,4000})/s.exec(command) ?? [];
  const given = quote.startsWith('$(cat <<') ? quote.slice(quote.indexOf('\n') + 1) : quote;
  return oneLine(given.split('\n').find((one) => one.trim() !== '') ?? '').replaceAll('\\', '');
};
