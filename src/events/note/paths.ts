/**
 * Where notes lie in a journal. The one place that decides what is a note path: writing, reconciling, catching up and replay
 * all ask here, so that machines with other disks agree. What may not be checked out on one of them is a note on none.
 */
import type { NoteId, NoteType } from './note.js';

/** Folders that hold notes. */
export const noteFolders = ['procedural', 'semantic', 'episodic'] as const;

/** Only these paths are projected or written; a path that is not valid UTF-8 is none, whatever stands for its bytes. */
export const isNotePath = (path: string): boolean =>
  isUsualPath(path) || (notePath.test(path) && barOf(path) === undefined);

/**
 * `<type>/<last two characters of the id>/<id>.md`. The fan-out is by the random end of the ULID: a commit rewrites the
 * tree objects on its way, and this keeps them small at any size (design §2).
 */
export const pathOfNote = (type: NoteType, id: NoteId): string => `${type}/${id.slice(-2)}/${id}.md`;

/** The id in a note path: its last 26 characters before `.md`. */
export const idOfPath = (path: string): NoteId => path.slice(-29, -3);

/**
 * Why a markdown file below the note folders is no note by its path, as a phrase for `status`; undefined for a note path
 * and for every other file.
 */
export const whyNoNote = (path: string): string | undefined => {
  if (isUsualPath(path) || !markdownBelow.test(path)) return undefined;
  return barOf(path) ?? (notePath.test(path) ? undefined : notNamedAsNote);
};

/** A copy of a note is told otherwise, by what it holds. */
export const notNamedAsNote =
  'its name is not <ULID>.md; anamnesis import FILE --project KEY makes a note of it, and the file can go then';

/**
 * Paths that another one hides: those that differ from it only by case, or by how an accent is written, so that many
 * disks hold only one of the two. The first by path is the note. Takes note paths in path order; answers what hides each.
 */
export const findTwins = (paths: readonly string[]): ReadonlyMap<string, string> => {
  const twins = new Map<string, string>();
  // Ids are in upper case, so two paths of the usual form are never twins, and a store without others is done here.
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
 * True when none of these note paths can be the twin of a path in a tree with these folders right below the note folders
 * (`semantic/0A`). Says false for whatever it would have to look into deeper folders for.
 */
export const standApart = (paths: readonly string[], folders: readonly string[]): boolean => {
  const nameByKey = new Map<string, string>();
  const isAlone = (folder: string): boolean => {
    const key = foldCase(folder);
    const name = nameByKey.get(key) ?? folder;
    nameByKey.set(key, name);
    return name === folder;
  };
  return (
    folders.every(isAlone) &&
    paths.every((path) => {
      const parts = path.split('/');
      return parts.length < 3 || (parts.length === 3 && isAlone(`${parts[0]}/${parts[1]}`));
    })
  );
};

const usualPath = /^(?:procedural|semantic|episodic)\/[0-9A-HJKMNP-TV-Z]{2}\/[0-7][0-9A-HJKMNP-TV-Z]{25}\.md$/;
/** The form of `pathOfNote`: no such path is the twin of another one. */
export const isUsualPath = (path: string): boolean => usualPath.test(path);
const notePath = /^(?:procedural|semantic|episodic)\/(?:[^/]+\/)*[0-7][0-9A-HJKMNP-TV-Z]{25}\.md$/;
const markdownBelow = /^(?:procedural|semantic|episodic)\/[\s\S]*\.md$/i;

/** Systems stop at 260 to 4096 bytes for a path and 255 for a name; what is left is for the folder of the store. */
const maxPathBytes = 1000;
const maxNameBytes = 255;
const maxFolders = 64;

/** Characters that end a line or steer a terminal, and the marks of bytes that are not UTF-8. */
const invisible = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u;
/** Not allowed in names on Windows; the backslash divides folders there, the colon names a stream of a file. */
const windowsBarred = /[\\:*?"<>|]|[. ](?:\/|$)/;
/** Devices on Windows, with any ending. */
const device = /(?:^|\/)(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)[ ]*(?:\.|\/|$)/i;
/** Folders that lead elsewhere, and what git keeps for itself, also by its short name on Windows. */
const leadsElsewhere = /(?:^|\/)(?:\.{0,2}|\.git|git~\d+)(?:\/|$)/i;
/** Characters that macOS does not tell apart from nothing. */
const ignorable = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** A folder that has a note's name: on a disk that ignores case it may meet that note. */
const noteName = /(?:^|\/)[0-7][0-9a-hjkmnp-tv-z]{25}\.md(?:\/|$)/i;

/** Most folders that people make; a replay asks for each of 100,000 paths. */
const plainFolders = /^[\w-]+(?:[ /][\w-]+)*$/;

/** Why a path can't be a note's, whatever its file name; undefined when its folders are good on every system. */
const barOf = (path: string): string | undefined => {
  const folders = path.slice(path.indexOf('/') + 1, Math.max(0, path.lastIndexOf('/')));
  if (!plainCharacters.test(path) && invisible.test(path))
    return 'its path has control characters or is not valid UTF-8';
  if (path.length * 3 > maxPathBytes && Buffer.byteLength(path) > maxPathBytes)
    return `its path is longer than ${maxPathBytes} bytes`;
  if (!path.includes('/', path.indexOf('/') + 1)) return undefined;
  if (path.length < 128 && plainFolders.test(folders) && !device.test(folders)) return undefined;
  if (leadsElsewhere.test(folders.replace(ignorable, '')))
    return 'a folder of its path leads elsewhere or is git’s own';
  if (windowsBarred.test(folders) || device.test(folders)) return 'a folder of its path is not possible on Windows';
  if (noteName.test(folders)) return 'a folder of its path has the name of a note';
  const names = folders.split('/');
  if (names.length > maxFolders) return `it lies in more than ${maxFolders} folders`;
  if (names.some((name) => name.length * 3 > maxNameBytes && Buffer.byteLength(name) > maxNameBytes))
    return `a folder of its path has a name longer than ${maxNameBytes} bytes`;
  return undefined;
};

/** The same for all names that a disk which ignores case, or stores accents its own way, takes for one. */
const foldCase = (path: string): string =>
  plainCharacters.test(path) ? path.toLowerCase() : path.normalize('NFD').toUpperCase().toLowerCase().normalize('NFD');

const plainCharacters = /^[\x20-\x7e]*$/;
