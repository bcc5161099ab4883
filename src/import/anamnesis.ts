/** Reads a Python or TypeScript Anamnesis store, whose files are imported as they are. */
import { join } from 'node:path';
import { type ImportItem, problemAt } from '../commands/foreign-note.js';
import { type JournalName, journalFolder, journalNames } from '../events/note/note.js';
import { describeProblem, type NoteProblem, parseNoteFile } from '../events/note/note-file.js';
import { isNotePath, noteFolders } from '../events/note/paths.js';
import { saysMachineLocal } from '../events/note/stated-scope.js';
import { type FoundFile, isGivenFolder, isInnerFolder, readWhole, walkFiles } from './files.js';

/** A file of a store; `path` is relative to the journal, `shown` to the store. */
export type StoreFile = FoundFile & { readonly journal: JournalName; readonly folder: string; readonly shown: string };

export async function* readAnamnesis(path: string): AsyncGenerator<ImportItem> {
  if (!isGivenFolder(path)) throw new Error(`an Anamnesis store is a folder, but ${path} is a file`);
  for (const found of walkStore(path)) {
    yield found.kind === 'file' ? readStoreFile(found) : problemAt(found.shown, found.message);
  }
}

/** Yields every `*.md` below the type folders, journal by journal. */
export function* walkStore(root: string): Generator<StoreFile> {
  for (const { journal, folder, prefix } of listJournals(root)) {
    for (const found of walkFiles(folder, storeFiles)) {
      yield { ...found, journal, folder, shown: `${prefix}${found.path}` };
    }
  }
}

const storeFiles = {
  folder: (path: string) => {
    const [first = ''] = path.split('/');
    return isTypeFolder(first) && !path.toLowerCase().endsWith('/.git');
  },
  file: (path: string) => path.includes('/') && path.endsWith('.md'),
};

const isTypeFolder = (name: string): boolean => noteFolders.some((folder) => folder === name);

/** A clone has no empty folders, so one type folder is enough. A journal without a store counts as the portable one. */
const listJournals = (root: string) => {
  const inside = journalNames
    .map((journal) => ({ journal, folder: join(root, journalFolder[journal]), prefix: `${journalFolder[journal]}/` }))
    .filter(({ folder }) => isInnerFolder(folder) && holdsTypeFolder(folder));
  if (inside.length > 0) return inside;
  return holdsTypeFolder(root) ? [{ journal: 'portable', folder: root, prefix: '' } as const] : [];
};

const holdsTypeFolder = (folder: string): boolean => noteFolders.some((name) => isInnerFolder(join(folder, name)));

const readStoreFile = ({ journal, folder, path, shown }: StoreFile): ImportItem => {
  const refuse = (code: string, message: string): ImportItem =>
    noteProblem({ code, path: shown, line: 1, key: undefined, message });
  if (!isNotePath(path)) return refuse('no-note-path', 'the name of a note must be a ULID in upper case with `.md`');
  const read = readWhole(join(folder, path));
  if (!read.ok) return refuse('unreadable', read.message);
  const parsed = parseNoteFile(read.bytes, journal, shown);
  if (!parsed.ok) return noteProblem(parsed.problem);
  // The folder determines the scope only of a note that has always been in it; here it is new.
  const here = saysMachineLocal(parsed.file) ? 'local' : journal;
  return { kind: 'file', file: { journal: here, path, bytes: read.bytes } };
};

/** `where` and `message`, joined by a colon and a space, equal the output of `describeProblem`. */
const noteProblem = (problem: NoteProblem): ImportItem => {
  const where = `${problem.path}:${problem.line}`;
  return problemAt(where, describeProblem(problem).slice(where.length + 2));
};
