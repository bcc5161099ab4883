/** Finds a program on PATH without a shell. */
import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

export type SearchedIn = { readonly platform: NodeJS.Platform; readonly environment: NodeJS.ProcessEnv };

/** The file extensions tried on Windows; a `.cmd` or `.bat` can be started only through a shell. */
const windowsEndings = ['.exe', '.cmd', '.bat'];

/**
 * The first program of that name. Skips relative folders of PATH: a project's file must not be run. Not the package
 * `which`, which searches them, and on Windows the current folder first.
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

/** On Windows, `Path` and `PATH` are the same variable, but not in a copy of the environment. */
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
