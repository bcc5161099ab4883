/** Settings of this machine: environment, then config.json, then default. Parsed by hand: every hook loads this. */
import { readFileSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { codeOf, Fault } from '../events/faults.js';
import {
  type ConfigKey,
  type ConfigName,
  configKeys,
  type JudgeName,
  judgeNames,
  trustedProjectsKey,
} from './config-keys.js';
import type { TrustedProjects } from './project.js';

export type Settings = {
  /** Root folder of the store. */
  readonly home: string;
  readonly machine: string;
  readonly user: string;
  /** The remote belongs to several people: notes of other users are theirs. */
  readonly isShared?: boolean | undefined;
  /** Markers that the person confirmed. */
  readonly trustedProjects?: TrustedProjects | undefined;
  /** Name of the model that search compares meanings with. */
  readonly searchModel?: string | undefined;
  /** The server that search compares meanings with, instead of a local model. */
  readonly embedding?: EmbeddingServer | undefined;
  /** When false, no trace is kept of what was asked and given. */
  readonly trace?: boolean | undefined;
  /** The agent session that runs this process. */
  readonly session?: string | undefined;
};

export type EmbeddingServer = {
  readonly url: string;
  readonly model: string;
  /** Name of the environment variable that holds the key, and the key. */
  readonly keyVariable?: string | undefined;
  readonly key?: string | undefined;
};

/** Settings for hooks and the background worker. */
export type Config = {
  readonly injectNotes: number;
  readonly recall: boolean;
  readonly recallNotes: number;
  readonly capture: boolean;
  readonly learn: boolean;
  readonly learnJudges: readonly JudgeName[];
  readonly learnDailyCalls: number;
  readonly provider: { readonly url: string; readonly model: string; readonly key: string | undefined } | undefined;
  readonly claudeModel: string;
  readonly ollamaUrl: string;
  readonly ollamaModels: readonly string[];
  readonly importNative: boolean;
  readonly importClaudeMd: boolean;
  readonly approveWrite: boolean;
  readonly remote: string | undefined;
  readonly sync: boolean;
  /** Seconds between two syncs of a running server; 0 for none. */
  readonly syncSeconds: number;
};

/** Throws Fault 'store-damaged' when config.json can't be read as JSON. */
export const readSettings = (environment: NodeJS.ProcessEnv): Settings => {
  const home = homeOf(environment);
  const file = readConfigFile(home);
  const { given, text, flag } = valuesOf(file, environment);
  const machine = nonEmpty(given('machine_id')) ?? hostname().replace(/[^A-Za-z0-9._-]/g, '-');
  const [url, model, keyVariable] = [text('embedding_url'), text('embedding_model'), text('embedding_key_env')];
  const key = keyVariable === undefined ? undefined : nonEmpty(environment[keyVariable]);
  return {
    home,
    machine: configKeys.machine_id.form.test(machine) ? machine : 'unknown',
    user: text('user_id') ?? configKeys.user_id.default,
    isShared: flag('remote_shared'),
    trustedProjects: trustedOf(file),
    searchModel: text('search_model'),
    embedding: url === undefined || model === undefined ? undefined : { url, model, keyVariable, key },
    trace: flag('trace'),
    session: nonEmpty(environment['CLAUDE_CODE_SESSION_ID']),
  };
};

export const homeOf = (environment: NodeJS.ProcessEnv): string =>
  resolve(nonEmpty(environment['ANAMNESIS_HOME']) ?? join(userHome(), '.anamnesis'));

/** Where Claude Code keeps its settings and transcripts. */
export const claudeHomeOf = (environment: NodeJS.ProcessEnv): string =>
  resolve(nonEmpty(environment['CLAUDE_CONFIG_DIR']) ?? join(userHome(), '.claude'));

/** An empty HOME counts as unset: paths below it would land in the current folder. Throws Fault 'home-missing'. */
export const userHome = (): string => {
  try {
    return homedir() || userInfo().homedir;
  } catch (cause) {
    const message = 'HOME is not set, and this user has no home folder';
    throw new Fault('home-missing', message, 'set HOME to the folder that holds your settings', { cause });
  }
};

/** A value of the wrong form counts as not set: a setting made by a newer version must not stop an agent. */
export const readConfig = (home: string, environment: NodeJS.ProcessEnv): Config => {
  const file = readConfigFile(home);
  const { text, flag, count, list } = valuesOf(file, environment);
  const url = text('provider_url');
  return {
    injectNotes: count('inject_notes'),
    recall: flag('recall'),
    recallNotes: count('recall_notes'),
    capture: flag('capture'),
    learn: flag('learn'),
    learnJudges: (list('learn_judges') ?? []).flatMap((one) => judgeNames.filter((name) => name === one)),
    learnDailyCalls: count('learn_daily_calls'),
    provider:
      url === undefined
        ? undefined
        : { url, model: text('provider_model') ?? configKeys.provider_model.default, key: text('provider_key') },
    claudeModel: text('claude_model') ?? configKeys.claude_model.default,
    ollamaUrl: text('ollama_url') ?? configKeys.ollama_url.default,
    ollamaModels: list('ollama_models') ?? configKeys.ollama_models.default,
    importNative: flag('import_native'),
    importClaudeMd: flag('import_claude_md'),
    approveWrite: flag('approve_write'),
    remote: text('remote'),
    sync: flag('sync'),
    syncSeconds: count('sync_seconds'),
  };
};

type NameOf<Kind extends ConfigKey['kind']> = {
  [Name in ConfigName]: (typeof configKeys)[Name]['kind'] extends Kind ? Name : never;
}[ConfigName];
type FlagName = NameOf<'flag'>;
type CountName = NameOf<'count'>;

/** Reads settings by name: from the environment, then config.json, then the default of those that always have one. */
const valuesOf = (file: Readonly<Record<string, unknown>>, environment: NodeJS.ProcessEnv) => {
  const given = (name: ConfigName): unknown => configuredValue(name, file, environment);
  return {
    given,
    text: (name: ConfigName) => textOf(name, given(name)),
    flag: (name: FlagName) => flagOf(given(name)) ?? configKeys[name].default,
    count: (name: CountName) => countOf(name, given(name)) ?? configKeys[name].default,
    list: (name: ConfigName) => listOf(given(name)),
  };
};

/** Reads the confirmed markers of config.json; a value of another type counts as not set. */
export const trustedOf = (file: Readonly<Record<string, unknown>>): TrustedProjects => {
  const value = file[trustedProjectsKey];
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([, key]) => typeof key === 'string'))
    : {};
};

