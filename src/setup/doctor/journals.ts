/** Checks that the journals exist, can be written, are intact, and hold readable notes. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkObjects } from '../../events/git/git-admin.js';
import { hasRemote, nextForOtherHead, readOtherHead } from '../../events/git/git-files.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { GitError } from '../../events/git/git-process.js';
import { type JournalName, journalFolder, journalNames } from '../../events/note/note.js';
import { describeProblem, parseNoteFile, unreadFile } from '../../events/note/note-file.js';
import { noteFolders } from '../../events/note/paths.js';
import { readInBatches } from '../../events/read-in-batches.js';
import { faultOf } from '../../state/environment-probe.js';
import { lostLocal, readLostLocal } from '../../state/lost-journal.js';
import { askState, passOverDamage } from '../../state/state-file.js';
import {
  type Check,
  type CheckInput,
  countOf,
  existingJournals,
  nameSome,
  problem,
  type Remark,
  verdictOf,
  warning,
} from './check.js';

/** Whether each journal is a repository that can be written. */
export const journalsCheck: Check = {
  name: 'journals',
  needs: ['store'],
  look: async (examined) => {
    const journals = journalNames.map((name) => examined.journals[name]);
    if (existingJournals(examined).length === 0 && !journals.some(holdsNotes)) {
      return 'no journal yet: the first write creates both';
    }
    const local = examined.sqliteProblem === undefined ? await readLocalState(examined) : undefined;
    const remarks = journals.flatMap((journal) => {
      if (journal.exists()) return problemsOf(journal);
      const isGone = journal.name === 'local' && local?.wasThere === true && !holdsNotes(journal);
      return [isGone ? reportLocalGone(journal) : reportMissing(journal)];
    });
    if (local?.isMissed === true) remarks.push(problem(lostLocal.message, lostLocal.next, { damage: true }));
    return verdictOf(remarks, 'both are on main');
  },
};

const readLocalState = (examined: CheckInput) =>
  askState(examined, (state) => ({
    isMissed: readLostLocal(state) !== undefined,
    wasThere: state.checkout('local') !== undefined,
  })).catch(passOverDamage);

const reportLocalGone = ({ folder }: GitJournal): Remark =>
  problem(
    `${folder}, which held the machine-local notes, is gone`,
    'restore it (mount its disk, or copy it from a backup) before anything is written: the next write creates an empty one',
    { damage: true },
  );

const reportMissing = (journal: GitJournal): Remark => {
  const { folder } = journal;
  if (holdsNotes(journal)) {
    return problem(
      `${folder} holds notes but is not a git repository: their history is missing`,
      'restore its .git from a backup, or import the notes without their history: anamnesis adopt',
      { damage: true },
    );
  }
  const next = 'restore it from a backup if it held notes; otherwise the next write creates it';
  return warning(`there is no journal at ${folder}`, next);
};

const holdsNotes = ({ folder }: GitJournal): boolean => noteFolders.some((name) => existsSync(join(folder, name)));

const problemsOf = (journal: GitJournal): readonly Remark[] => {
  const { folder, folders } = journal;
  // Throws if the branch is damaged, which is a finding as well.
  journal.head();
  const elsewhere = readOtherHead(folders.gitDir);
  const remarks: Remark[] = [];
  if (elsewhere !== undefined) {
    const message = `HEAD of ${folder} is not on main but at ${elsewhere.replace(/^ref: /, '')}: nothing can be written`;
    remarks.push(problem(message, nextForOtherHead(folders.gitDir, folder)));
  }
  if (journal.name === 'local' && hasRemote(folders.gitDir)) {
    const message = `${folder} holds notes that must stay on this machine, but it has a remote`;
    remarks.push(problem(message, `remove it: git -C ${folder} remote remove <name>`));
  }
  return remarks;
};

/** Whether every note of the journals can be read and no id is in two files. */
export const notesCheck: Check = {
  name: 'notes',
  needs: ['git'],
  look: async (examined) => {
    const { unreadable, pathsById } = await readNotes(examined);
    const repeated = [...pathsById.values()].filter((paths) => paths.length > 1);
    const named = nameSome(repeated.map((paths) => (paths.length === 2 ? paths.join(' and ') : nameSome(paths))));
    return verdictOf(
      [
        unreadable.length > 0 &&
          problem(
            `${countOf(unreadable.length, 'note')} can't be read: ${nameSome(unreadable)}`,
            'fix the named places, then run: anamnesis adopt',
            { damage: true },
          ),
        repeated.length > 0 &&
          warning(
            `${countOf(repeated.length, 'id is', 'ids are')} in several files: ${named}`,
            `the newer file counts; a change to the note merges the others in: anamnesis edit ${repeated[0]?.[0]?.slice(-29, -3)}`,
          ),
      ],
      pathsById.size > 0 ? `${countOf(pathsById.size, 'note')} can be read` : undefined,
    );
  },
};

const readNotes = async (
  examined: CheckInput,
): Promise<{ readonly unreadable: readonly string[]; readonly pathsById: ReadonlyMap<string, readonly string[]> }> => {
  const unreadable: string[] = [];
  const pathsById = new Map<string, string[]>();
  for (const journal of existingJournals(examined)) {
    const head = journal.head();
    const entries = head === undefined ? [] : await journal.notes(head);
    for await (const { entry, bytes, size } of readInBatches(journal, entries)) {
      const { path } = entry;
      // The objects check reports a missing object.
      if (bytes === undefined && size === undefined) continue;
      const parsed = bytes === undefined ? unreadFile(path, size) : parseNoteFile(bytes, journal.name, path);
      const place = `${journalFolder[journal.name]}/${path}`;
      if (!parsed.ok) unreadable.push(`${journalFolder[journal.name]}/${describeProblem(parsed.problem)}`);
      // Pushes instead of copying: a commit may put one id into a hundred thousand files.
      else if (pathsById.get(parsed.file.note.id)?.push(place) === undefined)
        pathsById.set(parsed.file.note.id, [place]);
    }
  }
  return { unreadable, pathsById };
};

/** Whether every git object exists and is intact. Damaged ones come from a backup or from another clone. */
export const objectsCheck: Check = {
  name: 'objects',
  needs: ['git', 'journals'],
  look: async (examined) => {
    const journals = existingJournals(examined);
    const remarks = (await Promise.all(journals.map((journal) => findDamage(journal, examined.home)))).flat();
    return verdictOf(remarks, 'git has every object of the journals');
  },
};

const findDamage = async (journal: GitJournal, home: string): Promise<readonly Remark[]> => {
  const [first, ...others] = await damagedLines(journal, home);
  if (first === undefined) return [];
  const more = others.length > 0 ? ` and ${countOf(others.length, 'more line', 'more lines')}` : '';
  const message = `git finds ${journal.folder} damaged: ${first}${more}`;
  return [problem(message, nextStep[journal.name], { damage: true })];
};

const nextStep: Readonly<Record<JournalName, string>> = {
  portable:
    'restore it: anamnesis restore-backup; or move that folder away and run: anamnesis sync, which clones the remote, then: anamnesis adopt',
  local: 'restore a backup: anamnesis restore-backup; the note files themselves are still there',
};

/** Above this, hashing every object takes longer than a person waits; `verify` does it. */
const maxBytesToHash = 32 * 1024 * 1024;

/** Returns git's reports of damage, one per line; the head itself has its own check. */
const damagedLines = async ({ folders }: GitJournal, home: string): Promise<readonly string[]> => {
  const bytes = packsOf(folders.gitDir).reduce((sum, path) => sum + statSync(path).size, 0);
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
