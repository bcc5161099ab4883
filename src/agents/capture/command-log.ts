/** Outcomes of an agent's commands: failures, the changes that fixed them, and commits. */
import { clip } from '../transcript/clip.js';
import { commitsIn } from './commits.js';
import {
  commandWords,
  gistOfError,
  isSameCommand,
  kindOfCommand,
  leftRunning,
  shownCommand,
  wasNotRun,
} from './failures.js';
import type { Commit, Failure, LastRun } from './session.js';
import { commandsThatWorked } from './worked-commands.js';

/** Outcomes of the commands of one turn or one subagent. */
export type Runs = {
  readonly failures: OpenFailure[];
  readonly commits: Commit[];
  /** The last command that does more than look, and the last of those that may have tested the work. */
  lastRun: LastRun | undefined;
  lastCheck: LastRun | undefined;
  readonly untried: string[];
};

export const newRuns = (): Runs => ({
  failures: [],
  commits: [],
  lastRun: undefined,
  lastCheck: undefined,
  untried: [],
});

export type Failed = { readonly command: string; readonly error: string };

/** A failure that a later run of the same command may resolve. */
export type OpenFailure = {
  readonly command: string;
  readonly words: readonly string[];
  readonly by: Runs;
  readonly diagnoses: string[];
  readonly changed: string[];
  error: string;
  ending: Failure['ending'];
  times: number;
};

export type CommandLog = {
  readonly result: (command: string, output: CommandOutput, by: Runs) => void;
  readonly wrote: (path: string, by: Runs) => void;
  /** Adds the agent's words about the last failure, said before it did anything else. */
  readonly explain: (diagnosis: string) => void;
  readonly justFailed: () => Failed | undefined;
  /** The agent turned to something else: its next words no longer explain the failure. */
  readonly goOn: () => void;
};

/** `text` masks the output on demand. */
export type CommandOutput = {
  readonly isError: boolean;
  readonly startsWith: (prefix: string) => boolean;
  readonly text: () => string;
};

const maxFailures = 100;
const maxFailuresEach = 10;
const maxDiagnoses = 4;
const maxChanged = 4;
const maxCommits = 100;
const maxUntried = 3;
const maxUncommitted = 1000;

export const startCommandLog = (): CommandLog => {
  const open: OpenFailure[] = [];
  const uncommitted = new Set<string>();
  let fresh: OpenFailure | undefined;
  let commits = 0;

  const fail = (command: string, words: readonly string[], error: string, by: Runs): void => {
    const shown = shownCommand(command);
    const before = by.failures.find((failure) => failure.command === shown);
    if (before !== undefined) {
      before.error = error;
      before.times += 1;
      fresh = before;
      return;
    }
    const failure: OpenFailure = {
      command: shown,
      words,
      by,
      diagnoses: [],
      changed: [],
      error,
      ending: 'failed',
      times: 1,
    };
    fresh = failure;
    open.push(failure);
    by.failures.push(failure);
    if (by.failures.length > maxFailuresEach) drop(by.failures[0]);
    if (open.length > maxFailures) drop(open[0]);
  };

  const drop = (failure: OpenFailure | undefined): void => {
    if (failure === undefined) return;
    remove(open, failure);
    remove(failure.by.failures, failure);
  };

  /** The last run decides: a command that worked once and broke again counts as broken. */
  const settle = (ran: readonly (readonly string[])[], ending: Failure['ending']): void => {
    for (const failure of open) if (ran.some((words) => isSameCommand(words, failure.words))) failure.ending = ending;
  };

  const commit = (command: string, output: string, by: Runs): void => {
    for (const made of commitsIn(command, output)) {
      if (commits >= maxCommits) by.commits.shift();
      else commits += 1;
      by.commits.push({ ...made, files: uncommitted.size });
      uncommitted.clear();
    }
  };

  const run = (command: string, error: string | undefined, by: Runs): void => {
    const kind = kindOfCommand(command);
    if (kind === 'looks') return;
    const last = { command: clip(shownCommand(command), 120), error: error ?? '', hasFailed: error !== undefined };
    by.lastRun = last;
    if (kind !== 'tries') return;
    by.lastCheck = last;
    by.untried.length = 0;
  };

  return {
    result: (command, { isError, startsWith, text }, by) => {
      if (isError) {
        const output = text();
        if (wasNotRun(output)) return;
        const words = commandWords(command);
        const error = gistOfError(output);
        settle([words], 'failed');
        fail(command, words, error, by);
        run(command, error, by);
        return;
      }
      if (startsWith(leftRunning)) {
        by.untried.length = 0;
        return;
      }
      if (open.length > 0) settle(commandsThatWorked(command), 'succeeded-later');
      run(command, undefined, by);
      if (command.includes('commit')) commit(command, text(), by);
    },
    wrote: (path, by) => {
      if (uncommitted.size < maxUncommitted) uncommitted.add(path);
      if (isCode(path) && by.untried.length < maxUntried && !by.untried.includes(path)) by.untried.push(path);
      for (const failure of open.slice(-maxRecentFailures)) {
        const { ending, changed } = failure;
        if (ending === 'failed' && changed.length < maxChanged && !changed.includes(path)) changed.push(path);
      }
    },
    explain: (diagnosis) => {
      if (fresh !== undefined && fresh.diagnoses.length < maxDiagnoses && !fresh.diagnoses.includes(diagnosis))
        fresh.diagnoses.push(diagnosis);
      fresh = undefined;
    },
    justFailed: () => fresh,
    goOn: () => {
      fresh = undefined;
    },
  };
};

const maxRecentFailures = 3;

/** False for prose, data and images, which no command tests. */
const isCode = (path: string): boolean =>
  !/\.(?:md|mdx|markdown|txt|rst|adoc|org|csv|svg|png|jpe?g|gif|pdf)$|(?:^|\/)(?:LICENSE|\.gitignore|\.env\.example)$/i.test(
    path,
  );

export const remove = <T>(list: T[], one: T): void => {
  const at = list.indexOf(one);
  if (at !== -1) list.splice(at, 1);
};
