/** Finds other programs, and folders in which they can be started. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { findProgram } from '../agents/providers/find-program.js';
import type { Surroundings } from './surroundings.js';

/** Returns an absolute path, or undefined if none is found. On Windows only an .exe: it starts without a shell. */
export const findStartable = (name: string, surroundings: Surroundings): string | undefined =>
  findProgram(name, surroundings, ['.exe']);

/**
 * Returns the folder, or the nearest one above it where a program can be started. Given a missing working folder, the
 * system reports the program as missing, not the folder.
 */
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
