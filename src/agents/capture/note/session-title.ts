/** Chooses the title of a session: its name, what was asked of it, or what it committed. Pure. */

import { countWords, splitSentences } from '../../../events/sentences.js';
import { commitsOf, isBareCommand, outcomeOf, promptsOf, type Session } from '../session.js';
import { quoteLine } from './note-text.js';

export const maxTitleUnits = 80;

/** The result is never empty. */
export const titleOf = (session: Session): string => {
  const candidates = [
    session.title,
    longest(asksOf(session)),
    branchTitle(session.branch),
    mainCommit(session),
    firstAsk(session),
    outcomeOf(session),
    session.subagents[0]?.task,
    `Session ${session.id}`,
  ];
  return candidates.map((text) => quoteLine(text ?? '', maxTitleUnits)).find((text) => text !== '') ?? 'Session';
};

/** Returns the first sentence of each prompt that asks no question; a slash command as it was typed. */
const asksOf = (session: Session): readonly string[] =>
  promptsOf(session)
    .filter((turn) => !isBareCommand(turn) && turn.reported === '')
    .map(({ prompt, isSlashCommand }) => (isSlashCommand ? prompt : (splitSentences(firstLine(prompt))[0] ?? '')))
    .filter((ask) => !/[?？]$/.test(ask));

/** If the first line of a prompt explains itself, text pasted below it is not part of the gist. */
const firstLine = (prompt: string): string => {
  const [first = ''] = prompt.split('\n');
  return first.length >= 20 ? first : prompt;
};

const maxCounted = 20;

/** Returns the ask with the most words, counted as far as a title shows them; the first of equals. */
const longest = (asks: readonly string[]): string | undefined => {
  let best: { readonly ask: string; readonly words: number } | undefined;
  for (const ask of asks) {
    const words = Math.min(maxCounted, countWords(ask));
    if (words > (best?.words ?? 2)) best = { ask, words };
  }
  return best?.ask;
};

/** `feat/login-form` names a purpose; `main` and a date do not. */
const branchTitle = (branch: string | undefined): string | undefined => {
  const name =
    branch
      ?.replace(/^.{0,60}\//, '')
      .replace(/[-_]+/g, ' ')
      .trim() ?? '';
  return countWords(name) >= 2 && /\p{L}{3}/u.test(name) ? name : undefined;
};

/** Returns the subject of the commit with the most of the session's files; the last of equals. */
const mainCommit = (session: Session): string | undefined => {
  let best: { readonly subject: string; readonly files: number } | undefined;
  for (const commit of commitsOf(session)) if (commit.files >= (best?.files ?? 0)) best = commit;
  return best?.subject;
};

/** Returns a command of the program itself, such as `/clear`, only when nothing else was asked. */
const firstAsk = (session: Session): string | undefined => {
  const prompts = promptsOf(session);
  return firstLine((prompts.find((turn) => !isBareCommand(turn)) ?? prompts[0])?.prompt ?? '');
};
