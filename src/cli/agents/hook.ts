/** anamnesis hook EVENT, which agents call. By hand, because a session waits; always exits with 0, without messages. */
import { join } from 'node:path';
import type { HookContext } from '../../agents/hooks/hook-context.js';
import { HookInput, isHookEvent } from '../../agents/hooks/payload.js';
import { runHook } from '../../agents/hooks/run-hook.js';
import { startWorker } from '../../agents/hooks/start-worker.js';
import { homeOf, readConfig, readSettings, userHome } from '../../config/settings.js';
import { hooksAreRegistered } from '../../setup/registered.js';
import { openLog } from '../../store/log.js';
import { isTerminal, printWhole } from '../output.js';

type HookArguments = {
  readonly event: string;
  readonly client: string;
  readonly server: string;
  /** Called by the plugin, which does nothing if `init` registered the same hooks. */
  readonly plugin: boolean;
};

/** Returns false if the help, or an error for a person, should be printed instead. */
export const runHookCommand = async (args: readonly string[]): Promise<boolean> => {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) return false;
  const home = findHome();
  if (home === undefined) return true;
  const log = openLog(join(home, 'logs'));
  try {
    const { event, client, server, plugin } = readArguments(args);
    if (!isHookEvent(event)) {
      // A person gets an error; an agent, maybe a newer one, must not stop because of it.
      if (isTerminal('stdin')) return false;
      log(`hook ${event}: not an event that anamnesis knows`);
      return true;
    }
    if (plugin && hooksAreRegistered(home)) return true;
    const context: HookContext = {
      settings: readSettings(process.env),
      config: readConfig(home, process.env),
      userHome: userHome(),
      nowMs: Date.now,
      log,
      startWorker: () => startWorker(home, log),
      client,
      server,
    };
    printWhole(await runHook(event, isTerminal('stdin') ? '{}' : await readInput(), context));
  } catch (error) {
    const { maskText } = await import('../../events/note/mask-text.js');
    log(maskText(`hook ${args[0]} failed: ${error instanceof Error ? error.message : String(error)}`));
  }
  return true;
};

const findHome = (): string | undefined => {
  try {
    return homeOf(process.env);
  } catch {
    // Without a home folder there is no log either.
    return undefined;
  }
};

/** Reads standard input to the end of its JSON object, or until nothing has come for `silenceMs`. */
const readInput = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const input = new HookInput();
    const finish = (): void => {
      clearTimeout(timer);
      process.stdin.pause();
      resolve(input.text);
    };
    const timer = setTimeout(finish, silenceMs);
    process.stdin
      .on('data', (chunk: Buffer) => {
        timer.refresh();
        if (input.add(chunk)) finish();
      })
      .on('end', finish)
      .on('error', reject);
  });

/** Measured from the last byte, because a slow pipe may need longer for all of them. */
const silenceMs = 2_000;

/** Ignores options of a newer version: an agent must not stop because of one. */
const readArguments = (args: readonly string[]): HookArguments => {
  const valueAfter = (name: string): string | undefined => {
    const at = args.indexOf(name);
    return at === -1 ? undefined : args[at + 1];
  };
  return {
    event: args[0] ?? '',
    client: valueAfter('--client') ?? 'claude-code',
    server: valueAfter('--server') ?? 'anamnesis',
    plugin: args.includes('--plugin'),
  };
};
