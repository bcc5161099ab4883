/** Our hooks in a client's settings: `{"hooks": {"<event>": [{matcher?, hooks: [handler]}]}}`. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { type HookEvent, hookEvents } from '../agents/hooks/payload.js';
import { type EditResult, isObject, openObject, readKey } from '../files/edited.js';
import { appendValue, removeValue } from '../files/json-edit.js';
import type { JsonText } from '../files/json-text.js';
import { type CommandLine, commandLineOf, type Listing } from './server-edit.js';
import { defaultServerName, quoteForShell, type Surroundings } from './surroundings.js';

/** A group of one handler, both marked as ours. */
export type HookEntry = { readonly event: string; readonly group: Readonly<Record<string, unknown>> };

/** `homeArgs` is `--home DIR` unless the store is the default one: a handler has no environment of its own. */
type HookOptions = { readonly name: string; readonly homeArgs: readonly string[] };

/** Seconds a client waits. SessionEnd's raises the default of 1.5 s; the two compaction hooks may call a model. */
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

/** Runs without a shell, whose quoting differs by platform and whose PATH may lack Node. */
export const claudeHooks = (
  { execPath, scriptPath }: Surroundings,
  { name, homeArgs }: HookOptions,
): readonly HookEntry[] =>
  hookEvents.map((event) =>
    entry(event, name, { command: execPath, args: [scriptPath, 'hook', event, ...homeArgs, ...serverArgs(name)] }),
  );

/** Codex accepts only a command line, which it passes to the platform's shell. */
export const codexHooks = (
  { execPath, scriptPath, platform }: Surroundings,
  { name, homeArgs }: HookOptions,
): readonly HookEntry[] =>
  codexEvents.map((event) => {
    const words = [execPath, scriptPath, 'hook', event, ...homeArgs, ...serverArgs(name), '--client', 'codex'];
    return entry(event, name, {
      command: platform === 'win32' ? quoteForWindows(words) : words.map(quoteForShell).join(' '),
    });
  });

const entry = (event: HookEvent, name: string, start: Readonly<Record<string, unknown>>): HookEntry => ({
  event,
  group: {
    ...(event === 'PermissionRequest' ? { matcher: `mcp__${name}__.*` } : {}),
    hooks: [{ type: 'command', ...start, timeout: timeouts[event], ...marker }],
    ...marker,
  },
});

const serverArgs = (name: string): readonly string[] => (name === defaultServerName ? [] : ['--server', name]);

