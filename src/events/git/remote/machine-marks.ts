/**
 * The last sync of each machine: one ref per machine, on the remote and here, to a commit without files whose message
 * says it. A mark grows on that machine's one before, so that pushing and fetching it always fast-forwards.
 */
import { isMachineName, isObjectId } from '../../claims.js';
import { formatTime, parseTime } from '../../time.js';
import { formatFastImport } from '../fast-import.js';
import { readRef } from '../git-files.js';
import { type GitFolders, runGit } from '../git-process.js';
import { retryWhileRefLocked } from '../git-retry.js';
import { checkCommit } from '../stream-form.js';
import { objectType } from './object-type.js';
import { readRefMessages } from './ref-messages.js';

export type MachineMark = {
  readonly machine: string;
  /** The commit of the portable journal that the machine and the remote both had. */
  readonly head: string;
  /** By that machine's clock, as notes write times. */
  readonly at: string;
};

/** Below it stand the marks of all machines. */
export const markFolder = 'refs/anamnesis/machines/';

/** Ref of a machine's mark. The name comes back from it whatever it is made of: see `machineOfRef`. */
export const markRef = (machine: string): string => `${markFolder}${encodeName(machine)}`;

/** Undefined for a ref that `markRef` gives no machine. */
export const machineOfRef = (ref: string): string | undefined => {
  if (!ref.startsWith(markFolder)) return undefined;
  const machine = ref.slice(markFolder.length).replace(/_([0-9a-f]{2})/g, (_, code: string) => charOf(code));
  return isMachineName(machine) && markRef(machine) === ref ? machine : undefined;
};

/** By machine, in code unit order. What is malformed, or says another machine's name than its ref, is left out. */
export const readMarks = async (folders: GitFolders): Promise<readonly MachineMark[]> => {
  const marks: MachineMark[] = [];
  for (const { ref, message } of await readRefMessages(folders, markFolder)) {
    const mark = parseMark(ref, message);
    if (mark !== undefined) marks.push(mark);
  }
  return marks.sort((a, b) => (a.machine < b.machine ? -1 : 1));
};

/**
 * Adds a mark on the machine's last one and answers its commit id; costs one git call and two small objects, also when
 * nothing changed but the time. Throws GitError when two processes of one machine write marks at the same moment.
 */
export const writeMark = async (folders: GitFolders, mark: MachineMark): Promise<string> => {
  const ref = markRef(mark.machine);
  const head = checkCommit(mark.head);
  const parent = readRef(folders.gitDir, ref);
  const message = `machine.synced: ${mark.machine}\n\nFormat: 1\nMachine: ${mark.machine}\nHead: ${head}\nAt: ${mark.at}\n`;
  const commit = { message, machine: mark.machine, epochMs: parseTime(mark.at) ?? 0, changes: [] };
  // As loose objects: a pack for every sync would make git slower with each of them.
  const args = ['-c', 'fastimport.unpackLimit=100', 'fast-import', '--quiet', '--done', '--date-format=raw'];
  const write = (on: string | undefined): Promise<Buffer> =>
    retryWhileRefLocked(() => runGit(folders, args, formatFastImport([commit], ref, on)), folders.gitDir);
  const output = await write(parent).catch(async (error) => {
    if (parent === undefined || (await objectType(folders, parent)) === 'commit') throw error;
    // A remote can put anything in the place of our mark.
    await runGit(folders, ['update-ref', '-d', ref, parent]);
    return write(undefined);
  });
  return output.toString('latin1').trim();
};

/** As files on Windows these names are devices. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Small letters, digits and `-` stay: no dot for git to refuse, no two names that a disk takes for one file. */
const encodeName = (machine: string): string =>
  machine.replace(deviceName.test(machine) ? /^./ : /[^a-z0-9-]/g, (char) => `_${codeOf(char)}`);

const codeOf = (char: string): string => char.charCodeAt(0).toString(16).padStart(2, '0');
const charOf = (code: string): string => String.fromCharCode(Number.parseInt(code, 16));

/** A mark of ours has far fewer characters; what is longer is not read line by line. */
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
