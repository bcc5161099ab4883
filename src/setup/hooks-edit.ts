/** Our entries in a client's hooks: `{"hooks": {"<event>": [{matcher?, hooks: [handler]}]}}`. Pure. */

import { isDeepStrictEqual } from 'node:util';
import { type EditResult, isObject, openObject, readKey } from '../files/edited.js';
import { appendValue, removeValue } from '../files/json-edit.js';
import type { JsonText } from '../files/json-text.js';
import { commandLineOf } from './server-edit.js';

/** A group of one handler, both marked as ours. */
export type HookEntry = { readonly event: string; readonly group: Readonly<Record<string, unknown>> };

/**
 * Clients ignore keys that they do not know, so this one tells our entries from all others. Claude Code drops it
 * whenever it saves its settings, for example to enable a plugin, because it does not write unknown keys.
 */
export const marker = { _managed_by: 'anamnesis' } as const;

/** Recognises our handlers by the mark, or by a script that init has registered. */
export const isOurHook = (handler: unknown, scripts: readonly string[]): boolean => {
  const [, script, verb] = commandLineOf(handler);
  return isMarked(handler) || (verb === 'hook' && scripts.some((one) => one !== '' && one === script));
};

/** Also removes our entries for other events and those in another form. */
export const addHooks = (
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
  for (const event of new Set([...Object.keys(before), ...wanted.map((entry) => entry.event)])) {
    const group = wanted.find((entry) => entry.event === event)?.group;
    const ours = listOf(before[event]).filter(holdsOurs);
    if (group === undefined ? ours.length === 0 : ours.length === 1 && isDeepStrictEqual(ours[0], group)) continue;
    removed.push(...ours.map((one) => describe(event, one)));
    document = removeOurs(document, event, group !== undefined, scripts);
    if (group === undefined) continue;
    added.push(describe(event, group));
    document = appendValue(document, ['hooks', event], group);
  }
  const hadOurs = Object.values(before).some((groups) => listOf(groups).some(holdsOurs));
  const edit = { text: opened.close(document), added, removed, hadOurs };
  return { ok: true, edit };
};

/** `original` is the file's text before our first entry, if known: a key that it had is kept even when empty. */
export const removeHooks = (
  text: string,
  original: string | undefined,
  scripts: readonly string[] = [],
): EditResult => {
  const holdsOurs = ownedBy(scripts);
  const opened = openObject(text, 'json');
  if (!opened.ok) return opened;
  const kept = original === undefined ? undefined : openObject(original, 'json');
  const keptHooks = kept?.ok === true ? readKey(kept.document.value, 'hooks') : undefined;
  const before = eventsOf(opened.document.value);
  let document = opened.document;
  const removed: string[] = [];
  for (const [event, groups] of Object.entries(before)) {
    const ours = listOf(groups).filter(holdsOurs);
    if (ours.length === 0) continue;
    removed.push(...ours.map((one) => describe(event, one)));
    document = removeOurs(document, event, readKey(keptHooks, event) !== undefined, scripts);
  }
  const isEmpty = removed.length > 0 && Object.keys(eventsOf(document.value)).length === 0;
  if (isEmpty && keptHooks === undefined) document = removeValue(document, ['hooks']);
  const edit = { text: opened.close(document), added: [], removed, hadOurs: removed.length > 0 };
  return { ok: true, edit };
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
  if (hooks === undefined) return undefined;
  if (!isObject(hooks)) return '"hooks" is not an object';
  const wrong = wanted.find(({ event }) => readKey(hooks, event) !== undefined && !Array.isArray(hooks[event]));
  return wrong === undefined ? undefined : `"hooks.${wrong.event}" is not a list`;
};

const describe = (event: string, group: unknown): string => `hooks.${event}[]: ${JSON.stringify(group)}`;
