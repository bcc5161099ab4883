/** Restores the settings of a backup into a store: a file from elsewhere must not decide where notes go. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RestoreDone } from '../../answers/backup-schema.js';
import { type ConfigKey, configKeys, isConfigName } from '../../config/config-keys.js';
import { syncFolder } from '../../events/git/git-files.js';
import { hideCredentials } from '../../events/git/remote/remote-address.js';
import { redact } from '../../events/note/redact.js';
import { isObject } from '../../files/edited.js';

type SettingsObject = Readonly<Record<string, unknown>>;

/** Settings that are there are only replaced `withSettings`, which also takes those that decide where notes go. */
export const putSettings = (
  home: string,
  bytes: Buffer | undefined,
  folder: string,
  withSettings: boolean,
): Pick<RestoreDone, 'config' | 'not_taken'> => {
  const all = parseSettings(bytes);
  if (bytes === undefined || all === undefined) return { config: 'none', not_taken: [] };
  const plain = Object.fromEntries(Object.entries(all).filter(([key]) => !isGuarded(key)));
  const path = join(home, 'config.json');
  const notTaken = (now: SettingsObject): RestoreDone['not_taken'] =>
    Object.entries(all)
      .filter(([key, value]) => isGuarded(key) && !isDeepStrictEqual(now[key], value))
      .map(([key, value]) => ({ key: showText(key), value: showValue(key, value) }));
  if (existsSync(path) && !withSettings) {
    const there = parseSettings(readFileSync(path)) ?? {};
    const isSame = isDeepStrictEqual(there, all) || isDeepStrictEqual(there, plain);
    return { config: isSame ? 'same' : 'kept', not_taken: notTaken(there) };
  }
  const written = join(folder, 'config.json');
  writeFileSync(written, withSettings ? bytes : `${JSON.stringify(plain, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(written, path);
  syncFolder(home);
  return { config: 'restored', not_taken: notTaken(withSettings ? all : plain) };
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
export const parseSettings = (bytes: Buffer | undefined): SettingsObject | undefined => {
  try {
    const value: unknown = JSON.parse(bytes?.toString('utf8') ?? '');
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
