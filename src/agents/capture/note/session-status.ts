/** Tells how a session ended, from what was run and said last. Pure. */
import { isBareCommand, type Session, type Turn } from '../session.js';

export type Status =
  | { readonly kind: 'done' }
  /** No file, no commit and no command that does more than look: there was nothing to get done. */
  | { readonly kind: 'talked' }
  /** It is not known to work; `why` is a clause that contains foreign text. */
  | { readonly kind: 'unverified'; readonly why: string }
  | { readonly kind: 'interrupted'; readonly prompt: string; readonly isAnswered: boolean };

export const statusOf = (session: Session): Status => {
  const open = openPromptsOf(session).at(-1);
  if (open !== undefined) return { kind: 'interrupted', prompt: open.prompt, isAnswered: open.isInterrupted };
  const why = doubtOf(session.turns);
  if (why !== undefined) return { kind: 'unverified', why };
  return hasDeeds(session) ? { kind: 'done' } : { kind: 'talked' };
};

const hasDeeds = ({ turns, subagents }: Session): boolean =>
  subagents.length > 0 ||
  turns.some(
    ({ files, commits, failures, lastRun, lastCheck }) =>
      files.length + commits.length + failures.length > 0 || lastRun !== undefined || lastCheck !== undefined,
  );

/** Returns interrupted prompts with nothing done since, and the last prompt if it has no answer. */
export const openPromptsOf = ({ turns }: Session): readonly Turn[] => {
  const lastDone = turns.findLastIndex(({ files, commits }) => files.length > 0 || commits.length > 0);
  const last = turns.findLast((turn) => turn.prompt !== '' && !isBareCommand(turn));
  return turns.filter((turn, at) => {
    if (turn.prompt === '' || isBareCommand(turn)) return false;
    return (turn.isInterrupted && at >= lastDone) || (turn === last && turn.outcome === '');
  });
};

/** Looks from the end for a failed command, code that nothing tested, or an error that the person reported. */
const doubtOf = (turns: readonly Turn[]): string | undefined => {
  let isLast = true;
  for (const { lastRun, lastCheck, untried, reported } of turns.toReversed()) {
    const failed = isLast && lastRun?.hasFailed === true ? lastRun : undefined;
    const broken = failed ?? (lastCheck?.hasFailed === true ? lastCheck : undefined);
    if (broken !== undefined)
      return `\`${broken.command}\` failed when it last ran${broken.error === '' ? '' : `: ${broken.error}`}`;
    const [path] = untried;
    if (reported !== '') {
      const since = path === undefined ? 'nothing was run since' : `nothing has tried the change to \`${path}\` since`;
      if (lastCheck === undefined) return `the user reported “${reported}”, and ${since}`;
    }
    if (path !== undefined) return `nothing was run after the last change to \`${path}\``;
    if (lastCheck !== undefined) return undefined;
    isLast &&= lastRun === undefined;
  }
  return undefined;
};
