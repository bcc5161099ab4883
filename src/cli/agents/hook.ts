/**
 * anamnesis hook EVENT, which agents call. Parsed by hand like `inject` and `search`, because a session waits for it;
 * always exits with 0 and prints no messages of its own.
 */
import { readSync } from 'node:fs';
import { join } from 'node:path';
import type { HookContext } from '../../agents/hooks/hook-context.js';
import { isHookEvent } from '../../agents/hooks/payload.js';
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
    printWhole(await runHook(event, isTerminal('stdin') ? '{}' : readInput(), context));
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

/** More than any client sends; a longer payload is read to its end, so that the client can finish, and dropped. */
const maxInputBytes = 32 * 1024 * 1024;

const readInput = (): string => {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const read = readChunk(chunk);
    if (read === 0) break;
    if (length <= maxInputBytes) chunks.push(chunk.subarray(0, read));
    length += read;
  }
  return length > maxInputBytes ? '' : Buffer.concat(chunks).toString('utf8');
};

/** Returns 0 at the end. Some systems report the end of a pipe as an error, and others an empty non-blocking pipe. */
const readChunk = (chunk: Buffer): number => {
  for (;;) {
    try {
      return readSync(0, chunk, 0, chunk.length, null);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
};

const pause = new Int32Array(new SharedArrayBuffer(4));

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
