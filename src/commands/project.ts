/** Which project a folder belongs to. Reads a few small files; never runs git. */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The key of notes that belong to every project. */
export const globalProject = 'global';

/**
 * In this order: the nearest `.anamnesis/project` marker upward (below the home folder), the origin remote of the
 * repository (`github.com/owner/repo`; a worktree has its main repository's), the repository's folder name, the
 * folder's own name, all in lower case, else `global`.
 */
export const projectOfFolder = (folder: string, home: string): string => {
  const start = real(resolve(folder));
  const stop = real(resolve(home));
  const marker = nearest(start, stop, (at) => firstLine(join(at, '.anamnesis', 'project')));
  if (marker !== undefined) return marker;
  const repository = nearest(start, undefined, findRepository);
  if (repository !== undefined) {
    const remote = originUrl(repository.config);
    const key = remote === undefined ? undefined : normaliseRemote(remote);
    if (key !== undefined) return key;
    // A home folder that is a repository itself (dot files) names no project.
    if (repository.root !== stop) return nameOf(repository.root);
  }
  return start === stop ? globalProject : nameOf(start);
};

/** `github.com/owner/repo` of any spelling of a remote; undefined for a path or what is no address. */
export const normaliseRemote = (url: string): string | undefined => {
  const found =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(url) ??
    /^(?:[^@/\s]+@)([^:/\s]+):(.+)$/.exec(url);
  const host = found?.[1];
  const path = found?.[2]
    ?.replace(/[?#].*$/, '')
    .replace(/^[/~]+|\/+$/g, '')
    .replace(/\.git$/i, '');
  if (host === undefined || path === undefined || path === '' || /^file:/i.test(url)) return undefined;
  return `${host}/${path}`.toLowerCase();
};

type Repository = { readonly root: string; readonly config: string };

/** A folder with `.git`; for a worktree the main repository's folder and config. */
const findRepository = (folder: string): Repository | undefined => {
  const git = join(folder, '.git');
  const stat = lstatSync(git, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isDirectory()) return { root: folder, config: join(git, 'config') };
  const pointer = /^gitdir:\s*(.+)$/m.exec(read(git) ?? '')?.[1]?.trim();
  if (pointer === undefined) return undefined;
  const gitDir = resolve(folder, pointer);
  const common = firstLine(join(gitDir, 'commondir'));
  if (common === undefined) return { root: folder, config: join(gitDir, 'config') };
  const shared = resolve(gitDir, common);
  return { root: basename(shared) === '.git' ? dirname(shared) : shared, config: join(shared, 'config') };
};

const originUrl = (config: string): string | undefined => {
  let inOrigin = false;
  for (const line of (read(config) ?? '').split('\n')) {
    const section = /^\s*\[(.+)\]\s*$/.exec(line);
    if (section !== null) inOrigin = /^remote\s+"origin"$/.test(section[1] ?? '');
    const url = inOrigin ? /^\s*url\s*=\s*(\S.*?)\s*$/.exec(line)?.[1] : undefined;
    if (url !== undefined) return url;
  }
  return undefined;
};

const nameOf = (folder: string): string =>
  basename(folder)
    .replace(/\.git$/, '')
    .toLowerCase()
    .trim() || globalProject;

/** Looks from the folder upward; stops before `stop` when it is given. */
const nearest = <Found>(
  folder: string,
  stop: string | undefined,
  look: (at: string) => Found | undefined,
): Found | undefined => {
  for (let at = folder; at !== stop; at = dirname(at)) {
    const found = look(at);
    if (found !== undefined) return found;
    if (dirname(at) === at) return undefined;
  }
  return undefined;
};

const firstLine = (file: string): string | undefined => {
  const line = read(file)?.split('\n')[0]?.trim();
  return line === undefined || line === '' ? undefined : line;
};

const read = (file: string): string | undefined => {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
};

const real = (folder: string): string => {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
};
