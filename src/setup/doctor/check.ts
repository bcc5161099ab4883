/** Input and result of a check of `anamnesis doctor`. */

import type { Config } from '../../config/settings.js';
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
  /** Undefined if config.json can't be read. */
  readonly config: Config | undefined;
  /** Why SQLite does not load; undefined if it does. Without it, checks that need a database are skipped. */
  readonly sqliteProblem: { readonly message: string; readonly next: string } | undefined;
  /** Version of git, such as `2.39.5`; undefined if it could not be started. */
  readonly gitVersion: string | undefined;
  /** False if git is missing or too old; checks that need git are then skipped. */
  readonly gitWorks: boolean;
  /** For fixes only: opens the store as a writing command does, and closes it afterwards. */
  readonly withMemory: <Answer>(run: (memory: Memory) => Promise<Answer>) => Promise<Answer>;
};

export const surroundingsOf = (examined: CheckInput): Surroundings => ({ ...examined, home: examined.userHome });

/** `look` returns no findings if there is nothing to check. An error that it throws becomes a finding. */
export type Check = {
  readonly name: string;
  readonly look: (examined: CheckInput) => Promise<readonly Finding[]> | readonly Finding[];
};

export type More = Pick<Finding, 'next' | 'fix' | 'damage'>;

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });
export const warning = (check: string, message: string, more: More): Finding => ({
  check,
  state: 'warning',
  message,
  ...more,
});
export const problem = (check: string, message: string, more: More): Finding => ({
  check,
  state: 'problem',
  message,
  ...more,
});

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
