/** The hooks that init registers, as each client writes them. Pure. */
import { type HookEvent, hookEvents } from '../agents/hooks/payload.js';
import { type HookEntry, marker } from './hooks-edit.js';
import { quoteForShell } from './shell-word.js';
import { defaultServerName, type Surroundings } from './surroundings.js';

/**
 * Seconds that a client waits for a hook. SessionEnd's raises the 1.5 s that its hooks share by default; the two
 * compaction hooks capture the session, which may call a model.
 */
const timeouts: Readonly<Record<HookEvent, number>> = {
  SessionStart: 10,
  UserPromptSubmit: 10,
  Stop: 10,
  PreCompact: 60,
  PostCompact: 60,
  SessionEnd: 10,
  SubagentStart: 10,
  SubagentStop: 10,
  PermissionRequest: 5,
};

const codexEvents: readonly HookEvent[] = [
  'SessionStart',
  'UserPromptSubmit',
  'Stop',
  'PreCompact',
  'PostCompact',
  'PermissionRequest',
];

/** `homeArgs` is `--home DIR` unless the store is the default one: a handler has no environment of its own. */
export type HookOptions = { readonly name: string; readonly homeArgs: readonly string[] };

/** Runs without a shell, whose quoting differs by platform and whose PATH may lack Node. */
export const claudeHooks = (
  { execPath, scriptPath }: Surroundings,
  { name, homeArgs }: HookOptions,
): readonly HookEntry[] =>
  hookEvents.map((event) =>
    entry(event, name, {
      type: 'command',
      command: execPath,
      args: [scriptPath, 'hook', event, ...homeArgs, ...serverArgs(name)],
      timeout: timeouts[event],
    }),
  );

/** Codex accepts only a command line, which it passes to the platform's shell. */
export const codexHooks = (
  { execPath, scriptPath, platform }: Surroundings,
  { name, homeArgs }: HookOptions,
): readonly HookEntry[] =>
  codexEvents.map((event) => {
    const words = [execPath, scriptPath, 'hook', event, ...homeArgs, ...serverArgs(name), '--client', 'codex'];
    const command = platform === 'win32' ? quoteForWindows(words) : words.map(quoteForShell).join(' ');
    return entry(event, name, { type: 'command', command, timeout: timeouts[event] });
  });

const entry = (event: HookEvent, name: string, handler: Readonly<Record<string, unknown>>): HookEntry => ({
  event,
  group: {
    ...(event === 'PermissionRequest' ? { matcher: `mcp__${name}__.*` } : {}),
    hooks: [{ ...handler, ...marker }],
    ...marker,
  },
});

const serverArgs = (name: string): readonly string[] => (name === defaultServerName ? [] : ['--server', name]);

/** `cmd /c call` works the same in cmd and in PowerShell; without `call`, cmd drops quotes when there are several. */
const quoteForWindows = (words: readonly string[]): string =>
  `cmd /c call ${words.map((word) => (/^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word}"`)).join(' ')}`;
