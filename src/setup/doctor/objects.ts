/** Checks that every git object exists and is intact. Damaged ones come from a backup or from another clone. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkObjects } from '../../events/git/git-admin.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { GitError } from '../../events/git/git-process.js';
import type { JournalName } from '../../events/note/note.js';
import { faultOf } from '../../state/environment-probe.js';
import { type Check, countOf, existingJournals, type Finding, ok, problem } from './check.js';

export const objectsCheck: Check = {
  name: 'objects',
  look: async (examined) => {
    const journals = !examined.gitWorks ? [] : existingJournals(examined);
    const found = (await Promise.all(journals.map((journal) => findDamage(journal, examined.home)))).flat();
    return found.length === 0 && journals.length > 0 ? [ok('objects', 'git has every object of the journals')] : found;
  },
};

/** Above this, hashing every object takes longer than a person waits; `verify` does it. */
const maxBytesToHash = 32 * 1024 * 1024;

const findDamage = async (journal: GitJournal, home: string): Promise<readonly Finding[]> => {
  const { folder } = journal;
  const lines = await damagedLines(journal, home);
  const [first, ...others] = lines;
  if (first === undefined) return [];
  const more = others.length > 0 ? ` and ${countOf(others.length, 'more line', 'more lines')}` : '';
  return [
    problem('objects', `git finds ${folder} damaged: ${first}${more}`, {
      next: nextStep[journal.name],
      damage: true,
    }),
  ];
};

const nextStep: Readonly<Record<JournalName, string>> = {
  portable:
    'restore it: anamnesis restore-backup; or move that folder away and run: anamnesis sync, which clones the remote, then: anamnesis adopt',
  local: 'restore a backup: anamnesis restore-backup; the note files themselves are still there',
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