/** The environment takes precedence over config.json. */
export const configuredValue = (
  name: ConfigName,
  file: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
): unknown => {
  const { environment: variable }: ConfigKey = configKeys[name];
  return (variable === undefined ? undefined : nonEmpty(environment[variable])) ?? file[name];
};

/** Returns the trimmed text; undefined when it is empty or does not match the key's form. */
export const textOf = (name: ConfigName, value: unknown): string | undefined => {
  const key: ConfigKey = configKeys[name];
  const text = nonEmpty(value);
  return text !== undefined && key.kind === 'text' && key.form?.test(text) === false ? undefined : text;
};

/** Accepts `true`, `1`, `yes`, `on` and their opposites; undefined for anything else. */
export const flagOf = (value: unknown): boolean | undefined => {
  if (typeof value === 'boolean') return value;
  const text = plainText(value).toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(text)) return true;
  return ['false', '0', 'no', 'off'].includes(text) ? false : undefined;
};

/** Returns undefined unless it is a whole number within the limits of the key. */
export const countOf = (name: ConfigName, value: unknown): number | undefined => {
  const key: ConfigKey = configKeys[name];
  const number = typeof value === 'number' ? value : /^\d{1,9}$/.test(plainText(value)) ? Number(value) : Number.NaN;
  return key.kind === 'count' && Number.isInteger(number) && number >= key.least && number <= key.most
    ? number
    : undefined;
};

/** Accepts an array or comma-separated text; undefined for anything else. */
export const listOf = (value: unknown): readonly string[] | undefined => {
  const entries: unknown = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(entries)) return undefined;
  return entries.map((entry) => plainText(entry).trim()).filter((entry) => entry !== '');
};

/** Returns '' for an object: one in config.json may even have its own `toString`. */
const plainText = (value: unknown): string => (typeof value === 'object' ? '' : String(value ?? ''));

const nonEmpty = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Returns {} when there is no file. Throws Fault 'store-damaged' if it is not a JSON object, and any read error. */
export const readConfigFile = (home: string): Readonly<Record<string, unknown>> => {
  const path = join(home, 'config.json');
  const damaged = (what: string, cause?: unknown): Fault =>
    new Fault('store-damaged', `${path} is ${what}`, 'fix or remove that file', { cause });
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return {};
    // A setting that can't be read must not count as unset: notes would get the wrong machine name.
    throw error;
  }
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw damaged('not valid JSON', cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw damaged('not a JSON object');
  return { ...value };
};
