/** The entry point; decides how much of the program to load. */
import { guardVariable } from '../agents/providers/guard.js';
import { quickNames } from './quick-names.js';

// Notes are private: files created from here on are for this user only.
process.umask(0o077);

const args = process.argv.slice(2);

/** Runs commands that hooks and agents wait for, without commander; returns false if they need the whole program. */
const tryQuickly = async (): Promise<boolean> => {
  if (args[0] === 'hook') {
    // Ignores hooks of an agent that Anamnesis itself started, which would start the next agent.
    if (process.env[guardVariable] !== undefined) return true;
    const { runHookCommand } = await import('./agents/hook.js');
    return runHookCommand(args.slice(1));
  }
  if (!quickNames.some((name) => name === args[0])) return false;
  const { runQuickly } = await import('./quick.js');
  return runQuickly(args);
};

/** Applies `--home DIR` of commands that clients start: their settings have no place for an environment. */
const applyHome = (): void => {
  if (!startedByClients.has(args[0] ?? '')) return;
  const at = args.findIndex((arg) => arg === '--home' || arg.startsWith(joined));
  const isJoined = args[at]?.startsWith(joined) === true;
  const home = isJoined ? args[at]?.slice(joined.length) : args[at + 1];
  // An empty path stays, for commander to refuse.
  if (at < 1 || home === undefined || home === '') return;
  process.env['ANAMNESIS_HOME'] = home;
  args.splice(at, isJoined ? 1 : 2);
};

const joined = '--home=';
const startedByClients: ReadonlySet<string> = new Set(['hook', 'serve', 'work']);

// The bundle is CommonJS, which starts faster than modules do and has no top-level await.
const main = async (): Promise<void> => {
  applyHome();
  // Everything is written and closed by now. Without this, Node would wait for V8's other threads to finish compiling.
  if (await tryQuickly()) process.exit();
  const { runFully } = await import('./run.js');
  await runFully(args);
};

void main();
