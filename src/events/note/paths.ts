/** Decides what is a note path, so that all machines agree: a path that some disk can't check out is one on none. */
import type { NoteId, NoteType } from './note.js';

export const noteFolders = ['procedural', 'semantic', 'episodic'] as const;

/** Only note paths are projected or written. A path that is not valid UTF-8 never is one, however it was decoded. */
export const isNotePath = (path: string): boolean =>
  isUsualPath(path) || (notePath.test(path) && whyInvalid(path) === undefined);

/** `<type>/<last two characters of the id>/<id>.md`: the random end keeps the trees that a commit rewrites small. */
export const pathOfNote = (type: NoteType, id: NoteId): string => `${type}/${id.slice(-2)}/${id}.md`;

/** The id in a note path: its last 26 characters before `.md`. */
export const idOfPath = (path: string): NoteId => path.slice(-29, -3);

/** As a phrase for `status`, for markdown files in the note folders; undefined for note paths and all other files. */
export const whyNoNote = (path: string): string | undefined => {
  if (isUsualPath(path) || !markdownBelow.test(path)) return undefined;
  return whyInvalid(path) ?? (notePath.test(path) ? undefined : notNamedAsNote);
};

const notNamedAsNote =
  'its name is not <ULID>.md; if it is a copy of a note, delete it, else make a note of it with anamnesis import FILE --project KEY, then delete it';

/**
 * Paths that another one hides, differing by case or an accent's encoding: many disks store only one. The first by path
 * is the note. Takes note paths in path order; maps each hidden one to the one that hides it.
 */
export const findTwins = (paths: readonly string[]): ReadonlyMap<string, string> => {
  const twins = new Map<string, string>();
  // Ids are in upper case, so two usual paths are never twins, and a store without other paths needs no more work.
  const unusual = paths.filter((path) => !isUsualPath(path));
  if (unusual.length === 0) return twins;
  const doubtful = new Set(unusual.map(foldCase));
  const firstByKey = new Map<string, string>();
  for (const path of paths) {
    const key = foldCase(path);
    if (!doubtful.has(key)) continue;
    const first = firstByKey.get(key);
    if (first === undefined) firstByKey.set(key, path);
    else twins.set(path, first);
  }
  return twins;
};

/**
 * True if the changes of a tree need no look at its other paths: each is in the usual form, or directly in its type's
 * folder. A path of another form may be the twin of one that did not change, which then appears or disappears.
 */
export const standApart = (changes: readonly { readonly path: string }[]): boolean =>
  changes.every(({ path }) => isUsualPath(path) || path.split('/').length < 3);

const usualPath = /^(?:procedural|semantic|episodic)\/[0-9A-HJKMNP-TV-Z]{2}\/[0-7][0-9A-HJKMNP-TV-Z]{25}\.md$/;
/** True for a path in the form of `pathOfNote`; no two of these are twins. */
export const isUsualPath = (path: string): boolean => usualPath.test(path);
const notePath = /^(?:procedural|semantic|episodic)\/(?:[^/]+\/)*[0-7][0-9A-HJKMNP-TV-Z]{25}\.md$/;
const markdownBelow = /^(?:procedural|semantic|episodic)\/[\s\S]*\.md$/i;

/** Systems allow 260 to 4096 bytes for a path and 255 for a name; the difference is left for the store's folder. */
const maxPathBytes = 1000;
const maxNameBytes = 255;
const maxFolders = 64;

/** Characters that end a line or control a terminal, and the replacements of bytes that are not UTF-8. */
const invisible = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u;
/** Not allowed in names on Windows, where the backslash separates folders and the colon names a stream of a file. */
const windowsBarred = /[\\:*?"<>|]|[. ](?:\/|$)/;
/** Device names on Windows, with any extension. */
const device = /(?:^|\/)(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)[ ]*(?:\.|\/|$)/i;
/** A folder without a name, `.`, `..`, and git's own folder, also by its short name on Windows. */
const leadsElsewhere = /(?:^|\/)(?:\.{0,2}|\.git|git~\d+)(?:\/|$)/i;
/** Characters that macOS ignores in names. */
const ignorable = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** A folder with a note's name: on a disk that ignores case it may collide with that note. */
const noteName = /(?:^|\/)[0-7][0-9a-hjkmnp-tv-z]{25}\.md(?:\/|$)/i;

/** A shortcut for most folders that people make, since a replay checks each of 100,000 paths. */
const plainFolders = /^[\w-]+(?:[ /][\w-]+)*$/;

/** Says why a path can't be a note's, whatever its file name; undefined if its folders are valid on every system. */
const whyInvalid = (path: string): string | undefined => {
  const folders = path.slice(path.indexOf('/') + 1, Math.max(0, path.lastIndexOf('/')));
  if (!plainCharacters.test(path) && invisible.test(path))
    return 'its path has control characters or is not valid UTF-8';
  if (path.length * 3 > maxPathBytes && Buffer.byteLength(path) > maxPathBytes)
    return `its path is longer than ${maxPathBytes} bytes`;
  if (!path.includes('/', path.indexOf('/') + 1)) return undefined;
  // Therefore no usual path has a twin, and a change to one concerns no other path.
  if (folders.length === 2 && folders !== folders.toUpperCase() && folders.toUpperCase() === path.slice(-5, -3))
    return 'its path differs only by case from the usual one';
  if (path.length < 128 && plainFolders.test(folders) && !device.test(folders)) return undefined;
  if (leadsElsewhere.test(folders.replace(ignorable, '')))
    return 'a folder in its path is `.` or `..`, has no name or is git’s own';
  if (windowsBarred.test(folders) || device.test(folders))
    return 'a folder in its path has a name that Windows does not allow';
  if (noteName.test(folders)) return 'a folder in its path has the name of a note';
  const names = folders.split('/');
  if (names.length > maxFolders) return `its folders are nested more than ${maxFolders} deep`;
  if (names.some((name) => name.length * 3 > maxNameBytes && Buffer.byteLength(name) > maxNameBytes))
    return `a folder in its path has a name longer than ${maxNameBytes} bytes`;
  return undefined;
};

/** Returns the same key for all names that a disk which ignores case or re-encodes accents treats as one. */
const foldCase = (path: string): string =>
  plainCharacters.test(path) ? path.toLowerCase() : path.normalize('NFD').toUpperCase().toLowerCase().normalize('NFD');

const plainCharacters = /^[\x20-\x7e]*$/;
