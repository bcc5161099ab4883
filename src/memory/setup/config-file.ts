/** Changes config.json, and leaves in it what it does not know. */
import { join } from 'node:path';
import type { Refusal } from '../../commands/refusals.js';
import { openObject, readKey, refuseEdit } from '../../commands/setup/edited.js';
import { removeValue, setValue } from '../../commands/setup/json-edit.js';
import { isRefusal, readFileState, replaceFile, textOf } from '../../commands/setup/settings-file.js';
import type { ConfigName } from '../config-keys.js';
import { type ConfigValue, mask } from './config-values.js';

/** Undefined takes a key away. */
export type ConfigChange = { readonly key: ConfigName; readonly value: ConfigValue | undefined };

export type ConfigPlan = {
  readonly file: string;
  readonly exists: boolean;
  /** Those that make a difference. */
  readonly changes: readonly ConfigChange[];
  /** The same with secrets masked; null for what is taken away. */
  readonly shown: readonly { readonly key: ConfigName; readonly value: ConfigValue | null }[];
};

export const configFile = (home: string): string => join(home, 'config.json');

/** What of the changes config.json does not say yet. A refusal when it can't be read. */
export const planConfig = (home: string, changes: readonly ConfigChange[]): ConfigPlan | Refusal => {
  const file = configFile(home);
  const read = readConfigText(file);
  if (isRefusal(read)) return read;
  const { value } = read.document;
  const open = changes.filter((change) => JSON.stringify(readKey(value, change.key)) !== JSON.stringify(change.value));
  const shown = open.map((change) => ({ key: change.key, value: mask(change.key, change.value ?? null) }));
  return { file, exists: read.state.bytes !== undefined, changes: open, shown };
};

/** Answers what was changed. Two at once both get theirs in. Throws Fault 'not-writable'. */
export const writeConfig = (home: string, changes: readonly ConfigChange[]): ConfigPlan | Refusal => {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const plan = planConfig(home, changes);
    if (isRefusal(plan) || plan.changes.length === 0) return plan;
    const read = readConfigText(plan.file);
    if (isRefusal(read)) return read;
    const edited = plan.changes.reduce(
      (document, { key, value }) =>
        value === undefined ? removeValue(document, [key]) : setValue(document, [key], value),
      read.document,
    );
    // It may hold a key, so it is nobody else's to read.
    if (replaceFile(read.state, Buffer.from(read.close(edited)), { mode: 0o600 })) return plan;
  }
  return {
    code: 'file-changed',
    message: `${configFile(home)} kept changing while it was to be written; it was left as it is`,
    next: 'repeat the command',
  };
};

const mostAttempts = 5;

const readConfigText = (file: string) => {
  const state = readFileState(file);
  if (isRefusal(state)) return state;
  const read = textOf(state);
  if (isRefusal(read)) return read;
  const opened = openObject(read.text, 'json');
  return opened.ok ? { state, ...opened } : refuseEdit(file, opened.problem);
};
