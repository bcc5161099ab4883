/**
 * Where the package lies that runs sentence models. It is no dependency: half a gigabyte that few need. Looked for beside this
 * program and where npm installs programs, never in the folder that somebody works in.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { failRead, type Read, readAs } from '../embedder.js';

export type Runtime = {
  /** The file to be loaded. */
  readonly entry: string;
  readonly version: string;
};

export const runtimeName = '@huggingface/transformers';
/** A folder whose node_modules holds it, looked in first. */
export const runtimeVariable = 'ANAMNESIS_TRANSFORMERS';

/** Never throws, and loads nothing. */
export const findRuntime = (environment: NodeJS.ProcessEnv = process.env): Read<Runtime> => {
  const found = placesOf(environment).flatMap((place) => entryFrom(place) ?? []);
  const fitting = found.find(({ version }) => /^[34]\./.test(version));
  if (fitting !== undefined) return readAs(fitting);
  const [other] = found;
  return failRead(
    'model-runtime',
    other === undefined
      ? `${runtimeName} is not installed, which runs models of this kind`
      : `${runtimeName} ${other.version} is installed, and a model of this kind is run by 3 or 4`,
    `install it: npm install -g --ignore-scripts ${runtimeName}@4`,
  );
};

/** Files from which Node would look for the package. */
const placesOf = (environment: NodeJS.ProcessEnv): readonly string[] => {
  const given = environment[runtimeVariable];
  if (given !== undefined && given !== '') return [join(given, 'from.js')];
  return [import.meta.url, ...globalRoots(environment).map((root) => join(root, 'from.js'))];
};

/** As npm finds it, without running npm: that takes a third of a second. */
const globalRoots = (environment: NodeJS.ProcessEnv): readonly string[] => {
  const isWindows = process.platform === 'win32';
  const prefixes = [
    environment['npm_config_prefix'],
    environment['NPM_CONFIG_PREFIX'],
    prefixInSettings(),
    isWindows ? join(environment['APPDATA'] ?? dirname(process.execPath), 'npm') : undefined,
    isWindows ? dirname(process.execPath) : dirname(dirname(process.execPath)),
  ];
  return prefixes.flatMap((prefix) =>
    prefix === undefined || prefix === '' ? [] : [isWindows ? prefix : join(prefix, 'lib')],
  );
};

const prefixInSettings = (): string | undefined => {
  try {
    const lines = readFileSync(join(homedir(), '.npmrc'), 'utf8').split('\n');
    for (const line of lines) {
      const [key, value] = line.split('=');
      if (key?.trim() === 'prefix' && value !== undefined)
        return value.trim().replace(/^~(?=[/\\])|^\$\{HOME\}/, () => homedir());
    }
    return undefined;
  } catch {
    return undefined;
  }
};

const entryFrom = (place: string): Runtime | undefined => {
  try {
    const entry = createRequire(place).resolve(runtimeName);
    const folder = dirname(dirname(entry));
    const said: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const version =
      typeof said === 'object' && said !== null && 'version' in said && typeof said.version === 'string'
        ? said.version
        : undefined;
    return version === undefined ? undefined : { entry, version };
  } catch {
    return undefined;
  }
};
