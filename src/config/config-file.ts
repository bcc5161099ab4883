/** Edits config.json and preserves the keys that it does not know. */
import { join } from 'node:path';
import type { Refusal } from '../commands/refusals.js';
import { openObject, readKey, refuseEdit } from '../files/edited.js';
import { removeValue, setValue } from '../files/json-edit.js';
import type { JsonText } from '../files/json-text.js';
import { isRefusal, readFileState, replaceFile, textOf } from '../files/settings-file.js';
import { type ConfigName, trustedProjectsKey } from './config-keys.js';
import { type ConfigValue, mask } from './config-values.js';
import type { TrustedProjects } from './project.js';
import { readConfigFile, trustedOf } from './settings.js';

/** An undefined value removes the key. */
export type ConfigChange = { readonly key: ConfigName; readonly value: ConfigValue | undefined };

export type ConfigPlan = {
  readonly file: string;
  readonly exists: boolean;
  /** Only the changes that make a difference. */
  readonly changes: readonly ConfigChange[];
  /** The same changes with secrets masked; null for a removed key. */
  readonly shown: readonly { readonly key: ConfigName; readonly value: ConfigValue | null }[];
};

export const configFile = (home: string): string => join(home, 'config.json');

/** Returns the changes that config.json doesn't have yet, or a refusal when it can't be read. */
export const planConfig = (home: string, changes: readonly ConfigChange[]): ConfigPlan | Refusal => {
  const file = configFile(home);
  const read = readConfigText(file);
  if (isRefusal(read)) return read;
  const { value } = read.document;
  const pending = changes.filter(
    (change) => JSON.stringify(readKey(value, change.key)) !== JSON.stringify(change.value),
  );
  const shown = pending.map((change) => ({ key: change.key, value: mask(change.key, change.value ?? null) }));
  return { file, exists: read.state.bytes !== undefined, changes: pending, shown };
};

/** Returns what was changed. Refuses if another program writes the file meanwhile. Throws Fault 'not-writable'. */
export const writeConfig = (home: string, changes: readonly ConfigChange[]): ConfigPlan | Refusal => {
  const plan = planConfig(home, changes);
  if (isRefusal(plan)) return plan;
  const refusal = editConfigFile(home, (document) =>
    plan.changes.reduce(
      (text, { key, value }) => (value === undefined ? removeValue(text, [key]) : setValue(text, [key], value)),
      document,
    ),
  );
  return refusal ?? plan;
};

export const writeTrusted = (
  home: string,
  change: (trusted: TrustedProjects) => TrustedProjects,
): Refusal | undefined =>
  editConfigFile(home, (document) => {
    const trusted = change(trustedOf(readConfigFile(home)));
    return Object.keys(trusted).length === 0
      ? removeValue(document, [trustedProjectsKey])
      : setValue(document, [trustedProjectsKey], trusted);
  });

/** Edits and replaces the file; writes nothing if nothing changes. */
const editConfigFile = (home: string, edit: (document: JsonText) => JsonText): Refusal | undefined => {
  const file = configFile(home);
  const read = readConfigText(file);
  if (isRefusal(read)) return read;
  const edited = edit(read.document);
  // The file may contain a key, so only its owner may read it.
  if (edited.text === read.document.text) return undefined;
  if (replaceFile(read.state, Buffer.from(read.close(edited)), { mode: 0o600 })) return undefined;
  return {
    code: 'file-changed',
    message: `${file} changed while we tried to write it; it was left alone`,
    next: 'repeat the command',
  };
};

const readConfigText = (file: string) => {
  const state = readFileState(file);
  if (isRefusal(state)) return state;
  const read = textOf(state);
  if (isRefusal(read)) return read;
  const opened = openObject(read.text, 'json');
  return opened.ok ? { state, ...opened } : refuseEdit(file, opened.problem);
};
