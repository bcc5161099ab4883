/** Runs what was typed; decides how much of the program to load. */
import { guardVariable } from '../agents/providers/guard.js';
import { quickNames } from './quick-names.js';

/** Returns true if the command is done when this ends: `serve` and others go on. The exit code is the process's. */
export const runCommandLine = async (typed: readonly string[]): Promise<boolean> => {
  const args = withHomeApplied(typed);
  if (await runQuickly(args)) return true;
  const { runFully } = await import('./run.js');
  await runFully(args);
  return false;
};

/** Runs commands that hooks and agents wait for, without commander; returns false if they need the whole program. */
const runQuickly = async (args: readonly string[]): Promise<boolean> => {
  if (args[0] === 'hook') {
    // Ignores hooks of an agent that Anamnesis itself started, which would start the next agent.
    if (process.env[guardVariable] !== undefined) return true;
    return (await import('./agents/hook.js')).runHookCommand(args.slice(1));
  }
  if (!quickNames.some((name) => name === args[0])) return false;
  return (await import('./quick.js')).runQuickly(args);
};

/** Applies `--home DIR` of commands that clients start: their settings have no place for an environment. */
const withHomeApplied = (args: readonly string[]): readonly string[] => {
  if (!startedByClients.has(args[0] ?? '')) return args;
  const at = args.findIndex((arg) => arg === '--home' || arg.startsWith(joined));
  const isJoined = args[at]?.startsWith(joined) === true;
  const home = isJoined ? args[at]?.slice(joined.length) : args[at + 1];
  // An empty path stays, for commander to refuse.
  if (at < 1 || home === undefined || home === '') return args;
  process.env['ANAMNESIS_HOME'] = home;
  return args.toSpliced(at, isJoined ? 1 : 2);
};

const joined = '--home=';
const startedByClients: ReadonlySet<string> = new Set(['hook', 'serve', 'work']);
