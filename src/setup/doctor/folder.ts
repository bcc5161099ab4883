/** Checks that the store's folder exists and that no other user can read it. */
import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, countOf, nameSome, needs, problem, warning } from './check.js';

export const folderCheck: Check = {
  name: 'store',
  look: (examined) => {
    const { home } = examined;
    if (needs.store(examined)) return home;
    const isFile = statSync(home, { throwIfNoEntry: false }) !== undefined;
    return isFile
      ? [problem(`${home} is not a folder`, 'move that file away, or set ANAMNESIS_HOME to another folder')]
      : [warning(`there is no store at ${home} yet`, 'run: anamnesis init')];
  },
};

type Open = { readonly path: string; readonly mode: number };

/** Checks the store, its top level, and the files that our programs create below: index, spool, logs, setup. */
export const modesCheck: Check = {
  name: 'modes',
  needs: ['store'],
  look: ({ home, platform, uid }) => {
    if (platform === 'win32') return undefined;
    const foreign = findForeign(home, uid);
    if (foreign.length > 0) {
      const message = `${countFiles(foreign)} of the store belong to another user: ${nameSome(foreign)}`;
      return [problem(message, `run: sudo chown -R "$(id -un)" ${home}`)];
    }
    const open = findOpen(home);
    if (open.length === 0) return 'only you can read the store';
    const names = nameSome(open.map(({ path }) => path));
    const fix = {
      plan: `make ${countFiles(open)} of the store private: ${names}`,
      carryOut: async () => {
        // Looks again and skips whatever is gone or private by now.
        const found = findOpen(home);
        for (const { path, mode } of found) chmodSync(path, mode & 0o700);
        return `made ${countFiles(found)} private`;
      },
    };
    return [problem(`other users of this machine may read ${names}`, `run: chmod -R go-rwx ${home}`, { fix })];
  },
};

const countFiles = (files: readonly unknown[]): string => countOf(files.length, 'file or folder', 'files and folders');

/** Folders of ours whose files are checked too; the journals' files belong to git and to the person. */
const ourFolders = ['index', 'spool', 'logs', 'setup', join('setup', 'backups')] as const;

const listOurs = (home: string): readonly (Open & { readonly uid: number })[] => {
  const below = ourFolders.map((name) => join(home, name)).filter(isRealFolder);
  const paths = [home, ...[home, ...below].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))];
  return paths.flatMap((path) => {
    // Skips a person's links, which point out of the store; the store itself may be reached through one.
    const stat = path === home ? statSync(path) : lstatSync(path, { throwIfNoEntry: false });
    const isOurs = stat?.isDirectory() === true || stat?.isFile() === true;
    return isOurs ? [{ path, mode: stat.mode, uid: stat.uid }] : [];
  });
};

const findOpen = (home: string): readonly Open[] => listOurs(home).filter(({ mode }) => (mode & 0o077) !== 0);

/** Files of another user, such as those created by a command under sudo. */
const findForeign = (home: string, me: number | undefined): readonly string[] =>
  me === undefined || me === 0 ? [] : listOurs(home).flatMap(({ path, uid }) => (uid === me ? [] : [path]));

const isRealFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
