/** Restores the settings of a backup into a store: a file from elsewhere must not decide where notes go. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type ConfigKey, configKeys, isConfigName } from '../../config/config-keys.js';
import { syncFolder } from '../../events/git/git-files.js';
import { hideCredentials } from '../../events/git/remote/remote-address.js';
import { redact } from '../../events/note/redact.js';
import { isObject } from '../../files/edited.js';

type SettingsObject = Readonly<Record<string, unknown>>;

export type RestoredSettings = {
  /** 'kept': a config.json with other settings existed and was left alone. 'none': there were none to restore. */
  readonly config: 'restored' | 'same' | 'kept' | 'none';
  /** Settings of the backup that were not restored because `withSettings` was not given. */
  readonly not_taken: readonly SettingNotTaken[];
};

/** For a person to read: ASCII, without secrets, truncated. */
export type SettingNotTaken = { readonly key: string; readonly value: string };

/** Never overwrites settings, except those that the same backup restored without `withSettings`. */
export const putSettings = (
  home: string,
  bytes: Buffer | undefined,
  folder: string,
  withSettings: boolean,
): RestoredSettings => {
  const all = bytes === undefined ? undefined : parseSettings(bytes);
  if (bytes === undefined || all === undefined) return { config: 'none', not_taken: [] };
  const plain = Object.fromEntries(Object.entries(all).filter(([key]) => !isGuarded(key)));
  const path = join(home, 'config.json');
  const there = existsSync(path) ? parseSettings(readFileSync(path)) : undefined;
  const notTaken = (now: SettingsObject): RestoredSettings['not_taken'] =>
    Object.entries(all)
      .filter(([key, value]) => isGuarded(key) && !isDeepStrictEqual(now[key], value))
      .map(([key, value]) => ({ key: showText(key), value: showValue(key, value) }));
  if (existsSync(path)) {
    if (isDeepStrictEqual(there, all)) return { config: 'same', not_taken: [] };
    if (!isDeepStrictEqual(there, plain)) return { config: 'kept', not_taken: [] };
    if (!withSettings) return { config: 'same', not_taken: notTaken(plain) };
  }
  const taken = withSettings ? all : plain;
  if (Object.keys(all).length > 0 && Object.keys(taken).length === 0)
    return { config: 'none', not_taken: notTaken({}) };
  const isWhole = isDeepStrictEqual(taken, all);
  const written = join(folder, 'config.json');
  writeFileSync(written, isWhole ? bytes : `${JSON.stringify(taken, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(written, path);
  syncFolder(home);
  return { config: 'restored', not_taken: notTaken(taken) };
};

/** A key that this version does not know may be a guarded one in the next. */
const isGuarded = (name: string): boolean => {
  if (!isConfigName(name)) return true;
  const { guarded }: ConfigKey = configKeys[name];
  return guarded === true;
};

const showValue = (key: string, value: unknown): string =>
  isConfigName(key) && configKeys[key].kind === 'secret'
    ? '(a secret)'
    : showText(hideCredentials(redact(JSON.stringify(value)).text));

const showText = (text: string): string => {
  const cut = text.length > maxShownChars ? `${text.slice(0, maxShownChars)}...` : text;
  return cut.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
};

const maxShownChars = 200;

/** Returns undefined if the bytes are not a JSON object. */
export const parseSettings = (bytes: Buffer): SettingsObject | undefined => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
