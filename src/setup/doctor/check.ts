/** A check of `anamnesis doctor`: a row with what it needs, what it looks at and what it says about that. */
import { statSync } from 'node:fs';
import type { Config, Settings } from '../../config/settings.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { type JournalName, journalNames } from '../../events/note/note.js';
import type { Memory } from '../../store/memory.js';
import type { Surroundings } from '../surroundings.js';

export type CheckState = 'ok' | 'warning' | 'problem';

/** The repair of a finding. Carried out only after its plan has been shown. */
export type Fix = {
  /** One line, imperative; fixes with the same plan are carried out once. */
  readonly plan: string;
  /** Resolves with what was done; throws whatever stopped it. */
  readonly carryOut: () => Promise<string>;
};

export type Finding = {
  /** Name of the check: `git`, `index`, `hooks of claude-code`. */
  readonly check: string;
  readonly state: CheckState;
  readonly message: string;
  /** The next step for a person. */
  readonly next?: string | undefined;
  readonly fix?: Fix | undefined;
  /** The store itself is damaged: exit code 3. */
  readonly damage?: boolean | undefined;
};

/** A finding of the check that makes it, unless it names another. */
export type Remark = Omit<Finding, 'check'> & { readonly check?: string };

/** Everything that depends on the machine and the moment. */
export type DoctorSurroundings = {
  readonly environment: NodeJS.ProcessEnv;
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
  /** Id of the user; undefined on Windows. */
  readonly uid: number | undefined;
  /** The running Node and the script it runs: a registration should name these. */
  readonly execPath: string;
  readonly scriptPath: string;
  readonly nowMs: () => number;
};

/** Input of every check. Reading it creates nothing and changes nothing. */
export type CheckInput = DoctorSurroundings & {
  /** Folder of the store, which may not exist. */
  readonly home: string;
  readonly claudeHome: string;
  readonly machine: string;
  readonly journals: Readonly<Record<JournalName, GitJournal>>;
  /** Both are undefined if config.json can't be read: the config check reports that. */
  readonly settings: Settings | undefined;
  readonly config: Config | undefined;
  /** Why SQLite does not load; undefined if it does. */
  readonly sqliteProblem: { readonly message: string; readonly next: string } | undefined;
  /** Version of git, such as `2.39.5`; undefined if it could not be started. */
  readonly gitVersion: string | undefined;
  /** False if git is missing or too old. */
  readonly gitWorks: boolean;
  /** For fixes only: opens the store as a writing command does, and closes it afterwards. */
  readonly withMemory: <Answer>(run: (memory: Memory) => Promise<Answer>) => Promise<Answer>;
};

export const surroundingsOf = (examined: CheckInput): Surroundings => ({ ...examined, home: examined.userHome });

/** What must be there before a check can look. */
export const needs = {
  sqlite: ({ sqliteProblem }: CheckInput): boolean => sqliteProblem === undefined,
  git: ({ gitWorks }: CheckInput): boolean => gitWorks,
  /** False if the path is something other than a folder. */
  store: ({ home }: CheckInput): boolean => statSync(home, { throwIfNoEntry: false })?.isDirectory() === true,
  journals: (examined: CheckInput): boolean => existingJournals(examined).length > 0,
} as const;

/** A sentence if all is well, what is wrong, or nothing if there is nothing to check. */
export type Verdict = string | readonly Remark[] | undefined;

export type Check = {
  readonly name: string;
  /** Without these there is nothing to check; another check reports that they are missing. */
  readonly needs?: readonly (keyof typeof needs)[];
  /** An error that it throws becomes a finding. */
  readonly look: (examined: CheckInput) => Promise<Verdict> | Verdict;
};

type More = Pick<Remark, 'check' | 'fix' | 'damage'>;

export const warning = (message: string, next: string, more: More = {}): Remark => ({
  state: 'warning',
  message,
  next,
  ...more,
});
export const problem = (message: string, next: string, more: More = {}): Remark => ({
  state: 'problem',
  message,
  next,
  ...more,
});

export const verdictOf = (remarks: readonly (Remark | false | undefined)[], fine: string | undefined): Verdict => {
  const wrong = remarks.filter((remark) => remark !== undefined && remark !== false);
  return wrong.length > 0 ? wrong : fine;
};

export const existingJournals = ({ journals }: CheckInput): readonly GitJournal[] =>
  journalNames.map((name) => journals[name]).filter((journal) => journal.exists());

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** `1 item`, `3 items`. */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** The first few names and the number of others, on one line. */
export const nameSome = (names: readonly string[], most = 3): string =>
  names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;

/** `12 minutes`, `3 hours`, `5 days`. */
export const spanOf = (ms: number): string => {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 90) return countOf(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? countOf(hours, 'hour') : countOf(Math.round(hours / 24), 'day');
};
