/**
 * The last sync of each machine: a ref each, on the remote and here, to a commit without files whose message records
 * it. Each is committed on the machine's previous one, so that pushing always fast-forwards.
 */
import { isMachineName } from '../../claims.js';
import { isObjectId } from '../../note/blob-id.js';
import { formatTime, parseTime } from '../../time.js';
import { checkCommit, formatFastImport } from '../fast-import.js';
import { readRef, retryWhileRefLocked } from '../git-files.js';
import { type GitFolders, runGit } from '../git-process.js';

export type MachineMark = {
  readonly machine: string;
  /** The commit of the portable journal that the machine and the remote both had. */
  readonly head: string;
  /** By that machine's clock, in the note format's form. */
  readonly at: string;
};

export const markFolder = 'refs/anamnesis/machines/';

/** Returns the ref of a machine's mark; `machineOfRef` recovers the name, whatever its characters. */
export const markRef = (machine: string): string => `${markFolder}${encodeName(machine)}`;

/** Returns undefined for a ref that `markRef` never makes. */
export const machineOfRef = (ref: string): string | undefined => {
  if (!ref.startsWith(markFolder)) return undefined;
  const machine = ref.slice(markFolder.length).replace(/_([0-9a-f]{2})/g, (_, code: string) => charOf(code));
  return isMachineName(machine) && markRef(machine) === ref ? machine : undefined;
};

/** Sorted by machine in code unit order; without malformed ones and those that name another machine than their ref. */
export const readMarks = async (folders: GitFolders): Promise<readonly MachineMark[]> => {
  const output = await runGit(folders, ['for-each-ref', '--format=%(refname)%00%(contents)%00', markFolder]);
  const fields = output.toString('utf8').split('\0');
  const marks = fields.flatMap((ref, at) => (at % 2 === 1 ? [] : (parseMark(ref.trim(), fields[at + 1] ?? '') ?? [])));
  return marks.sort((a, b) => (a.machine < b.machine ? -1 : 1));
};

/** Returns the commit. One git call, two small objects. Throws GitError if another process of this machine writes. */
export const writeMark = async (folders: GitFolders, mark: MachineMark): Promise<string> => {
  const ref = markRef(mark.machine);
  const head = checkCommit(mark.head);
  const parent = readRef(folders.gitDir, ref);
  const message = `machine.synced: ${mark.machine}\n\nFormat: 1\nMachine: ${mark.machine}\nHead: ${head}\nAt: ${mark.at}\n`;
  const commit = { message, machine: mark.machine, epochMs: parseTime(mark.at) ?? 0, changes: [] };
  // As loose objects: one pack per sync would slow git down more and more.
  const args = ['-c', 'fastimport.unpackLimit=100', 'fast-import', '--quiet', '--done', '--date-format=raw'];
  const write = (on: string | undefined): Promise<Buffer> =>
    retryWhileRefLocked(() => runGit(folders, args, formatFastImport([commit], ref, on)), folders.gitDir);
  const output = await write(parent).catch(async (error) => {
    if (parent === undefined) throw error;
    // A remote can replace our mark with anything.
    await runGit(folders, ['update-ref', '-d', ref, parent]);
    return write(undefined);
  });
  return output.toString('latin1').trim();
};

/** Windows treats files with these names as devices. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Lower-case letters, digits and `-`: git may reject dots, and a disk may take two names for one. */
const encodeName = (machine: string): string =>
  machine.replace(deviceName.test(machine) ? /^./ : /[^a-z0-9-]/g, (char) => `_${codeOf(char)}`);

const codeOf = (char: string): string => char.charCodeAt(0).toString(16).padStart(2, '0');
const charOf = (code: string): string => String.fromCharCode(Number.parseInt(code, 16));

/** Our marks have far fewer characters; a longer message isn't parsed. */
const maxChars = 1000;

const parseMark = (ref: string, message: string): MachineMark | undefined => {
  const machine = machineOfRef(ref);
  const start = message.lastIndexOf('\n\nFormat: ');
  if (machine === undefined || start === -1 || message.length > maxChars) return undefined;
  const lines = message.slice(start + 2).split('\n');
  const textOf = (key: string): string =>
    lines.find((line) => line.startsWith(`${key}: `))?.slice(key.length + 2) ?? '';
  const [head, time] = [textOf('Head'), parseTime(textOf('At'))];
  if (textOf('Machine') !== machine || !isObjectId(head) || time === undefined) return undefined;
  return { machine, head, at: formatTime(time) };
};
