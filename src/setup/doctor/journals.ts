/** Checks that the journals exist, can be written, and hold readable notes. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasRemote, nextForOtherHead, readOtherHead } from '../../events/git/git-files.js';
import type { GitJournal } from '../../events/git/git-journal.js';
import { journalFolder, journalNames } from '../../events/note/note.js';
import { describeProblem, parseNoteFile, unreadFile } from '../../events/note/note-file.js';
import { noteFolders } from '../../events/note/paths.js';
import { readInBatches } from '../../events/read-in-batches.js';
import { lostLocal, readLostLocal } from '../../state/lost-journal.js';
import { askState, passOverDamage } from '../../state/state-file.js';
import {
  type Check,
  type CheckInput,
  countOf,
  existingJournals,
  type Finding,
  nameSome,
  ok,
  problem,
  warning,
} from './check.js';
import { isStoreThere } from './folder.js';

/** Checks that each journal is a repository that can be written. */
export const journalsCheck: Check = {
  name: 'journals',
  look: async (examined) => {
    if (!isStoreThere(examined)) return [];
    const journals = journalNames.map((name) => examined.journals[name]);
    const there = existingJournals(examined);
    if (there.length === 0 && !journals.some(holdsNotes)) {
      return [ok('journals', 'no journal yet: the first write creates both')];
    }
    const { isMissed, wasThere } = await readLocalState(examined);
    const findings = journals.flatMap((journal) =>
      journal.exists()
        ? problemsOf(journal)
        : [
            journal.name === 'local' && wasThere && !holdsNotes(journal)
              ? reportLocalGone(journal)
              : reportMissing(journal, examined),
          ],
    );
    if (isMissed) findings.push(problem('journals', lostLocal.message, { next: lostLocal.next, damage: true }));
    return findings.length === 0 ? [ok('journals', 'both are on main')] : findings;
  },
};

/** Whether the machine-local notes are recorded as lost, and whether state.db knows a checkout of them. */
const readLocalState = async (
  examined: CheckInput,
): Promise<{ readonly isMissed: boolean; readonly wasThere: boolean }> => {
  const nothing = { isMissed: false, wasThere: false };
  if (examined.sqliteProblem !== undefined) return nothing;
  const asked = await askState(examined, (state) => ({
    isMissed: readLostLocal(state) !== undefined,
    wasThere: state.checkout('local') !== undefined,
  })).catch(passOverDamage);
  return asked ?? nothing;
};

const reportLocalGone = ({ folder }: GitJournal): Finding =>
  problem('journals', `${folder}, which held the machine-local notes, is gone`, {
    next: 'restore it (mount its disk, or copy it from a backup) before anything is written: the next write creates an empty one',
    damage: true,
  });

const reportMissing = (journal: GitJournal, { withMemory }: CheckInput): Finding => {
  const { folder } = journal;
  if (holdsNotes(journal)) {
    return problem('journals', `${folder} holds notes but is not a git repository: their history is missing`, {
      next: 'restore its .git from a backup, or import the notes without their history: anamnesis adopt',
      damage: true,
    });
  }
  return warning('journals', `there is no journal at ${folder}`, {
    next: 'restore it from a backup if it held notes; otherwise the next write creates it',
    fix: {
      plan: `create an empty journal at ${folder}`,
      carryOut: async () => {
        await withMemory((memory) => memory.initialise());
        return `created ${folder}`;
      },
    },
  });
};

const holdsNotes = ({ folder }: GitJournal): boolean => noteFolders.some((name) => existsSync(join(folder, name)));

