/** Detects a remote that is part of the store itself, or the machine-local journal of any store. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { RemoteAddress } from '../events/git/remote/remote-address.js';

type Address = Extract<RemoteAddress, { ok: true }>;

/** Whether git would read or write below the store's folder. */
export const leadsIntoStore = (address: Address, home: string): boolean => {
  const path = pathOf(address);
  if (path === undefined) return false;
  const way = relative(realOf(home), realOf(path));
  return !(way === '..' || /^\.\.[/\\]/.test(way) || isAbsolute(way));
};

/** Whether its notes must stay where they are. */
export const leadsToPrivateNotes = (address: Address): boolean => {
  const path = pathOf(address);
  if (path === undefined) return false;
  const real = realOf(path);
  const folder = basename(real) === '.git' ? dirname(real) : real;
  const isBesideMemory = basename(folder) === 'local' && existsSync(join(folder, '..', 'memory', '.git'));
  return isBesideMemory || [real, join(real, '.git')].some((one) => hookSays(join(one, 'hooks', 'pre-push')));
};

const hookSays = (file: string): boolean => {
  try {
    return readFileSync(file, 'utf8').includes('anamnesis: these notes stay on this machine');
  } catch {
    return false;
  }
};

/** A path that doesn't exist yet is located by its first existing folder. */
const realOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), basename(path));
  }
};

/** Git ignores anything between `file://` and the next slash, and decodes `%2e`. */
const pathOf = ({ kind, url }: Address): string | undefined => {
  if (kind !== 'file') return kind === 'path' ? url : undefined;
  try {
    return decodeURIComponent(url.replace(/^file:\/\/[^/]*/i, ''));
  } catch {
    return undefined;
  }
};
