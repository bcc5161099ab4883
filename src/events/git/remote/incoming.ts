/** Checks incoming history, by sizes, names and modes, before it is taken over; `fetch.fsckObjects` came before. */
import { groupBy } from '../../group-by.js';
import type { PathChange } from '../../journal.js';
import { maxFileBytes } from '../../note/note.js';
import { splitLines } from '../blob-stream.js';
import { mergeBases, readSide } from '../commit-range.js';
import { GitError, type GitFolders, runGit, streamGit } from '../git-process.js';
import { diffTrees } from '../note-tree.js';

export type IncomingLimits = {
  readonly commits: number;
  /** Files and folders of the tree, with the bytes of all their paths together. */
  readonly paths: number;
  readonly pathUnits: number;
  /** Changed files that aren't notes: git's index lists each, and every write reads and writes the index. */
  readonly others: number;
  /** Bytes of all messages and changed files together: few sent bytes may fill many files. */
  readonly bytes: number;
  /** For the whole listing, in milliseconds. */
  readonly ms: number;
};

/** A year of work has 50 MB of messages; a store of 100,000 notes has 500 MB of texts. */
export const incomingLimits: IncomingLimits = {
  commits: 1_000_000,
  paths: 2_000_000,
  pathUnits: 128 * 1024 ** 2,
  others: 20_000,
  bytes: 4 * 1024 ** 3,
  ms: 300_000,
};

export type CheckedHistory = {
  readonly commit: string;
  /** The newest commits that our head and the incoming one have in common; none if they began apart. */
  readonly bases: readonly string[];
};

/** Why the commits that `to` has and `from` lacks may not be taken over, or what was found. Four git calls. */
export const checkIncoming = async (
  folders: GitFolders,
  from: string | undefined,
  to: string,
  limits: IncomingLimits = incomingLimits,
): Promise<CheckedHistory | string> => {
  try {
    const bases = from === undefined ? [] : await mergeBases(folders, from, to);
    const refused = await findTooMany(folders, to, limits);
    if (refused !== undefined) return refused;
    const [base] = bases;
    const { commits, changes } =
      from === undefined || base === undefined
        ? { commits: await listCommits(folders, to, limits), changes: await diffTrees(folders, undefined, to) }
        : await readSide(folders, base, to, from);
    const noHistory = commits.length === 0 ? await whyNoHistory(folders, to) : undefined;
    if (noHistory !== undefined) return noHistory;
    if (commits.length > limits.commits) return `it has more than ${limits.commits} commits that are not here`;
    return findUnfit(changes, limits) ?? (await findLarge(folders, commits, changes, limits)) ?? { commit: to, bases };
  } catch (error) {
    if (error instanceof GitError) return (await whyNoHistory(folders, to)) ?? 'git cannot read its trees';
    throw error;
  }
};

const whyNoHistory = async (folders: GitFolders, to: string): Promise<string | undefined> => {
  const output = await runGit(folders, ['cat-file', '-t', to]).catch(() => Buffer.from('missing'));
  const type = output.toString('latin1').trim();
  return type === 'commit' ? undefined : `main there is ${nounOfType[type] ?? type}, not a commit`;
};

const nounOfType: Readonly<Record<string, string>> = {
  blob: 'a single file (a blob)',
  tree: 'a folder (a tree)',
  tag: 'a tag',
};

const listCommits = async (
  folders: GitFolders,
  to: string,
  limits: IncomingLimits,
): Promise<readonly { readonly hash: string }[]> => {
  const listed = await runGit(folders, ['rev-list', `--max-count=${limits.commits + 1}`, to, '--']);
  return listed
    .toString('latin1')
    .split('\n')
    .filter(Boolean)
    .map((hash) => ({ hash }));
};

/** As git lists them: `diff-tree` compares everything first, and a folder that nests itself takes all memory. */
const findTooMany = async (folders: GitFolders, to: string, limits: IncomingLimits): Promise<string | undefined> => {
  const deadline = Date.now() + limits.ms;
  let bytes = 0;
  let entries = 0;
  let refused: string | undefined;
  await streamGit(folders, ['ls-tree', '-r', '-t', '-z', '--full-tree', to], (chunk) => {
    bytes += chunk.length;
    for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) entries += 1;
    if (entries > limits.paths) refused = `it holds more than ${limits.paths} files and folders`;
    else if (bytes - entries * lineBytes > limits.pathUnits)
      refused = `its paths have more than ${limits.pathUnits} characters together`;
    else if (Date.now() > deadline) refused = 'its trees take too long to read';
    return refused === undefined;
  });
  return refused;
};

/** Mode, type and id of a line. */
const lineBytes = 53;

/** Also for what leaves: what we would refuse isn't sent. */
export const findUnfit = (
  changes: readonly PathChange[],
  limits: IncomingLimits = incomingLimits,
): string | undefined => {
  let others = 0;
  for (const { path, after, afterMode } of changes) {
    if (after === undefined) continue;
    if (path.length > maxPathUnits) return `it has a path of more than ${maxPathUnits} characters`;
    if (path.split('/').length > maxDepth) return `it has more than ${maxDepth} nested folders`;
    if (!knownModes.has(afterMode)) return `${path} has the mode ${afterMode}, which no file has`;
    if (!path.endsWith('.md')) others += 1;
    if (others > limits.others) return `it holds more than ${limits.others} files that aren't notes`;
  }
  return undefined;
};

/** The limit of Linux. */
const maxPathUnits = 4096;
const maxDepth = 65;
const knownModes: ReadonlySet<string> = new Set(['100644', '100755', '120000', '160000']);

const findLarge = async (
  folders: GitFolders,
  commits: readonly { readonly hash: string }[],
  changes: readonly PathChange[],
  limits: IncomingLimits,
): Promise<string | undefined> => {
  const paths = groupBy(
    changes.filter(({ after, afterMode }) => after !== undefined && afterMode !== '160000'),
    ({ after }) => after ?? '',
  );
  const wanted = [...commits.map(({ hash }) => hash), ...paths.keys()];
  if (wanted.length === 0) return undefined;
  let refused: string | undefined;
  let all = 0;
  const take = splitLines((line) => {
    const [id = '', type = '', size = '0'] = line.split(' ');
    all += (Number(size) || 0) * (paths.get(id)?.length ?? 1);
    if (type === 'missing') refused ??= `the content of ${paths.get(id)?.[0]?.path ?? id} is missing`;
    else if (type === 'commit' && Number(size) > maxFileBytes)
      refused ??= `the message of commit ${id} has more than ${inMebibytes(maxFileBytes)}`;
    else if (all > limits.bytes) refused ??= `it brings more than ${inMebibytes(limits.bytes)}`;
  });
  const args = ['cat-file', '--batch-check', '--buffer'];
  await streamGit(folders, args, (chunk) => take(chunk) && refused === undefined, [`${wanted.join('\n')}\n`]);
  return refused;
};

const inMebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;
