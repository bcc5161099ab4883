/** Checks that the store's folder exists and that no other user can read it. */
import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, type CheckInput, countOf, nameSome, ok, problem, warning } from './check.js';

export const folderCheck: Check = {
  name: 'store',
  look: ({ home }) => {
    const stat = statSync(home, { throwIfNoEntry: false });
    if (stat === undefined) {
      return [warning('store', `there is no store at ${home} yet`, { next: 'run: anamnesis init' })];
    }
    if (!stat.isDirectory()) {
      return [
        problem('store', `${home} is not a folder`, {
          next: 'move that file away, or set ANAMNESIS_HOME to another folder',
        }),
      ];
    }
    return [ok('store', home)];
  },
};

type Open = { readonly path: string; readonly mode: number };

/** Checks the store, its top level, and the files that our programs create below: index, spool, logs, setup. */
export const modesCheck: Check = {
  name: 'modes',
  look: (examined) => {
    const { home, platform, uid } = examined;
    if (platform === 'win32' || !isStoreThere(examined)) return [];
    const foreign = findForeign(home, uid);
    if (foreign.length > 0) {
      const message = `${countOf(foreign.length, 'file or folder', 'files and folders')} of the store belong to another user: ${nameSome(foreign)}`;
      return [problem('modes', message, { next: `run: sudo chown -R "$(id -un)" ${home}` })];
    }
    const open = findOpen(home);
    if (open.length === 0) return [ok('modes', 'only you can read the store')];
    const names = nameSome(open.map(({ path }) => path));
    return [
      problem('modes', `other users of this machine may read ${names}`, {
        next: `run: chmod -R go-rwx ${home}`,
        fix: {
          plan: `make ${countOf(open.length, 'file or folder', 'files and folders')} of the store private: ${names}`,
          carryOut: async () => {
            // Looks again and skips whatever is gone or private by now.
            const found = findOpen(home);
            for (const { path, mode } of found) chmodSync(path, mode & 0o700);
            return `made ${countOf(found.length, 'file or folder', 'files and folders')} private`;
          },
        },
      }),
    ];
  },
};

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

/** Also false if the path is something other than a folder. */
export const isStoreThere = ({ home }: CheckInput): boolean =>
  statSync(home, { throwIfNoEntry: false })?.isDirectory() === true;
