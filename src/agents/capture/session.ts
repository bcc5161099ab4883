/** One session of a coding agent, and small queries on it. Plain data, pure. */

/** A Bash command whose exit code reported a failure, and what became of it later in the session. */
export type Failure = {
  readonly command: string;
  readonly error: string;
  readonly ending: 'succeeded-later' | 'failed';
  /** How often it failed in this turn; `error` is from the last time. */
  readonly times: number;
  /** Files written between the failure and the run that worked. */
  readonly changed: readonly string[];
};

export type Commit = {
  /** '' when git did not print it. */
  readonly hash: string;
  readonly subject: string;
  /** Number of files that the session wrote since the commit before. */
  readonly files: number;
};

/** The last command of a turn that does more than look. */
export type LastRun = { readonly command: string; readonly error: string; readonly hasFailed: boolean };

/** One prompt of a person and what followed it. The prompt is '' if the agent spoke first. */
export type Turn = {
  /** Position in the session, from 1. */
  readonly number: number;
  /** Id of the prompt's line; undefined for a prompt that was only ever queued. */
  readonly uuid: string | undefined;
  /** Byte offset of that line: the anchor into the transcript. */
  readonly offset: number;
  readonly atMs: number | undefined;
  /** `/name args` for a slash command. */
  readonly prompt: string;
  readonly isSlashCommand: boolean;
  /** The agent's last message in answer; '' when it said nothing. */
  readonly outcome: string;
  /** A person interrupted the turn, and the agent has said nothing since. */
  readonly isInterrupted: boolean;
  /** Files written or edited, relative to the session's folder when under it, sorted. */
  readonly files: readonly string[];
  readonly failures: readonly Failure[];
  readonly commits: readonly Commit[];
  readonly lastRun: LastRun | undefined;
  /** The last run that may have tested the work. */
  readonly lastCheck: LastRun | undefined;
  /** Code that was written after the last command that could have tested it. */
  readonly untried: readonly string[];
  /** An error in output that the person pasted; '' when there is none. */
  readonly reported: string;
};

export type Subagent = {
  readonly id: string;
  readonly type: string | undefined;
  readonly task: string;
  readonly outcome: string;
  readonly files: readonly string[];
  /** Uuid of the turn that started it. */
  readonly startedIn: string | undefined;
};

export type Session = {
  readonly id: string;
  /** Base name of the transcript. */
  readonly file: string;
  readonly cwd: string | undefined;
  readonly branch: string | undefined;
  readonly startedAtMs: number | undefined;
  readonly endedAtMs: number | undefined;
  readonly title: string | undefined;
  readonly turns: readonly Turn[];
  /** The last ones, oldest first. */
  readonly compactions: readonly string[];
  /** Byte offsets of their lines, in the same order. */
  readonly compactionOffsets: readonly number[];
  /** The agent said nothing after the last compaction. */
  readonly endsCompacted: boolean;
  readonly subagents: readonly Subagent[];
  /** Plans that the person approved and questions that they answered, in the client's dialogs. */
  readonly choices: readonly string[];
  /** Questions in the agent's last message that nobody has answered. */
  readonly questions: readonly string[];
  /** Items of the agent's own list that are not done. */
  readonly todos: readonly string[];
  /** Offset after the last complete line. */
  readonly bytes: number;
};

/** In UTF-16 units. */
export const maxOutcomeUnits = 600;
export const maxCompactions = 3;

/** The session's result: the outcome of the last turn that has one. */
export const outcomeOf = (session: Session): string =>
  session.turns.findLast((turn) => turn.outcome !== '')?.outcome ?? '';

/** Files that the agent or its subagents wrote or edited, sorted. */
export const filesOf = (session: Session): readonly string[] =>
  [...new Set([...session.turns, ...session.subagents].flatMap(({ files }) => files))].toSorted();

export const commitsOf = (session: Session): readonly Commit[] => session.turns.flatMap(({ commits }) => commits);

export const promptsOf = (session: Session): readonly Turn[] => session.turns.filter(({ prompt }) => prompt !== '');

/** True for a command of the program itself, such as `/clear`, which asks the agent for nothing. */
export const isBareCommand = (turn: Turn): boolean =>
  turn.isSlashCommand && turn.outcome === '' && turn.files.length === 0 && turn.failures.length === 0;

/** How much the turn did: the files it changed and the commits it made, with those of its subagents. */
export const workIn = ({ subagents }: Session, { uuid, files, commits }: Turn): number =>
  subagents
    .filter(({ startedIn }) => startedIn !== undefined && startedIn === uuid)
    .reduce((sum, theirs) => sum + theirs.files.length, files.length + commits.length);

/** Removes the turns that a fork copied from its parent session, with their compactions, subagents and times. */
export const withoutCopiedTurns = (session: Session, isForeign: (uuid: string) => boolean): Session => {
  const { turns } = session;
  const foreign = turns.map(({ uuid }) => uuid !== undefined && isForeign(uuid));
  const last = foreign.lastIndexOf(true);
  if (last === -1) return session;
  // A turn without a uuid was copied together with the turns after it.
  const own = turns.filter(({ uuid }, i) => !foreign[i] && !(uuid === undefined && i < last));
  const ownFrom = turns[last + 1]?.offset ?? Number.POSITIVE_INFINITY;
  const isOwn = (_: unknown, i: number): boolean => (session.compactionOffsets[i] ?? ownFrom) >= ownFrom;
  return {
    ...session,
    turns: own,
    compactions: session.compactions.filter(isOwn),
    compactionOffsets: session.compactionOffsets.filter(isOwn),
    subagents: session.subagents.filter(({ startedIn }) => startedIn === undefined || !isForeign(startedIn)),
    startedAtMs: own[0]?.atMs ?? session.startedAtMs,
  };
};
