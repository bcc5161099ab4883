/** `anamnesis doctor`: runs the checks, sums up their findings, and repairs what can be repaired. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../agents/providers/run-program.js';
import { homeOf, readConfig, readSettings } from '../../config/settings.js';
import { openGitJournal } from '../../events/git/git-journal.js';
import { isTooOld } from '../../events/git/git-version.js';
import { journalFolder } from '../../events/note/note.js';
import { faultOf } from '../../state/environment-probe.js';
import { Memory } from '../../store/memory.js';
import { claudeFolder } from '../clients.js';
import { startFolder } from '../machine.js';
import { captureCheck, modelsCheck, spoolCheck, workerCheck } from './agents.js';
import {
  type Check,
  type CheckInput,
  type DoctorSurroundings,
  type Finding,
  type Fix,
  messageOf,
  needs,
  problem,
} from './check.js';
import { claudeSettingsCheck } from './claude-settings.js';
import { agentStateCheck, indexCheck, purgeCheck, stateCheck } from './databases.js';
import { diskCheck, gitCheck, sqliteCheck, trySqlite } from './environment.js';
import { folderCheck, modesCheck } from './folder.js';
import { handEditsCheck } from './hand-edits.js';
import { journalsCheck, notesCheck, objectsCheck } from './journals.js';
import { registrationCheck } from './registration.js';
import { remoteCheck } from './remote.js';
import { configCheck, projectCheck, searchModelCheck } from './settings.js';

/** All checks, in the order in which they are printed and repaired: prerequisites come first. */
const checks: readonly Check[] = [
  ...[sqliteCheck, gitCheck, diskCheck, folderCheck, modesCheck, configCheck],
  ...[journalsCheck, objectsCheck, notesCheck, stateCheck, handEditsCheck, purgeCheck, indexCheck],
  ...[searchModelCheck, remoteCheck, registrationCheck, claudeSettingsCheck, agentStateCheck],
  ...[spoolCheck, workerCheck, captureCheck, modelsCheck, projectCheck],
];

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
  const of = { check: check.name };
  if (check.needs?.every((need) => needs[need](examined)) === false) return [];
  try {
    const verdict = (await check.look(examined)) ?? [];
    if (typeof verdict === 'string') return [{ ...of, state: 'ok', message: verdict }];
    return verdict.map((remark) => ({ ...of, ...remark }));
  } catch (error) {
    const fault = faultOf(error, examined.home);
    if (fault !== undefined) {
      const damage = fault.code === 'store-damaged' || fault.code === 'journal-damaged';
      return [{ ...of, ...problem(fault.message, fault.next, { damage }) }];
    }
    const [line = ''] = messageOf(error).trim().split('\n');
    return [{ ...of, ...problem(`could not be checked: ${line}`, 'fix what the other checks report first') }];
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
  const configured = attempt(() => ({ settings: readSettings(located), config: readConfig(home, located) }));
  const silent = (): undefined => undefined;
  const gitVersion = await readGitVersion(surroundings);
  return {
    ...surroundings,
    home,
    claudeHome: claudeFolder({ ...surroundings, home: userHome }),
    machine: configured?.settings.machine ?? hostname(),
    settings: configured?.settings,
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
      const memory = new Memory(readSettings(located));
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

export type FixOutcome = { readonly fix: string; readonly done: boolean; readonly message: string };

/** Returns the fixes of these findings, each plan once, in the order of the checks. */
export const planFixes = (findings: readonly Finding[]): readonly Fix[] => {
  const fixes = findings.flatMap(({ fix }) => fix ?? []);
  return fixes.filter((fix, at) => fixes.findIndex(({ plan }) => plan === fix.plan) === at);
};

/** A fix that fails does not stop the others. */
export const carryOut = async (fixes: readonly Fix[]): Promise<readonly FixOutcome[]> => {
  const mended: FixOutcome[] = [];
  for (const { plan, carryOut: mend } of fixes) {
    try {
      mended.push({ fix: plan, done: true, message: await mend() });
    } catch (error) {
      const [line = ''] = messageOf(error).trim().split('\n');
      mended.push({ fix: plan, done: false, message: line });
    }
  }
  return mended;
};
