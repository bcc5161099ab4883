/** Finds, sets and removes the remote that the memory is synced with. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { Refusal } from '../commands/refusals.js';
import { configuredValue, readConfigFile, textOf, userHome } from '../config/settings.js';
import { runGit } from '../events/git/git-process.js';
import { parseAddress, type RemoteAddress, showAddress } from '../events/git/remote/remote-address.js';
import { nobodysUser } from '../events/note/note.js';
import { isRefusal } from '../files/settings-file.js';
import type { Memory } from '../store/memory.js';

export type Remote = {
  /** As passed to git; may contain credentials. */
  readonly url: string;
  readonly kind: Extract<RemoteAddress, { ok: true }>['kind'];
  /** For messages and answers. */
  readonly shown: string;
  /** Where it is set: `ANAMNESIS_GIT_REMOTE`, config.json, or git's own origin. */
  readonly source: 'environment' | 'config.json' | 'origin';
};

/** Returns undefined if no remote is set. A malformed address is a refusal, so that nobody thinks the store syncs. */
export const findRemote = (
  { settings, journals }: Pick<Memory, 'journals'> & { readonly settings: Pick<Memory['settings'], 'home'> },
  environment: NodeJS.ProcessEnv = process.env,
): Remote | Refusal | undefined => {
  const { home } = settings;
  const file = readConfigFile(home);
  const configured = textOf('remote', configuredValue('remote', file, environment));
  const isOfEnvironment = configured !== undefined && configured === environment['ANAMNESIS_GIT_REMOTE']?.trim();
  const text = configured ?? originUrl(journals.portable.folders.gitDir);
  if (text === undefined) return undefined;
  const source = configured === undefined ? 'origin' : isOfEnvironment ? 'environment' : 'config.json';
  const address = parseAddress(text, home, userHome());
  if (!address.ok) return badAddress(text, address.why);
  if (leadsIntoStore(address, home)) return ownFolder(address.url, home);
  if (leadsToPrivateNotes(address)) return privateNotes(address.url);
  return { url: address.url, kind: address.kind, shown: showAddress(address.url), source };
};

/** `shared`: several people sync with it, and each machine names its user. */
export type Sharing = { readonly shared: boolean; readonly user: string | undefined };

const userMissing: Refusal = {
  code: 'user-missing',
  message: 'on a shared remote every machine says whose notes it writes, and user_id is not set',
  next: 'add --user NAME, the same on all your machines',
};

/** In config.json and as git's origin. A new address that lacks what was accepted is rewritten. Fetches nothing. */
export const setRemote = async (memory: Memory, text: string, sharing?: Sharing): Promise<Remote | Refusal> => {
  const user = sharing?.user;
  if (sharing?.shared === true && (user ?? memory.settings.user) === nobodysUser) return userMissing;
  const address = parseAddress(text, process.cwd(), userHome());
  if (!address.ok) return badAddress(text, address.why);
  if (leadsIntoStore(address, memory.settings.home)) return ownFolder(address.url, memory.settings.home);
  if (leadsToPrivateNotes(address)) return privateNotes(address.url);
  const { writeConfig } = await import('../config/config-file.js');
  const written = writeConfig(memory.settings.home, [
    { key: 'remote', value: address.url },
    ...(sharing === undefined ? [] : [{ key: 'remote_shared', value: sharing.shared || undefined } as const]),
    ...(user === undefined ? [] : [{ key: 'user_id', value: user } as const]),
  ]);
  if (isRefusal(written)) return written;
  await memory.initialise();
  await memory.exclusively(async () => {
    await setOrigin(memory, address.url);
  });
  return { url: address.url, kind: address.kind, shown: showAddress(address.url), source: 'config.json' };
};

/** Makes the store local to this machine again; returns whether it had a remote. Synced notes stay on both sides. */
export const removeRemote = async (memory: Memory): Promise<boolean | Refusal> => {
  const { writeConfig } = await import('../config/config-file.js');
  const before = findRemote(memory, {});
  const written = writeConfig(memory.settings.home, [{ key: 'remote', value: undefined }]);
  if (isRefusal(written)) return written;
  if (!memory.journals.portable.exists()) return before !== undefined;
  await memory.exclusively(async () => {
    await setOrigin(memory, undefined);
  });
  return before !== undefined;
};

/** Removes the origin if `url` is undefined. Under the write lock. */
export const setOrigin = async ({ journals }: Pick<Memory, 'journals'>, url: string | undefined): Promise<void> => {
  const { folders } = journals.portable;
  const has = originUrl(folders.gitDir) !== undefined;
  if (url === undefined) {
    if (has) await runGit(folders, ['remote', 'remove', 'origin']);
  } else if (has) await runGit(folders, ['remote', 'set-url', 'origin', url]);
  else await runGit(folders, ['remote', 'add', 'origin', url]);
};

/** Reads the config without git, because every `status` needs it. */
export const originUrl = (gitDir: string): string | undefined => {
  try {
    const lines = readFileSync(join(gitDir, 'config'), 'utf8')
      .split('\n')
      .map((line) => line.trim());
    const section = lines.slice(lines.indexOf('[remote "origin"]') + 1 || lines.length);
    const end = section.findIndex((line) => line.startsWith('['));
    const setting = section.slice(0, end === -1 ? undefined : end).find((line) => /^url\s*=/.test(line));
    return setting
      ?.slice(setting.indexOf('=') + 1)
      .trim()
      .replace(/^"|"$/g, '');
  } catch {
    return undefined;
  }
};

const ownFolder = (url: string, home: string): Refusal => ({
  code: 'own-folder',
  message: `${showAddress(url)} is part of this store, ${home}: syncing with it would mix what is portable with what must stay here`,
  next: 'give a repository outside this folder; make an empty one with: git init --bare --initial-branch=main PATH',
});

const privateNotes = (url: string): Refusal => ({
  code: 'own-folder',
  message: `${showAddress(url)} holds the machine-local notes of a store: syncing with it would mix them into notes that are published`,
  next: 'give the memory folder of that store, or a repository of its own; make an empty one with: git init --bare --initial-branch=main PATH',
});

const badAddress = (text: string, why: string): Refusal => ({
  code: 'bad-address',
  message:
    text.trim() === ''
      ? 'the address of the remote is empty'
      : `${showAddress(text)} is not the address of a git remote: ${why}`,
  next: 'give a path, ssh://host/path, user@host:path or https://host/path',
});

type Address = Extract<RemoteAddress, { ok: true }>;

/** Whether git would read or write below the store's folder. */
const leadsIntoStore = (address: Address, home: string): boolean => {
  const path = pathOf(address);
  if (path === undefined) return false;
  const way = relative(realOf(home), realOf(path));
  return !(way === '..' || /^\.\.[/\\]/.test(way) || isAbsolute(way));
};

/** Whether its notes must stay where they are. */
const leadsToPrivateNotes = (address: Address): boolean => {
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
