/** Settings of this machine: environment, then config.json, then the default. Read by hand, because hooks start here. */
import { readFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { Fault } from '../events/faults.js';

export type Settings = {
  /** Folder of the store. */
  readonly home: string;
  readonly machine: string;
  readonly user: string;
};

const machineForm = /^[A-Za-z0-9._-]{1,64}$/;

/** Throws Fault 'store-damaged' when config.json can't be read as JSON. */
export const readSettings = (environment: NodeJS.ProcessEnv): Settings => {
  const home = resolve(nonEmpty(environment['ANAMNESIS_HOME']) ?? join(homedir(), '.anamnesis'));
  const config = readConfig(join(home, 'config.json'));
  const machine =
    nonEmpty(environment['ANAMNESIS_MACHINE_ID']) ??
    nonEmpty(config['machine_id']) ??
    hostname().replace(/[^A-Za-z0-9._-]/g, '-');
  return {
    home,
    machine: machineForm.test(machine) ? machine : 'unknown',
    user: nonEmpty(config['user_id']) ?? 'self',
  };
};

const nonEmpty = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

const readConfig = (path: string): Readonly<Record<string, unknown>> => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return {};
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (cause) {
    throw new Fault('store-damaged', `${path} is not valid JSON`, 'mend or remove that file', { cause });
  }
};