const problemsOf = (journal: GitJournal): readonly Finding[] => {
  const { folder, folders } = journal;
  // Throws if the branch is damaged, which is a finding as well.
  journal.head();
  const elsewhere = readOtherHead(folders.gitDir);
  const findings: Finding[] = [];
  if (elsewhere !== undefined) {
    const message = `HEAD of ${folder} is not on main but at ${elsewhere.replace(/^ref: /, '')}: nothing can be written`;
    findings.push(problem('journals', message, { next: nextForOtherHead(folders.gitDir, folder) }));
  }
  if (journal.name === 'local' && hasRemote(folders.gitDir)) {
    findings.push(
      problem('journals', `${folder} holds notes that must stay on this machine, but it has a remote`, {
        next: `remove it: git -C ${folder} remote remove <name>`,
      }),
    );
  }
  return findings;
};

/** Checks that every note of the journals can be read and that no id is in two files. */
export const notesCheck: Check = {
  name: 'notes',
  look: async (examined) => {
    if (!examined.gitWorks) return [];
    const { unreadable, pathsById } = await readNotes(examined);
    const findings: Finding[] = [];
    if (unreadable.length > 0) {
      findings.push(
        problem('notes', `${countOf(unreadable.length, 'note')} can't be read: ${nameSome(unreadable)}`, {
          next: 'fix the named places, then run: anamnesis adopt',
          damage: true,
        }),
      );
    }
    const repeated = [...pathsById.values()].filter((paths) => paths.length > 1);
    const [first] = repeated;
    if (first !== undefined) {
      const named = nameSome(repeated.map((paths) => (paths.length === 2 ? paths.join(' and ') : nameSome(paths))));
      findings.push(
        warning('notes', `${countOf(repeated.length, 'id is', 'ids are')} in several files: ${named}`, {
          next: isInBoth(first)
            ? 'the machine-local text counts here; decide where it belongs: anamnesis conflicts, then anamnesis move'
            : `the newer file counts; a change to the note merges the others in: anamnesis edit ${first[0]?.slice(-29, -3)}`,
        }),
      );
    }
    const isFine = findings.length === 0 && pathsById.size > 0;
    return isFine ? [ok('notes', `${countOf(pathsById.size, 'note')} can be read`)] : findings;
  },
};

const isInBoth = (paths: readonly string[]): boolean =>
  new Set(paths.map((path) => path.slice(0, path.indexOf('/')))).size > 1;

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

/** The age at which reconciling, too, considers a lock file of git left behind. */
const staleLockMs = 10_000;

/** Checks for lock files that a killed git left behind. */
export const gitLocksCheck: Check = {
  name: 'git locks',
  look: (examined) => {
    const journals = existingJournals(examined);
    const stale = journals.flatMap((journal) => findStaleLocks(journal, examined.nowMs()));
    if (journals.length === 0) return [];
    if (stale.length === 0) return [ok('git locks', 'none left behind')];
    return [
      warning('git locks', `a killed git left ${nameSome(stale)} behind`, {
        next: 'end the git program that holds it, if there is one; otherwise remove the file',
        fix: {
          plan: `remove ${nameSome(stale)}`,
          carryOut: () =>
            examined.withMemory(async (memory) => {
              // Under the write lock, as in reconciling, because no git of ours runs then.
              const removed = await memory.exclusively(async () => {
                const still = journals.flatMap((journal) => findStaleLocks(journal, examined.nowMs()));
                for (const path of still) rmSync(path, { force: true });
                return still;
              });
              for (const path of removed) memory.log(`removed ${path}, which a killed git left behind`);
              return `removed ${countOf(removed.length, 'lock file')}`;
            }),
        },
      }),
    ];
  },
};

/** Looks at the top of the repository and everywhere below its refs. */
const findStaleLocks = ({ folders: { gitDir } }: GitJournal, nowMs: number): readonly string[] => {
  const below = existsSync(join(gitDir, 'refs'))
    ? readdirSync(join(gitDir, 'refs'), { recursive: true, encoding: 'utf8' }).map((name) => join('refs', name))
    : [];
  return [...readdirSync(gitDir), ...below]
    .filter((name) => name.endsWith('.lock'))
    .map((name) => join(gitDir, name))
    .filter((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat?.isFile() === true && nowMs - stat.mtimeMs >= staleLockMs;
    });
};
