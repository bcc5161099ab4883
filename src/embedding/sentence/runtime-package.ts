/**
 * Finds the package that runs sentence models. It is not a dependency: it takes half a gigabyte, and few need it. Looks
 * beside this program and where npm installs programs, never in the working folder, whatever NODE_PATH says.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failRead, type Read, readAs } from '../embedder.js';

export type Runtime = {
  /** The file to load. */
  readonly entry: string;
  readonly version: string;
};

export const runtimeName = '@huggingface/transformers';
/** Names a folder whose node_modules holds the package; no other folder is searched then. */
export const runtimeVariable = 'ANAMNESIS_TRANSFORMERS';

/** Never throws, and loads nothing. */
export const findRuntime = (environment: NodeJS.ProcessEnv = process.env): Read<Runtime> => {
  const given = environment[runtimeVariable];
  if (given !== undefined && given !== '' && !isAbsolute(given))
    return failRead(
      'model-runtime',
      `${runtimeVariable} must be the absolute path of a folder, not ${JSON.stringify(given.slice(0, 100))}`,
      'give the absolute path, or unset it',
    );
  const found = rootsOf(environment).flatMap((root) => packageBelow(root) ?? []);
  const fitting = found.find(({ version }) => /^[34]\./.test(version));
  if (fitting !== undefined) return readAs(fitting);
  const [other] = found;
  return failRead(
    'model-runtime',
    other === undefined
      ? `${runtimeName}, which runs models of this kind, is not installed`
      : `${runtimeName} ${other.version} is installed, but models of this kind need version 3 or 4`,
    `install it: npm install -g --ignore-scripts ${runtimeName}@4`,
  );
};

/** Absolute paths of folders whose node_modules may hold the package. */
const rootsOf = (environment: NodeJS.ProcessEnv): readonly string[] => {
  const given = environment[runtimeVariable];
  if (given !== undefined && given !== '') return [given];
  return [...upward(dirname(fileURLToPath(import.meta.url))), ...globalRoots(environment).filter(isAbsolute)];
};

/** If this program is installed as a dependency, the package may be where its own dependencies are. */
const upward = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...upward(dirname(folder))];

/** Finds npm's global folders without running npm, which takes a third of a second. */
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

/**
 * Node also searches upward, along NODE_PATH and in the home folder, so its result must be in this root's package. The
 * package itself may be a link, as `npm link` and pnpm create them: whoever installs there decides where it points.
 */
const packageBelow = (root: string): Runtime | undefined => {
  try {
    const folder = realpathSync(join(root, 'node_modules', runtimeName));
    const entry = createRequire(join(root, 'from.js')).resolve(runtimeName);
    if (!realpathSync(entry).startsWith(`${folder}${sep}`)) return undefined;
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
