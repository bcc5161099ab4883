/** Inspects a store's folders from outside after kills. */
import { existsSync, lstatSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type JournalName, journalNames } from '../../../src/events/note/note.js';
import { parseNoteFile } from '../../../src/events/note/note-file.js';
import { noteFolders } from '../../../src/events/note/paths.js';
import { clearSetAside } from '../../../src/events/worktree/replace-file.js';
import { folderOfJournal, personsGit } from '../../support/store.js';

export type FileOnDisk = { readonly journal: JournalName; readonly path: string; readonly full: string };

/** Lists every file below the folders of notes, including temporary files. */
export const listFiles = (home: string): readonly FileOnDisk[] =>
  journalNames.flatMap((journal) =>
    noteFolders.flatMap((type) => {
      const folder = join(folderOfJournal(home, journal), type);
      if (!existsSync(folder)) return [];
      return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((full) => ({ journal, full, path: full.slice(folderOfJournal(home, journal).length + 1) }));
    }),
  );

export const isNote = ({ path }: FileOnDisk): boolean => path.endsWith('.md');

/** At any moment, a note file is whole or missing, unless a person left it unfinished. */
export const findHalfNotes = (home: string, unfinished: ReadonlySet<string>): readonly string[] =>
  listFiles(home)
    .filter((file) => isNote(file) && !unfinished.has(file.full))
    .flatMap(({ journal, path, full }) => {
      const parsed = parseNoteFile(readFileSync(full), journal, path);
      return parsed.ok ? [] : [`${journal}/${path} is not a whole note: ${parsed.problem.message}`];
    });

/** Makes leftovers of killed processes look hours old, so that the next command recognises them as leftovers. */
export const ageLeftovers = (home: string): void => {
  const old = new Date(Date.now() - 2 * 3_600_000);
  for (const path of listTemporary(home)) utimesSync(path, old, old);
};

/** Lists files that only a running process needs: git's locks and unfinished packs, a new pointer to an index. */
const listTemporary = (home: string): readonly string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?:\.lock|\.tmp|\/tmp_[^/]*|\/\.tmp-[^/]*|\/fast_import_crash_\d+)$/.test(path))
    .map((path) => join(home, path));

/** After adopting and compacting, no temporary file is left, git status is clean and nothing is readable by others. */
export const findLeftovers = (home: string): readonly string[] => [
  ...listFiles(home)
    .filter((file) => !isNote(file))
    .map(({ journal, path }) => `${journal}/${path} was left`),
  ...journalNames.flatMap((journal) => {
    const status = personsGit(folderOfJournal(home, journal), 'status', '--porcelain', '--', '.');
    return status === '' ? [] : [`git status of ${journal}: ${status}`];
  }),
  ...journalNames.flatMap((journal) => {
    const attributes = join(folderOfJournal(home, journal), '.git', 'info', 'attributes');
    return existsSync(attributes) && readFileSync(attributes, 'utf8').includes('-text')
      ? []
      : [`${attributes} is missing`];
  }),
  ...(existsSync(join(home, 'local', '.git', 'hooks', 'pre-push'))
    ? []
    : ['the hook that keeps notes local is missing']),
  ...listTemporary(home).map((path) => `${path} was left`),
  ...journalNames.flatMap((journal) =>
    clearSetAside(folderOfJournal(home, journal), 60_000).map(
      ({ file }) => `${file} was written to and is not adopted`,
    ),
  ),
  ...(generationsOf(home).length > 1 ? [`more than one index: ${generationsOf(home).join(' ')}`] : []),
  ...[home, ...journalNames.map((name) => folderOfJournal(home, name))]
    .filter((folder) => (lstatSync(folder).mode & 0o077) !== 0)
    .map((folder) => `${folder} is open to others`),
];

const generationsOf = (home: string): readonly string[] =>
  readdirSync(join(home, 'index')).filter((name) => /^v\d+-\d{6}\.db$/.test(basename(name)));

/** Finds purged notes whose path is still in an object that git can reach. */
export const findPurged = (home: string, ids: Iterable<string>): readonly string[] => {
  const paths = journalNames
    .map((journal) => personsGit(folderOfJournal(home, journal), 'rev-list', '--objects', '--all'))
    .join('');
  return [...ids].filter((id) => paths.includes(id)).map((id) => `${id} was purged and is still there`);
};

/** Finds texts that no commit of either journal ever had. */
export const findLostTexts = (home: string, texts: Iterable<string>): readonly string[] => {
  const history = journalNames
    .map((journal) => personsGit(folderOfJournal(home, journal), 'log', '-p', '--format=', '--branches'))
    .join('\n');
  return [...texts].filter((text) => !history.includes(text)).map((text) => `no commit holds "${text}"`);
};
