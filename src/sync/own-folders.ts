/** Detects a remote that is the store's own folder or a store's private one, however its path is written. */
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { RemoteAddress } from '../events/git/remote/remote-address.js';

/** Whether git would read or write below the store's folder. Follows links, `.git` files and worktrees as git does. */
export const leadsIntoStore = ({ kind, url }: Extract<RemoteAddress, { ok: true }>, home: string): boolean => {
  const path = kind === 'path' ? url : kind === 'file' ? pathOf(url) : undefined;
  if (path === undefined) return false;
  const store = realOf(home);
  // Git tries these in turn if the address itself is not a repository.
  return ['', '.git', '/.git', '.git/.git'].some((end) => isWithin(store, `${path}${end}`));
};

/** Whether it is the machine-local journal of any store, whose notes must stay where they are. */
export const leadsToPrivateNotes = ({ kind, url }: Extract<RemoteAddress, { ok: true }>): boolean => {
  const path = kind === 'path' ? url : kind === 'file' ? pathOf(url) : undefined;
  if (path === undefined) return false;
  return ['', '.git', '/.git', '.git/.git'].some((end) => placesOf(`${path}${end}`).some(isPrivateJournal));
};

const isPrivateJournal = (path: string): boolean => {
  const folder = basename(path) === '.git' ? dirname(path) : path;
  const isBesideMemory = basename(folder) === 'local' && existsSync(join(folder, '..', 'memory', '.git'));
  return isBesideMemory || [path, join(path, '.git')].some((one) => hookSays(join(one, 'hooks', 'pre-push')));
};

const hookSays = (file: string): boolean => readSmall(file).includes('anamnesis: these notes stay on this machine');

const placesOf = (path: string): readonly string[] => [realOf(path), ...repositoryBehind(path)];

const isWithin = (store: string, path: string): boolean =>
  placesOf(path).some((one) => {
    const way = relative(store, one);
    return way === '' || !(way === '..' || /^\.\.[/\\]/.test(way) || resolve(way) === way);
  });

/** Returns the folders that a `.git` file and a worktree's `commondir` point to. */
const repositoryBehind = (path: string): readonly string[] => {
  const linked = /^gitdir: (.+)$/m.exec(readSmall(path))?.[1]?.trim();
  const folder = linked === undefined ? path : resolve(dirname(path), linked);
  const common = readSmall(join(folder, 'commondir')).trim();
  return [
    ...(linked === undefined ? [] : [realOf(folder)]),
    ...(common === '' ? [] : [realOf(resolve(folder, common))]),
  ];
};

const readSmall = (path: string): string => {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
};
const maxBytes = 4096;

/** A path that doesn't exist yet is located by its first existing folder. */
const realOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), path.slice(parent.length + 1));
  }
};

/** Git ignores anything between `file://` and the next slash, and decodes `%2e`. */
const pathOf = (url: string): string | undefined => {
  try {
    return decodeURIComponent(url.replace(/^file:\/\/[^/]*/i, ''));
  } catch {
    return undefined;
  }
};
