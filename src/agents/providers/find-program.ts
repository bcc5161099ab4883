/** Finds a program on PATH without a shell. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Path of the first program of that name, undefined when there is none. Relative folders of PATH are passed over: what
 * lies in the folder of a project must not be run.
 */
export const findProgram = (name: string, environment: NodeJS.ProcessEnv): string | undefined => {
  const folders = (pathOf(environment) ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const names = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'].map((ending) => name + ending) : [name];
  return folders.flatMap((folder) => names.map((file) => join(folder, file))).find(isProgram);
};

/** A copy of the environment has lost that Windows does not tell `Path` from `PATH`. */
const pathOf = (environment: NodeJS.ProcessEnv): string | undefined =>
  process.platform === 'win32'
    ? Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH')?.[1]
    : environment['PATH'];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};
