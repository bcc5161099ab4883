/** anamnesis doctor: checks the setup and the store, and repairs them. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CheckState, DoctorSurroundings, Fix } from '../../setup/doctor/check.js';
import type { Diagnosis, FixOutcome } from '../../setup/doctor/examine.js';
import type { JsonOption } from '../answer.js';
import { exitCodes, needTerminal, wrongUsage } from '../errors.js';
import { subcommand } from '../options.js';
import { ask, cleanLine, counted, ink, print, printJson, type Style } from '../output.js';
import { terminalWidth } from '../table.js';
import { wrapWords } from '../wrap.js';

type DoctorOptions = JsonOption & { readonly fix?: true; readonly yes?: true; readonly home?: string };

export const doctorCommand = (): Command =>
  subcommand('doctor', 'Check that agents can reach the notes and that the store is intact', [
    'doctor',
    'doctor --fix',
    'doctor --fix --yes --json',
  ])
    .option('--fix', 'repair whatever can be repaired; shows the plan and asks first')
    .option('-y, --yes', 'repair without asking')
    .option('--home <folder>', 'folder of the store')
    .action(async ({ fix, yes, json, home }: DoctorOptions) => {
      if (yes === true && fix !== true) throw wrongUsage('--yes does nothing by itself', 'add --fix');
      const surroundings = await readDoctorSurroundings(home);
      const { diagnose, planFixes, carryOut } = await import('../../setup/doctor/examine.js');
      const first = await diagnose(surroundings);
      const fixes = fix === true ? planFixes(first.findings) : [];
      if (fixes.length === 0) {
        conclude(first, [], json);
        return;
      }
      if (json !== true) {
        if (yes !== true) print(`${formatFindings(first)}\n`);
        print(formatPlan(fixes));
      }
      if (yes !== true && !(await isAgreed())) {
        print('nothing was changed\n');
        process.exitCode = exitCodeOf(first, []);
        return;
      }
      const mended = await carryOut(fixes);
      conclude(await diagnose(surroundings), mended, json);
    });

const readDoctorSurroundings = async (storeHome: string | undefined): Promise<DoctorSurroundings> => {
  const { readSurroundings } = await import('../../setup/machine.js');
  const { home, ...surroundings } = readSurroundings(process.argv[1] ?? '');
  const environment =
    storeHome === undefined
      ? surroundings.environment
      : { ...surroundings.environment, ANAMNESIS_HOME: resolve(storeHome) };
  return { ...surroundings, environment, userHome: home, uid: process.getuid?.(), nowMs: Date.now };
};

/** Throws if there is no terminal to ask on. */
const isAgreed = async (): Promise<boolean> => {
  needTerminal('doctor --fix', 'run: anamnesis doctor --fix --yes');
  return /^\s*y(?:es)?\s*$/i.test(await ask('Do this? [y/N]'));
};

const conclude = (diagnosis: Diagnosis, mended: readonly FixOutcome[], json: true | undefined): void => {
  process.exitCode = exitCodeOf(diagnosis, mended);
  const { ok, damaged, findings } = diagnosis;
  if (json === true) {
    const checks = findings.map(({ check, state, message, next, fix }) => ({
      check,
      state,
      message,
      next,
      fix: fix?.plan,
    }));
    printJson({ ok, damaged, checks, ...(mended.length === 0 ? {} : { fixed: mended }) });
    return;
  }
  printMended(mended);
  print(formatFindings(diagnosis));
};

const exitCodeOf = ({ ok, damaged }: Diagnosis, mended: readonly FixOutcome[]): number => {
  if (damaged) return exitCodes.damaged;
  return ok && mended.every(({ done }) => done) ? exitCodes.done : exitCodes.refused;
};

const formatPlan = (fixes: readonly Fix[]): string =>
  `${ink('bold', 'Plan:')}\n${fixes.map(({ plan }) => `  ${cleanLine(plan)}\n`).join('')}`;

const printMended = (mended: readonly FixOutcome[]): void => {
  if (mended.length > 0) print('\n');
  for (const { fix, done, message } of mended) {
    const mark = done ? ink('green', 'done') : ink('red', 'not done');
    print(`${mark} ${cleanLine(fix)}: ${cleanLine(message)}\n`);
  }
  if (mended.length > 0) print('\n');
};

const marks: Readonly<Record<CheckState, readonly [string, Style]>> = {
  ok: ['✓', 'green'],
  warning: ['!', 'yellow'],
  problem: ['✗', 'red'],
};

/** Formats one line per finding, with the next step below if something is wrong. */
const formatFindings = ({ findings }: Diagnosis): string => {
  const width = Math.max(0, ...findings.map(({ check }) => check.length));
  const room = Math.max(20, terminalWidth() - width - 4);
  const lines = findings.flatMap(({ check, state, message, next }) => {
    const [mark, style] = marks[state];
    const [first = '', ...rest] = wrapWords(cleanLine(message), room);
    const below = next === undefined ? [] : wrapWords(cleanLine(next), room).map((line) => ink('dim', line));
    return [
      `${ink(style, mark)} ${check.padEnd(width)}  ${first}`,
      ...[...rest, ...below].map((line) => `${' '.repeat(width + 4)}${line}`),
    ];
  });
  return `${[...lines, summarise(findings)].join('\n')}\n`;
};

const summarise = (findings: Diagnosis['findings']): string => {
  const countIn = (wanted: CheckState): number => findings.filter(({ state }) => state === wanted).length;
  const [problems, warnings] = [countIn('problem'), countIn('warning')];
  if (problems + warnings === 0) return ink('green', 'all is well');
  const fixes = new Set(findings.flatMap(({ fix }) => fix?.plan ?? [])).size;
  const found = [
    ...(problems > 0 ? [ink('red', counted(problems, 'problem'))] : []),
    ...(warnings > 0 ? [ink('yellow', counted(warnings, 'warning'))] : []),
  ].join(', ');
  return fixes === 0 ? found : `${found}; anamnesis doctor --fix can repair ${fixes}`;
};
