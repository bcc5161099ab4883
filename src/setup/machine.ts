/** Reads this machine's surroundings; finds other programs, and folders in which they can be started. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findProgram } from '../agents/providers/find-program.js';
import { userHome } from '../config/settings.js';
import type { Surroundings } from './surroundings.js';

/** `script` is the path that Node was started with; clients get its real path, with links resolved. */
export const readSurroundings = (script: string): Surroundings => ({
  home: userHome(),
  platform: process.platform,
  environment: process.env,
  execPath: process.execPath,
  scriptPath: realpathSync(script),
});

/** Arguments for the commands that clients start; none for the default store, which may move with the home folder. */
export const homeArgsOf = (storeHome: string, { home }: Surroundings): readonly string[] =>
  resolve(storeHome) === join(home, '.anamnesis') ? [] : ['--home', resolve(storeHome)];

/** Returns an absolute path, or undefined if none is found. On Windows only an .exe: it starts without a shell. */
export const findStartable = (name: string, surroundings: Surroundings): string | undefined =>
  findProgram(name, surroundings, ['.exe']);

/** The folder, or the nearest one above: given a missing working folder, the system reports the program as missing. */
export const startFolder = (path: string): string =>
  isEnterable(path) || dirname(path) === path ? path : startFolder(dirname(path));

const isEnterable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};
