/** Checks that every git object exists and is intact; the fix restores objects of which a copy is at hand. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checkObjects } from '../../events/git/git-admin.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { GitError, runGit } from '../../events/git/git-process.js';
import { blobIdOf } from '../../events/note/blob-id.js';
import { listNoteFiles } from '../../events/worktree/walk-notes.js';
import { faultOf } from '../../state/environment-probe.js';
import { type Check, countOf, type Examined, existingJournals, type Finding, type Fix, ok, problem } from './check.js';
import { fetchObjects } from './refetch.js';

export const objectsCheck: Check = {
  name: 'objects',
  look: async (examined) => {
    const journals = !examined.gitWorks ? [] : existingJournals(examined);
    const found = (await Promise.all(journals.map((journal) => findDamage(journal, examined)))).flat();
    return found.length === 0 && journals.length > 0 ? [ok('objects', 'git has every object of the journals')] : found;
  },
};

/** Above this, hashing every object takes longer than a person waits; `verify` does it. */
const maxBytesToHash = 32 * 1024 * 1024;

const findDamage = async (journal: GitJournal, examined: Examined): Promise<readonly Finding[]> => {
  const { folder } = journal;
  const lines = await damagedLines(journal, examined.home);
  const [first, ...others] = lines;
  if (first === undefined) return [];
  const more = others.length > 0 ? ` and ${countOf(others.length, 'more line', 'more lines')}` : '';
  return [
    problem('objects', `git finds ${folder} damaged: ${first}${more}`, {
      next: "run: anamnesis doctor --fix; anamnesis verify names what it can't repair: restore that from a backup or another clone",
      damage: true,
      fix: mend(journal, examined),
    }),
  ];
};

/** Returns git's reports of damage, one per line; the head itself has its own check. */
const damagedLines = async ({ folders }: GitJournal, home: string): Promise<readonly string[]> => {
  const { gitDir } = folders;
  const bytes = packsOf(gitDir).reduce((sum, path) => sum + statSync(path).size, 0);
  try {
    const report = await checkObjects(folders, bytes > maxBytesToHash ? '--connectivity-only' : '--full');
    return report.ok ? [] : report.lines.filter((line) => !/^(?:notice|warning|dangling)/.test(line));
  } catch (error) {
    // A fault of the machine is not damage.
    if (!(error instanceof GitError) || faultOf(error, home)?.code !== 'journal-damaged') throw error;
    return error.stderr.trim().split('\n');
  }
};

const packsOf = (gitDir: string): readonly string[] => {
  const folder = join(gitDir, 'objects', 'pack');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.pack'))
    .map((name) => join(folder, name));
};

const mend = (journal: GitJournal, { home, withMemory, environment }: Examined): Fix => ({
  plan: `restore what ${journal.folder} lacks from its damaged packs, the note files and the remote; damaged files are set aside`,
  carryOut: () =>
    withMemory((memory) =>
      memory.exclusively(async () => {
        await indexPacks(journal);
        await unpackDamagedPacks(journal);
        await moveDamagedAside(journal);
        const written = await writeFromFiles(journal);
        let left = await damagedLines(journal, home);
        let unreached = '';
        const asked = left.length === 0 ? undefined : fetchObjects(memory, journal, environment);
        const remote = await asked?.catch((error: unknown) => {
          if (!(error instanceof GitError)) throw error;
          unreached = `, and the remote could not be reached: ${error.stderr.trim().split('\n')[0]}`;
          return undefined;
        });
        if (remote !== undefined) left = await damagedLines(journal, home);
        if (left.length > 0) throw new Error(`${journal.folder} still lacks something: ${left[0]}${unreached}`);
        const texts = `${countOf(written, 'text')} came from the note files`;
        return `${journal.folder} is whole; ${remote === undefined ? texts : `what was missing came from ${remote}`}`;
      }),
    ),
});

const indexPacks = async ({ folders }: GitJournal): Promise<void> => {
  for (const path of packsOf(folders.gitDir)) {
    if (existsSync(path.replace(/\.pack$/, '.idx'))) continue;
    // A pack that is itself damaged is unpacked below.
    await runGit(folders, ['index-pack', path]).catch(ignoreGitError);
  }
};

const ignoreGitError = (error: unknown): undefined => {
  if (!(error instanceof GitError)) throw error;
  return undefined;
};

/** Moves each damaged pack aside and unpacks whatever can be read from it into loose objects. */
const unpackDamagedPacks = async ({ folders }: GitJournal): Promise<void> => {
  for (const path of packsOf(folders.gitDir)) {
    const isWhole = await runGit(folders, ['verify-pack', path]).then(() => true, ignoreGitError);
    if (isWhole === true) continue;
    for (const end of ['pack', 'idx', 'rev', 'keep']) moveAside(folders.gitDir, path.replace(/pack$/, end));
    await runGit(folders, ['unpack-objects', '-r', '-q'], [readFileSync(asidePath(folders.gitDir, path))]).catch(
      ignoreGitError,
    );
  }
};

/** Moves damaged objects aside, because git treats them as present. */
const moveDamagedAside = async ({ folders }: GitJournal): Promise<void> => {
  const { lines } = await checkObjects(folders);
  for (const line of lines) {
    const [, object] = /object corrupt or missing: (.+)$/.exec(line) ?? [];
    if (object !== undefined) moveAside(folders.gitDir, join(folders.workTree, object));
    const at = line.search(/unable to unpack|corrupt/);
    const [, path] = / (\/\S+\/objects\/[0-9a-f]{2}\/[0-9a-f]+)/.exec(at === -1 ? '' : line.slice(at)) ?? [];
    if (path !== undefined) moveAside(folders.gitDir, path);
  }
};

const asidePath = (gitDir: string, path: string): string => join(gitDir, 'damaged', basename(path));

const moveAside = (gitDir: string, path: string): void => {
  if (!existsSync(path)) return;
  mkdirSync(join(gitDir, 'damaged'), { recursive: true, mode: 0o700 });
  renameSync(path, asidePath(gitDir, path));
};

/** Writes missing blobs whose exact bytes are in a note file, and returns their number. */
const writeFromFiles = async ({ folder, folders }: GitJournal): Promise<number> => {
  const { lines } = await checkObjects(folders);
  const missing = new Set(lines.flatMap((line) => /^missing blob ([0-9a-f]+)/.exec(line)?.[1] ?? []));
  let written = 0;
  for (const path of (await listNoteFiles(folder)).paths) {
    if (missing.size === 0) break;
    const bytes = readFileSync(join(folder, path));
    if (!missing.delete(blobIdOf(bytes, [...missing][0]))) continue;
    await runGit(folders, ['hash-object', '-w', '--stdin', '--no-filters'], [bytes]);
    written += 1;
  }
  return written;
};
