/** The hooks that init registers, as each client writes them. Pure. */
import { type HookEvent, hookEvents } from '../agents/hooks/payload.js';
import { type HookEntry, marker } from './hooks-edit.js';
import { quoteForShell } from './shell-word.js';
import { defaultServerName, type Surroundings } from './surroundings.js';

/**
 * Seconds that a client waits. SessionEnd's raises the 1.5 s that all hooks share there; the two of compaction capture
 * the session, which may ask a model.
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

/** `homeArgs` is `--home DIR` where the store is not the default one: a handler has no environment of its own. */
export type HookOptions = { readonly name: string; readonly homeArgs: readonly string[] };

/** Run without a shell: its quoting differs by platform, and it need not know Node. */
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

/** Codex knows only a command line, which it gives to the platform's shell. */
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

/** `cmd /c call` reads the same in cmd and in PowerShell; without `call`, cmd drops quotes when there are several. */
const quoteForWindows = (words: readonly string[]): string =>
  `cmd /c call ${words.map((word) => (/^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word}"`)).join(' ')}`;
