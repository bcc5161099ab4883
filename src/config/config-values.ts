/** Values of config.json as a person reads and enters them. */
import { type Refusal, valueInvalid } from '../commands/refusals.js';
import { redact } from '../events/note/redact.js';
import { type ConfigKey, type ConfigName, configKeys, configNames, isConfigName } from './config-keys.js';
import { configuredValue, countOf, flagOf, listOf, readConfigFile, readSettings, textOf } from './settings.js';

export type ConfigValue = string | number | boolean | readonly string[];

export type ConfigRow = {
  readonly key: ConfigName;
  /** The value in effect; null if nothing is set and there is no default. Secrets are masked. */
  readonly value: ConfigValue | null;
  readonly source: 'environment' | 'config.json' | 'default';
  /** Environment variable that takes precedence over config.json, whether or not it is set. */
  readonly variable: string | null;
  readonly help: string;
  /** Where a value is set that is invalid for the key, and so counts as not set. */
  readonly ignored: 'environment' | 'config.json' | null;
};

/** Throws Fault 'store-damaged' when config.json can't be read as JSON. */
export const listConfig = (home: string, environment: NodeJS.ProcessEnv): readonly ConfigRow[] => {
  const file = readConfigFile(home);
  const { machine } = readSettings({ ...environment, ANAMNESIS_HOME: home });
  return configNames.map((key) => {
    const { environment: variable, help }: ConfigKey = configKeys[key];
    const isInEnvironment = variable !== undefined && (environment[variable] ?? '').trim() !== '';
    const set = configuredValue(key, file, environment);
    const source = set === undefined ? 'default' : isInEnvironment ? 'environment' : 'config.json';
    const value = readValue(key, set);
    const fallback = key === 'machine_id' ? machine : defaultOf(key);
    return {
      key,
      value: mask(key, value ?? fallback),
      source: value === undefined ? 'default' : source,
      variable: variable ?? null,
      help,
      ignored: value === undefined && source !== 'default' ? source : null,
    };
  });
};

export const refuseKey = (given: string): Refusal => {
  const meant = configNames.find((name) => name === given.trim().toLowerCase().replaceAll('-', '_'));
  return {
    code: 'config-key-unknown',
    message: `there is no setting ${JSON.stringify(given)}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    next: `the settings are: ${configNames.join(', ')}`,
  };
};

export const parseConfigValue = (
  name: string,
  text: string,
):
  | { readonly ok: true; readonly key: ConfigName; readonly value: ConfigValue }
  | { readonly ok: false; readonly refusal: Refusal } => {
  if (!isConfigName(name)) return { ok: false, refusal: refuseKey(name) };
  const key: ConfigKey = configKeys[name];
  const value = text.length > maxLength || /\p{Cc}/u.test(text) ? undefined : wellFormed(name, text);
  if (value !== undefined) return { ok: true, key: name, value };
  const given = key.kind === 'secret' ? 'something else' : JSON.stringify(redact(text.slice(0, 80)).text);
  return { ok: false, refusal: valueInvalid(name, expectedOf(key), given) };
};

/** Masks a value for display; null stays null. */
export const mask = (name: ConfigName, value: ConfigValue | null): ConfigValue | null => {
  const key: ConfigKey = configKeys[name];
  if (value === null) return null;
  if (key.kind === 'secret') return '********';
  // An address may contain a password.
  return typeof value === 'string' ? redact(value).text : value;
};

const maxLength = 4096;

/** Also checks addresses and list entries, unlike reading config.json, which a newer version may have written. */
const wellFormed = (name: ConfigName, text: string): ConfigValue | undefined => {
  const key: ConfigKey = configKeys[name];
  const value = readValue(name, text);
  if (key.kind === 'url') return typeof value === 'string' && isWebAddress(value) ? value : undefined;
  if (key.kind !== 'list' || !Array.isArray(value)) return value;
  return value.every((entry) => key.of === undefined || key.of.includes(entry)) ? value : undefined;
};

/** Reads the value as settings.ts does; returns undefined when it counts as not set. */
const readValue = (name: ConfigName, value: unknown): ConfigValue | undefined => {
  const { kind } = configKeys[name];
  if (kind === 'flag') return flagOf(value);
  if (kind === 'count') return countOf(name, value);
  return kind === 'list' ? listOf(value) : textOf(name, value);
};

const defaultOf = (name: ConfigName): ConfigValue | null => {
  const key: ConfigKey = configKeys[name];
  return key.kind === 'secret' ? null : (key.default ?? null);
};

const expectedOf = (key: ConfigKey): string => {
  switch (key.kind) {
    case 'text':
      return key.formHelp ?? oneLine;
    case 'secret':
      return oneLine;
    case 'url':
      return 'an http or https address';
    case 'flag':
      return 'true or false';
    case 'count':
      return `a whole number from ${key.least} to ${key.most}`;
    case 'list':
      return `a comma-separated list${key.of === undefined ? '' : ` of: ${key.of.join(', ')}`}`;
  }
};

const oneLine = 'one line of text';

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
