/** One session of a coding agent as it is kept, and small rules about it. Plain data, pure. */

import type { Decision } from './said/decisions.js';
import type { Finding } from './said/findings.js';

/** A Bash command that was refused by its exit code, and what became of it later in the session. */
export type Failure = {
  readonly command: string;
  readonly error: string;
  readonly ending: 'succeeded-later' | 'failed';
  /** How often it failed in this turn; the error is the last one's. */
  readonly times: number;
  /** The agent's first words after it failed, each time. */
  readonly diagnoses: readonly string[];
  /** Files written between the failure and the run that worked. */
  readonly changed: readonly string[];
};

export type Commit = {
  /** '' when git did not print it. */
  readonly hash: string;
  readonly subject: string;
  /** Of the session, written since the commit before. */
  readonly files: number;
};

/** The last command of a turn that does more than look. */
export type LastRun = { readonly command: string; readonly error: string; readonly hasFailed: boolean };

/** One prompt of a person and what followed it. The prompt is '' where the agent spoke before anybody asked. */
export type Turn = {
  /** Position in the session, from 1. */
  readonly number: number;
  /** Of the prompt's line; undefined for a prompt that was only ever queued. */
  readonly uuid: string | undefined;
  /** Byte offset of that line: the anchor into the transcript. */
  readonly offset: number;
  readonly atMs: number | undefined;
  /** `/name args` for a slash command. */
  readonly prompt: string;
  readonly isSlashCommand: boolean;
  /** The last that the agent said in answer; '' when it said nothing. */
  readonly outcome: string;
  /** A person broke the turn off and nothing was said since. */
  readonly isInterrupted: boolean;
  /** Written or edited, relative to the session's folder when under it, sorted. */
  readonly files: readonly string[];
  readonly failures: readonly Failure[];
  readonly decisions: readonly Decision[];
  readonly findings: readonly Finding[];
  readonly commits: readonly Commit[];
  readonly lastRun: LastRun | undefined;
  /** The last one that may have tried the work. */
  readonly lastCheck: LastRun | undefined;
  /** Code that was written after the last command which could have tried it. */
  readonly untried: readonly string[];
  /** An error in what the person pasted; '' when there is none. */
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
  /** Sentences of the agent's last words that leave something open. */
  readonly openEnds: readonly string[];
  /** On the agent's own list, and not done. */
  readonly todos: readonly string[];
  /** Offset behind the last complete line. */
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

export const decisionsOf = (session: Session): readonly Decision[] =>
  session.turns.flatMap(({ decisions }) => decisions);

export const promptsOf = (session: Session): readonly Turn[] => session.turns.filter(({ prompt }) => prompt !== '');

/** Commands of the program itself, such as `/clear`: they ask the agent for nothing. */
export const isBareCommand = (turn: Turn): boolean =>
  turn.isSlashCommand && turn.outcome === '' && turn.files.length === 0 && turn.failures.length === 0;

/** How much the turn did: the files it changed and the commits it made, with those of its subagents. */
export const workIn = ({ subagents }: Session, { uuid, files, commits }: Turn): number =>
  subagents
    .filter(({ startedIn }) => startedIn !== undefined && startedIn === uuid)
    .reduce((sum, theirs) => sum + theirs.files.length, files.length + commits.length);
