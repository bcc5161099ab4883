/** Finds the project that a folder belongs to. Reads a few small files; never runs git. */
import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { globalProject, keyOfName, keyOfRemote } from './project-key.js';
import { type Marker, readMarker } from './project-marker.js';

export { globalProject } from './project-key.js';

/** The keys that the person confirmed, by the real path of the marker's folder. */
export type TrustedProjects = Readonly<Record<string, string>>;

export type ProjectSurroundings = {
  /** The person's home folder, which is never a project. */
  readonly userHome: string;
  readonly trusted: TrustedProjects | undefined;
};

export type FoundProject = {
  readonly key: string;
  readonly from: 'marker' | 'remote' | 'repository' | 'folder' | 'home';
  /** The nearest marker, whether it names the project or not. */
  readonly marker?: Marker | undefined;
  /** Why the nearest marker does not count, as a phrase. */
  readonly ignored?: string | undefined;
};

/**
 * Tries in order: the nearest `.anamnesis/project` upward (below the home folder) that counts, the origin remote (of
 * the main repository), the repository's folder, the folder's name, all but the marker in lower case; else `global`.
 */
export const findProject = (folder: string, { userHome, trusted }: ProjectSurroundings): FoundProject => {
  if (folder.length > maxFolderChars || folder.includes('\0')) return { key: globalProject, from: 'folder' };
  const start = resolveLinks(resolve(folder));
  const stop = resolveLinks(resolve(userHome));
  const markers = listMarkers(start, stop);
  const [marker] = markers;
  const ignored = marker === undefined ? undefined : whyIgnored(marker, stop, trusted);
  const chosen = markers.find((one) => whyIgnored(one, stop, trusted) === undefined);
  const found = chosen?.key === undefined ? ownProject(start, stop) : { key: chosen.key, from: 'marker' as const };
  return { ...found, marker, ignored };
};

/** No system opens a longer path, or one with a NUL. */
const maxFolderChars = 4096;

export const projectOfFolder = (folder: string, userHome: string, trusted?: TrustedProjects): string =>
  findProject(folder, { userHome, trusted }).key;

/** Explains why the nearest marker doesn't count, with the next step; undefined when it counts or there is none. */
export const explainIgnored = ({ marker, ignored, key }: FoundProject): string | undefined => {
  if (marker === undefined || ignored === undefined) return undefined;
  const next =
    marker.key === undefined
      ? ''
      : `; if you want its notes to be here, run: anamnesis project trust ${quote(marker.folder)}`;
  return `${marker.file} does not count: ${ignored}; the project is ${key}${next}`;
};

const quote = (path: string): string => (/^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** Unconfirmed, a marker may only repeat its folder's key or name a part of the repository (`<remote>/…`). */
const whyIgnored = (marker: Marker, stop: string, trusted: TrustedProjects | undefined): string | undefined => {
  if (marker.key === undefined) return marker.why;
  const confirmed = trusted !== undefined && Object.hasOwn(trusted, marker.folder) ? trusted[marker.folder] : undefined;
  if (confirmed === marker.key) return undefined;
  const own = ownProject(marker.folder, stop);
  const key = marker.key.toLowerCase();
  if (key === own.key || (own.from === 'remote' && key.startsWith(`${own.key}/`))) return undefined;
  return confirmed === undefined
    ? `it names ${JSON.stringify(marker.key)}, and you have not confirmed that for this folder`
    : `it names ${JSON.stringify(marker.key)} now, and you confirmed ${JSON.stringify(confirmed)}`;
};

/** The project that applies without a marker. */
const ownProject = (start: string, stop: string): Pick<FoundProject, 'key' | 'from'> => {
  const repository = nearest(start, undefined, findRepository);
  if (repository !== undefined) {
    const remote = originUrl(repository.config);
    const key = remote === undefined ? undefined : keyOfRemote(remote);
    if (key !== undefined) return { key, from: 'remote' };
    // A home folder that is a repository itself (dot files) names no project.
    if (repository.root !== stop) return { key: keyOfName(basename(repository.root)), from: 'repository' };
  }
  return start === stop ? { key: globalProject, from: 'home' } : { key: keyOfName(basename(start)), from: 'folder' };
};

type Repository = { readonly root: string; readonly config: string };

/** Returns undefined for a folder without `.git`; for a worktree, the main repository's folder and config. */
const findRepository = (folder: string): Repository | undefined => {
  const git = join(folder, '.git');
  const stat = statOf(git);
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

/** Returns undefined on any error: if a folder has become a file or can't be searched, its parents decide. */
const statOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

/** Parsed by hand: the lines are untrusted, and long white space must not cost more than reading it once. */
const originUrl = (config: string): string | undefined => {
  let inOrigin = false;
  for (const line of (read(config) ?? '').split('\n').map((one) => one.trim())) {
    if (line.startsWith('[')) inOrigin = /^\[remote[ \t]+"origin"\]$/.test(line);
    const equals = inOrigin ? line.indexOf('=') : -1;
    if (equals === -1 || line.slice(0, equals).trimEnd().toLowerCase() !== 'url') continue;
    const url = line.slice(equals + 1).trimStart();
    if (url !== '') return url;
  }
  return undefined;
};

/** Returns the markers from the folder upward, nearest first. */
const listMarkers = (start: string, stop: string): readonly Marker[] => {
  const found: Marker[] = [];
  nearest(start, stop, (at) => {
    const marker = readMarker(at);
    if (marker !== undefined) found.push(marker);
    return undefined;
  });
  return found;
};

/** Deeper than any project; a caller must not be able to make us check a thousand parents of a folder. */
const maxLevels = 64;

/** Returns the first result of `look` from the folder upward; stops before `stop` when it is given. */
const nearest = <Found>(
  folder: string,
  stop: string | undefined,
  look: (at: string) => Found | undefined,
): Found | undefined => {
  let at = folder;
  for (let level = 0; level < maxLevels && at !== stop; level += 1) {
    const found = look(at);
    if (found !== undefined) return found;
    if (dirname(at) === at) return undefined;
    at = dirname(at);
  }
  return undefined;
};

const firstLine = (file: string): string | undefined => {
  const line = read(file)?.split('\n')[0]?.trim();
  return line === undefined || line === '' ? undefined : line;
};

/** A larger file of git's names no project. */
const maxBytes = 1024 * 1024;

const read = (file: string): string | undefined => {
  try {
    const stat = statSync(file);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
};

const resolveLinks = (folder: string): string => {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
};
