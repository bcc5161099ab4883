/**
 * Finds the package that runs sentence models. It is not a dependency: it takes half a gigabyte, and few need it. Looks
 * where this program and Node itself are installed, never in the working folder, whatever NODE_PATH says.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failRead, type Read, readAs } from '../embedder.js';
import { parseObject } from '../tokenizer-json.js';

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
  const given = environment[runtimeVariable] ?? '';
  const found = rootsOf(given).flatMap((root) => packageBelow(root) ?? []);
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
const rootsOf = (given: string): readonly string[] => {
  if (given !== '') return isAbsolute(given) ? [given] : [];
  const node = dirname(process.execPath);
  return [...upward(dirname(fileURLToPath(import.meta.url))), join(dirname(node), 'lib'), node];
};

/** `npm install -g` puts the package beside this program, if that was installed in the same way. */
const upward = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...upward(dirname(folder))];

/**
 * Node also searches upward, along NODE_PATH and in the home folder, so its result must be in this root's package. The
 * package itself may be a link, as `npm link` and pnpm create them: whoever installs there decides where it points.
 */
const packageBelow = (root: string): Runtime | undefined => {
  try {
    const folder = realpathSync(join(root, 'node_modules', runtimeName));
    const entry = createRequire(join(root, 'from.js')).resolve(runtimeName);
    if (!realpathSync(entry).startsWith(`${folder}${sep}`)) return undefined;
    const version = parseObject(readFileSync(join(folder, 'package.json')))?.['version'];
    return typeof version === 'string' ? { entry, version } : undefined;
  } catch {
    return undefined;
  }
};
