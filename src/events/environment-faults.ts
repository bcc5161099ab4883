/** Denials by the machine (a full disk, another user's file), found in errors. Pure: the caller passes in the probe. */
import { Fault, type FaultCode } from './faults.js';

export type DenialKind =
  | 'disk-full'
  | 'inodes-gone'
  | 'read-only'
  | 'not-permitted'
  | 'no-folder'
  | 'too-many-files'
  | 'file-too-large';

export type Denial = {
  readonly kind: DenialKind;
  /** Where it happened, when known. */
  readonly path?: string | undefined;
};

/**
 * The fault for a denial; undefined for any other error, a Fault included. `look` probes the machine only when the
 * error says too little: SQLite has one code for many, and git may have met what it isn't allowed to read.
 */
export const environmentFault = (error: unknown, home: string, look: () => Denial | undefined): Fault | undefined => {
  if (error instanceof Fault) return undefined;
  const said = denialOf(error);
  if (said === undefined) return undefined;
  const denial = typeof said === 'string' ? lookFor(said, look) : refine(said, look);
  return denial === undefined ? undefined : faultOfDenial(denial, home, error);
};

const lookFor = (said: Unnamed, look: () => Denial | undefined): Denial | undefined => {
  const seen = look();
  return said === 'unclear' || (seen !== undefined && hiddenFromGit.has(seen.kind)) ? seen : undefined;
};

/** Denials that git may not name in its error; it names the others. */
const hiddenFromGit: ReadonlySet<DenialKind> = new Set(['not-permitted', 'disk-full', 'inodes-gone']);

/** Prefers what was seen when it is more exact: no inodes left, or a folder above the file that can't be entered. */
const refine = (said: Denial, look: () => Denial | undefined): Denial => {
  if (said.kind !== 'disk-full' && said.kind !== 'not-permitted') return said;
  const seen = look();
  const isAbove = seen?.kind === 'not-permitted' && said.path?.startsWith(seen.path ?? '') === true;
  return seen !== undefined && (isAbove || seen.kind === 'inodes-gone') ? seen : said;
};

/** 'unclear' for SQLite, whose code may mean any denial; 'hidden' for git, which names most denials itself. */
type Unnamed = 'unclear' | 'hidden';

/** Returns the denial that the error or one of its causes names. */
const denialOf = (error: unknown): Denial | Unnamed | undefined => {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  const kind = kindOfCode[code];
  if (kind !== undefined) return { kind, path: 'path' in error ? String(error.path) : undefined };
  if (error.name === 'SqliteError') return denialOfSqlite(code);
  const inCause = denialOf(error.cause);
  if (code !== 'git-failed' || !('stderr' in error)) return inCause;
  // git treats a repository that it can't read as missing, and reports only that it could not write a configuration.
  return denialInText(String(error.stderr)) ?? inCause ?? 'hidden';
};

/** True when the machine denies something to us or to SQLite: rebuilding can't help until that is fixed. */
export const isDenied = (error: unknown): boolean => {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const code = String(error.code);
  return kindOfCode[code] !== undefined || (error.name === 'SqliteError' && denialOfSqlite(code) !== undefined);
};

/** Finds a denial in git's messages, which are English here. Skips the remote's lines: they concern another machine. */
export const denialInText = (stderr: string): Denial | undefined => {
  for (const line of stderr.split('\n')) {
    if (line.startsWith('remote:')) continue;
    const said = line.trimEnd().replace(/\.$/, '');
    const cut = Math.max(said.lastIndexOf(': '), said.lastIndexOf('. '));
    const kind = cut === -1 ? undefined : kindOfWords[said.slice(cut + 2)];
    if (kind !== undefined) return { kind, path: pathIn(said.slice(0, cut)) };
  }
  return undefined;
};

const kindOfCode: Readonly<Record<string, DenialKind>> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EROFS: 'read-only',
  EACCES: 'not-permitted',
  EPERM: 'not-permitted',
  ENOTDIR: 'no-folder',
  EMFILE: 'too-many-files',
  ENFILE: 'too-many-files',
  EFBIG: 'file-too-large',
  SIGXFSZ: 'file-too-large',
};

const kindOfWords: Readonly<Record<string, DenialKind>> = {
  'No space left on device': 'disk-full',
  'Out of diskspace': 'disk-full',
  'Disk quota exceeded': 'disk-full',
  'Read-only file system': 'read-only',
  'Permission denied': 'not-permitted',
  'Operation not permitted': 'not-permitted',
  'Too many open files': 'too-many-files',
  'Too many open files in system': 'too-many-files',
  'File too large': 'file-too-large',
  'killed by SIGXFSZ': 'file-too-large',
};

/** The I/O errors that mean a damaged file rather than a denial. */
const damagedReads: ReadonlySet<string> = new Set([
  'SQLITE_IOERR_READ',
  'SQLITE_IOERR_SHORT_READ',
  'SQLITE_IOERR_DATA',
  'SQLITE_IOERR_CORRUPTFS',
]);

const denialOfSqlite = (code: string): Denial | Unnamed | undefined => {
  if (code === 'SQLITE_FULL') return { kind: 'disk-full' };
  if (damagedReads.has(code)) return undefined;
  return /^SQLITE_(?:IOERR|READONLY|CANTOPEN|PERM)/.test(code) ? 'unclear' : undefined;
};

const pathIn = (text: string): string | undefined =>
  /'(\/[^']+)'/.exec(text)?.[1] ?? /(?:^|\s)(\/\S+)$/.exec(text)?.[1];

export const faultOfDenial = ({ kind, path }: Denial, home: string, cause?: unknown): Fault => {
  const fault = (code: FaultCode, message: string, next: string): Fault => new Fault(code, message, next, { cause });
  const isOurs = path === undefined || path === home || path.startsWith(`${home}/`);
  const place = isOurs ? home : path;
  switch (kind) {
    case 'disk-full':
      return fault(
        'disk-full',
        `there is no room left on the disk of ${place}`,
        'make room there and repeat the command; what was recorded before is kept',
      );
    case 'inodes-gone':
      return fault(
        'disk-full',
        `the disk of ${place} can hold no more files: its inodes are used up`,
        'remove files there and repeat the command; what was recorded before is kept',
      );
    case 'read-only':
      return fault(
        'read-only',
        `${place} is on a disk that can only be read`,
        isOurs
          ? 'mount it for writing and repeat the command; until then the notes can be searched and shown'
          : 'name another place, or mount it for writing and repeat the command',
      );
    case 'not-permitted':
      return fault(
        'not-permitted',
        `this user may not read or may not write ${path ?? home}`,
        isOurs
          ? `give the store back to its user: sudo chown -R "$(id -un)" ${home} && chmod -R u+rwX ${home}`
          : 'name another place, or change its owner or mode, which ls -ld shows',
      );
    case 'no-folder':
      return fault(
        'not-permitted',
        `${path ?? home} can't be reached: a part of that path is a file, not a folder`,
        isOurs ? 'name another folder with ANAMNESIS_HOME or --home, or move that file away' : 'name another place',
      );
    case 'too-many-files':
      return fault(
        'limit-reached',
        'this process may open no more files',
        'raise the limit (ulimit -n) or end other programs, then repeat the command',
      );
    case 'file-too-large':
      return fault(
        'limit-reached',
        `a file of ${place} may not grow any more`,
        'raise the limit on the size of files (ulimit -f), then repeat the command',
      );
  }
};

/** npm 12 blocks install scripts that aren't allowed; older versions accept the option. */
export const installCommand = 'npm install --global --allow-scripts=better-sqlite3 anamnesis';
