/** Finds a program on PATH without a shell. */
import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

export type SearchedIn = { readonly platform: NodeJS.Platform; readonly environment: NodeJS.ProcessEnv };

/** On Windows the endings that are tried; a `.cmd` or `.bat` can be started only through a shell. */
const windowsEndings = ['.exe', '.cmd', '.bat'];

/**
 * Path of the first program of that name, undefined when there is none. Relative folders of PATH are passed over: what
 * lies in the folder of a project must not be run. That is why this is not the package `which`, which takes them, and on
 * Windows looks into the current folder before PATH.
 */
export const findProgram = (
  name: string,
  { platform, environment }: SearchedIn,
  endings: readonly string[] = windowsEndings,
): string | undefined => {
  const isWindows = platform === 'win32';
  const { join, isAbsolute, delimiter } = isWindows ? win32 : posix;
  const folders = (pathOf(environment, isWindows) ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const names = isWindows ? endings.map((ending) => name + ending) : [name];
  return folders.flatMap((folder) => names.map((file) => join(folder, file))).find(isProgram);
};

/** A copy of the environment has lost that Windows does not tell `Path` from `PATH`. */
const pathOf = (environment: NodeJS.ProcessEnv, isWindows: boolean): string | undefined =>
  isWindows ? Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH')?.[1] : environment['PATH'];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};