/** `cmd /c call` works the same in cmd and in PowerShell; without `call`, cmd drops quotes when there are several. */
const quoteForWindows = (words: readonly string[]): string =>
  `cmd /c call ${words.map((word) => (/^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word}"`)).join(' ')}`;

/** Tells our entries from others. Claude Code drops it when it saves its settings: it writes no unknown keys. */
const marker = { _managed_by: 'anamnesis' } as const;

/** Recognises our handlers by the mark, or by a script that init has registered. */
const isOurHook = (handler: unknown, scripts: readonly string[]): boolean => {
  const [, script, verb] = commandLineOf(handler);
  return isMarked(handler) || (verb === 'hook' && scripts.some((one) => one !== '' && one === script));
};

/** Replaces our hooks, whatever their events and form, by those wanted; none removes them. */
export const editHooks = (
  text: string | undefined,
  wanted: readonly HookEntry[],
  scripts: readonly string[] = [],
): EditResult => {
  const holdsOurs = ownedBy(scripts);
  const opened = openObject(text, 'json');
  if (!opened.ok) return opened;
  const shape = problemOf(opened.document.value, wanted);
  if (shape !== undefined) return { ok: false, problem: { kind: 'shape', what: shape } };
  let document = opened.document;
  const added: string[] = [];
  const removed: string[] = [];
  const before = eventsOf(document.value);
  for (const event of new Set([...Object.keys(before), ...wanted.map((one) => one.event)])) {
    const group = wanted.find((one) => one.event === event)?.group;
    const ours = listOf(before[event]).filter(holdsOurs);
    if (group === undefined ? ours.length === 0 : ours.length === 1 && isDeepStrictEqual(ours[0], group)) continue;
    removed.push(...ours.map((one) => describe(event, one)));
    document = removeOurs(document, event, group !== undefined, scripts);
    if (group === undefined) continue;
    added.push(describe(event, group));
    document = appendValue(document, ['hooks', event], group);
  }
  if (removed.length > 0 && Object.keys(eventsOf(document.value)).length === 0) {
    document = removeValue(document, ['hooks']);
  }
  const hadOurs = Object.values(before).some((groups) => listOf(groups).some(holdsOurs));
  return { ok: true, edit: { text: opened.close(document), added, removed, hadOurs } };
};

/** Removes our groups from one event, and the event itself if that empties it and `keepsEvent` is false. */
const removeOurs = (document: JsonText, event: string, keepsEvent: boolean, scripts: readonly string[]): JsonText => {
  const holdsOurs = ownedBy(scripts);
  let edited = document;
  const groups = listOf(eventsOf(document.value)[event]);
  for (let at = groups.length - 1; at >= 0; at -= 1) {
    if (holdsOurs(groups[at])) edited = removeFromGroup(edited, ['hooks', event, at], groups[at], scripts);
  }
  const isEmpty = edited !== document && listOf(eventsOf(edited.value)[event]).length === 0;
  return isEmpty && !keepsEvent ? removeValue(edited, ['hooks', event]) : edited;
};

/** Keeps a group that also has someone else's handler, and removes only ours from it. */
const removeFromGroup = (
  document: JsonText,
  path: readonly (string | number)[],
  group: unknown,
  scripts: readonly string[],
): JsonText => {
  const handlers = listOf(readKey(group, 'hooks'));
  if (handlers.every((handler) => isOurHook(handler, scripts))) return removeValue(document, path);
  let edited = isMarked(group) ? removeValue(document, [...path, '_managed_by']) : document;
  for (let at = handlers.length - 1; at >= 0; at -= 1) {
    if (isOurHook(handlers[at], scripts)) edited = removeValue(edited, [...path, 'hooks', at]);
  }
  return edited;
};

export const listHooks = (text: string | undefined, scripts: readonly string[]): Listing => {
  const opened = openObject(text, 'json');
  if (!opened.ok) return opened;
  const entries = Object.entries(eventsOf(opened.document.value)).flatMap(([event, groups]) =>
    listOf(groups)
      .flatMap((group) => listOf(readKey(group, 'hooks')))
      .filter((handler) => isOurHook(handler, scripts))
      .map((handler) => ({ event, line: lineOf(handler) })),
  );
  return { ok: true, entries };
};

/** A handler without `args` is a shell command line. */
const lineOf = (handler: unknown): CommandLine =>
  Array.isArray(readKey(handler, 'args'))
    ? commandLineOf(handler).map(String)
    : String(readKey(handler, 'command') ?? '');

const isMarked = (value: unknown): boolean => readKey(value, '_managed_by') === marker._managed_by;

const ownedBy =
  (scripts: readonly string[]) =>
  (group: unknown): boolean =>
    isMarked(group) || listOf(readKey(group, 'hooks')).some((handler) => isOurHook(handler, scripts));

const eventsOf = (value: unknown): Readonly<Record<string, unknown>> => {
  const hooks = readKey(value, 'hooks');
  return isObject(hooks) ? hooks : {};
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const problemOf = (value: unknown, wanted: readonly HookEntry[]): string | undefined => {
  const hooks = readKey(value, 'hooks');
  if (hooks === undefined || wanted.length === 0) return undefined;
  if (!isObject(hooks)) return '"hooks" is not an object';
  const wrong = wanted.find(({ event }) => readKey(hooks, event) !== undefined && !Array.isArray(hooks[event]));
  return wrong === undefined ? undefined : `"hooks.${wrong.event}" is not a list`;
};

const describe = (event: string, group: unknown): string => `hooks.${event}[]: ${JSON.stringify(group)}`;
