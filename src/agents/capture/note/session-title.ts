/** Chooses the title of a session: its name, what was asked of it, or what it committed. Pure. */

import { commitsOf, isBareCommand, outcomeOf, promptsOf, type Session } from '../session.js';
import { countWords, sentencesOf } from '../statements/sentences-of.js';
import { quoteLine } from './note-text.js';

export const maxTitleUnits = 80;

/** The result is never empty. */
export const titleOf = (session: Session): string => {
  const candidates = [
    session.title,
    longest(asksOf(session).filter((ask) => work.test(ask))),
    branchTitle(session.branch),
    mainCommit(session),
    firstAsk(session),
    outcomeOf(session),
    session.subagents[0]?.task,
    `Session ${session.id}`,
  ];
  return candidates.map((text) => quoteLine(text ?? '', maxTitleUnits)).find((text) => text !== '') ?? 'Session';
};

/** Returns the first sentence of each prompt, without introductory words; a slash command as it was typed. */
const asksOf = (session: Session): readonly string[] =>
  promptsOf(session)
    .filter((turn) => !isBareCommand(turn) && turn.reported === '')
    .map(({ prompt, isSlashCommand }) => (isSlashCommand ? prompt : askIn(prompt)));

const askIn = (prompt: string): string => {
  const [ask = ''] = sentencesOf(firstLine(prompt).replace(lead, ''));
  return `${ask.slice(0, 1).toUpperCase()}${ask.slice(1)}`;
};

/** If the first line of a prompt explains itself, text pasted below it is not part of the gist. */
const firstLine = (prompt: string): string => {
  const [first = ''] = prompt.split('\n');
  return first.length >= 20 ? first : prompt;
};

const lead =
  /^(?:(?:ok(?:ay)?|yes|yeah|sure|thanks?|thank you|great|good|perfect|cool|nice|now|so|and|then|also|hi|hey|hello|please|pls|bitte|(?:can|could|would|will) (?:you|we)(?: please)?|i (?:want|need|would like|'d like) you to|we (?:should|need to|have to|must)|let's|lets)\b[\s,.!:;–—-]{1,4}){1,5}/i;

/** An order to make or change something. Requests to look, read or explain only come up along the way. */
const work =
  /^(?:\/\S+ \S|(?:add|allow|build|bump|change|clean|configure|convert|copy|create|debug|delete|deploy|design|develop|disable|document|enable|extend|extract|finish|fix|format|generate|handle|implement|improve|install|integrate|introduce|make|merge|migrate|move|optimi[sz]e|patch|polish|port|prepare|publish|push|redesign|reduce|refactor|release|remove|rename|reorgani[sz]e|replace|resolve|restore|restructure|revert|rewrite|rework|set ?up|ship|simplify|solve|speed|split|support|translate|tune|turn|unify|update|upgrade|wire|wrap|write)\b)/i;

const maxCounted = 20;

/** Returns the ask with the most words, counted as far as a title shows them; the first of equals. */
const longest = (asks: readonly string[]): string | undefined => {
  let best: { readonly ask: string; readonly words: number } | undefined;
  for (const ask of asks) {
    const words = Math.min(maxCounted, countWords(ask));
    if (words > (best?.words ?? 1)) best = { ask, words };
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
