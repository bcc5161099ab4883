/** Collects how an agent's commands ended: failures, the files changed until each was fixed, and commits. */
import { clip } from '../transcript/clip.js';
import { commandsThatWorked, commandWords, isSameCommand, kindOfCommand, shownCommand } from './commands.js';
import { commitsIn } from './commits.js';
import { gistOfError, wasNotRun } from './failures.js';
import type { Commit, Failure, LastRun } from './session.js';

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

/** A failure that a later run of the same command may resolve. */
export type OpenFailure = {
  readonly command: string;
  readonly words: readonly string[];
  readonly by: Runs;
  readonly changed: string[];
  error: string;
  ending: Failure['ending'];
  times: number;
};

/** `text` masks the output on demand. */
export type CommandOutput = {
  readonly isError: boolean;
  readonly startsWith: (prefix: string) => boolean;
  readonly text: () => string;
};

const maxFailures = 100;
const maxFailuresEach = 10;
const maxRecentFailures = 3;
const maxChanged = 4;
const maxCommits = 100;
const maxUntried = 3;
const maxUncommitted = 1000;

export class CommandLog {
  readonly #open: OpenFailure[] = [];
  readonly #uncommitted = new Set<string>();
  #commits = 0;

  result(command: string, { isError, startsWith, text }: CommandOutput, by: Runs): void {
    if (isError) {
      const output = text();
      if (wasNotRun(output)) return;
      const error = gistOfError(output);
      this.#fail(command, error, by);
      countRun(command, error, by);
    } else if (startsWith('Command running in background')) {
      // How it ends is not known yet.
      by.untried.length = 0;
    } else {
      if (this.#open.length > 0) this.#settle(commandsThatWorked(command), 'succeeded-later');
      countRun(command, undefined, by);
      if (command.includes('commit')) this.#commit(command, text(), by);
    }
  }

  wrote(path: string, by: Runs): void {
    if (this.#uncommitted.size < maxUncommitted) this.#uncommitted.add(path);
    if (isCode(path) && by.untried.length < maxUntried && !by.untried.includes(path)) by.untried.push(path);
    for (const { ending, changed } of this.#open.slice(-maxRecentFailures))
      if (ending === 'failed' && changed.length < maxChanged && !changed.includes(path)) changed.push(path);
  }

  #fail(command: string, error: string, by: Runs): void {
    const words = commandWords(command);
    this.#settle([words], 'failed');
    const shown = shownCommand(command);
    const before = by.failures.find((failure) => failure.command === shown);
    if (before !== undefined) {
      before.error = error;
      before.times += 1;
      return;
    }
    const failure: OpenFailure = { command: shown, words, by, changed: [], error, ending: 'failed', times: 1 };
    this.#open.push(failure);
    by.failures.push(failure);
    if (by.failures.length > maxFailuresEach) this.#drop(by.failures[0]);
    if (this.#open.length > maxFailures) this.#drop(this.#open[0]);
  }

  #drop(failure: OpenFailure | undefined): void {
    if (failure === undefined) return;
    remove(this.#open, failure);
    remove(failure.by.failures, failure);
  }

  /** The last run decides: a command that worked once and broke again counts as broken. */
  #settle(ran: readonly (readonly string[])[], ending: Failure['ending']): void {
    for (const failure of this.#open)
      if (ran.some((words) => isSameCommand(words, failure.words))) failure.ending = ending;
  }

  #commit(command: string, output: string, by: Runs): void {
    for (const made of commitsIn(command, output)) {
      if (this.#commits >= maxCommits) by.commits.shift();
      else this.#commits += 1;
      by.commits.push({ ...made, files: this.#uncommitted.size });
      this.#uncommitted.clear();
    }
  }
}

const countRun = (command: string, error: string | undefined, by: Runs): void => {
  const kind = kindOfCommand(command);
  if (kind === 'looks') return;
  by.lastRun = { command: clip(shownCommand(command), 120), error: error ?? '', hasFailed: error !== undefined };
  if (kind !== 'tries') return;
  by.lastCheck = by.lastRun;
  by.untried.length = 0;
};

/** False for prose, data and images, which no command tests. */
const isCode = (path: string): boolean =>
  !/\.(?:md|mdx|markdown|txt|rst|adoc|org|csv|svg|png|jpe?g|gif|pdf)$|(?:^|\/)(?:LICENSE|\.gitignore|\.env\.example)$/i.test(
    path,
  );

export const remove = <T>(list: T[], one: T): void => {
  const at = list.indexOf(one);
  if (at !== -1) list.splice(at, 1);
};
