/** `anamnesis doctor`: runs the checks and sums up their findings. */

import { hostname } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../agents/providers/run-program.js';
import { homeOf, readConfig, readSettings } from '../../config/settings.js';
import { openGitJournal } from '../../events/git/git-journal.js';
import { isTooOld } from '../../events/git/git-version.js';
import { journalFolder } from '../../events/note/note.js';
import { faultOf } from '../../state/environment-probe.js';
import { openMemory } from '../../store/memory.js';
import { claudeFolder } from '../clients.js';
import { startFolder } from '../program.js';
import { type Check, type CheckInput, type DoctorSurroundings, type Finding, messageOf, problem } from './check.js';
import { checks } from './checks.js';
import { trySqlite } from './environment.js';

export type Diagnosis = {
  /** True if no finding is a problem; there may be warnings. */
  readonly ok: boolean;
  /** True if the store itself is damaged. */
  readonly damaged: boolean;
  readonly findings: readonly Finding[];
};

/** Runs the checks `some`, by default all of them, without changing anything. */
export const diagnose = async (
  surroundings: DoctorSurroundings,
  some: readonly Check[] = checks,
): Promise<Diagnosis> => {
  const examined = await examine(surroundings);
  const findings = (await Promise.all(some.map((check) => lookOrSay(check, examined)))).flat();
  const problems = findings.filter(({ state }) => state === 'problem');
  return { ok: problems.length === 0, damaged: problems.some(({ damage }) => damage === true), findings };
};

/** Turns an error that a check throws into a finding, so that the other checks still count. */
const lookOrSay = async (check: Check, examined: CheckInput): Promise<readonly Finding[]> => {
  try {
    return await check.look(examined);
  } catch (error) {
    const fault = faultOf(error, examined.home);
    if (fault !== undefined) {
      const damage = fault.code === 'store-damaged' || fault.code === 'journal-damaged';
      return [problem(check.name, fault.message, { next: fault.next, damage })];
    }
    const [line = ''] = messageOf(error).trim().split('\n');
    const next = 'fix what the other checks report first';
    return [problem(check.name, `could not be checked: ${line}`, { next })];
  }
};

const examine = async (surroundings: DoctorSurroundings): Promise<CheckInput> => {
  const { environment, userHome } = surroundings;
  const home = homeOf({
    ...environment,
    ANAMNESIS_HOME: environment['ANAMNESIS_HOME'] || join(userHome, '.anamnesis'),
  });
  const located = { ...environment, ANAMNESIS_HOME: home };
  // An unreadable config.json has its own finding; the other checks still run.
  const configured = attempt(() => ({ ...readSettings(located), config: readConfig(home, located) }));
  const silent = (): undefined => undefined;
  const gitVersion = await readGitVersion(surroundings);
  return {
    ...surroundings,
    home,
    claudeHome: claudeFolder({ ...surroundings, home: userHome }),
    machine: configured?.machine ?? hostname(),
    config: configured?.config,
    journals: {
      portable: openGitJournal('portable', join(home, journalFolder.portable), silent),
      local: openGitJournal('local', join(home, 'local'), silent),
    },
    sqliteProblem: trySqlite(),
    gitVersion,
    gitWorks: gitVersion !== undefined && !isTooOld(gitVersion),
    async withMemory(run) {
      // Throws if config.json can't be read, so that nothing is written under a wrong machine name.
      const memory = openMemory(readSettings(located));
      try {
        return await run(memory);
      } finally {
        await memory.finish();
      }
    },
  };
};

const attempt = <Answer>(run: () => Answer): Answer | undefined => {
  try {
    return run();
  } catch {
    return undefined;
  }
};

const readGitVersion = async ({ environment, userHome }: DoctorSurroundings): Promise<string | undefined> => {
  const end = await runProgram({
    file: 'git',
    args: ['version'],
    folder: startFolder(userHome),
    environment: Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GIT_'))),
    input: '',
    timeoutMs: 5_000,
    maxBytes: 4_096,
  });
  return end.kind === 'ended' && end.exitCode === 0 ? /(?<!\d)\d+(?:\.\d+)+/.exec(end.stdout)?.[0] : undefined;
};
