/** Task: runs the searches of a batch of eval cases; the measures are computed elsewhere. */
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { openModel } from '../embedding/model-cache.js';
import { staticIdentity } from '../embedding/static-passages.js';
import { Fault } from '../events/faults.js';
import type { JournalName } from '../events/note/note.js';
import { readVersion } from '../events/worktree/working-tree.js';
import { openGrep } from '../projections/eval/metrics.js';
import { openGeneration } from '../projections/generation.js';
import { listNotes } from '../projections/index/query.js';
import { searchHybrid } from '../projections/search/hybrid.js';
import { searchTyped } from '../projections/search/query/parse-query.js';
import { type Ranking, type SearchQuery, searchNotes } from '../projections/search/search.js';
import { searchSemantic } from '../projections/search/semantic.js';
import { openVectorFile, type VectorFile } from '../state/vector-file.js';

export type EvalTask = {
  readonly task: 'eval';
  readonly indexFile: string;
  readonly cases: readonly { readonly query: string; readonly project: string | undefined }[];
  readonly k: number;
  readonly nowSeconds: number;
  readonly how: EvalHow;
};

export type EvalHow =
  | { readonly mode: 'keyword'; readonly isFuzzy: boolean }
  | {
      readonly mode: 'hybrid' | 'semantic';
      readonly isFuzzy: boolean;
      readonly meaning: EvalMeaning;
    }
  /** Every word as typed, by BM25 alone. */
  | { readonly mode: 'bm25' }
  | { readonly mode: 'grep'; readonly folders: Folders };

type Folders = Readonly<Record<JournalName, string>>;

export type EvalMeaning = {
  /** Home of the store whose model it is. */
  readonly home: string;
  readonly name: string;
  readonly folders: Folders;
};

/** Returns ranked note ids and milliseconds per case, in the order of the cases. */
export const runCases = (task: EvalTask): { ranked: string[]; ms: number }[] => {
  const database = openGeneration(task.indexFile);
  const opened: VectorFile[] = [];
  try {
    const search = openSearch(database, task, (identity) => {
      const file = openVectorFile(dirname(task.indexFile), identity);
      opened.push(file);
      return file;
    });
    return task.cases.map(({ query, project }) => {
      const started = performance.now();
      const ranked = [...search(query, project)];
      return { ranked, ms: performance.now() - started };
    });
  } finally {
    for (const file of opened) file.close();
    database.close();
  }
};

type EvalSearch = (text: string, project: string | undefined) => readonly string[];

const openSearch = (
  database: Database.Database,
  { how, k, nowSeconds }: EvalTask,
  openVectors: (identity: string) => VectorFile,
): EvalSearch => {
  const query = (text: string, project: string | undefined): SearchQuery => ({
    text,
    filter: { project },
    k,
    nowSeconds,
  });
  const idsOf = ({ hits }: Pick<Ranking, 'hits'>): readonly string[] => hits.map(({ note }) => note.id);
  // As for a person's search: a query may have quotation marks and operators, and may mean a note that was replaced.
  const asTyped = (
    text: string,
    project: string | undefined,
    run: (asked: SearchQuery) => Ranking,
  ): readonly string[] =>
    idsOf(
      searchTyped(text, nowSeconds, (typed) => run({ ...query(text, project), ...typed, successors: true })).ranking,
    );
  switch (how.mode) {
    case 'keyword': {
      const { isFuzzy } = how;
      return (text, project) => asTyped(text, project, (asked) => searchNotes(database, { ...asked, isFuzzy }));
    }
    case 'hybrid':
    case 'semantic': {
      const { isFuzzy } = how;
      const { home, name, folders } = how.meaning;
      const opened = openModel(home, name);
      if (!opened.ok) throw new Fault('model-unusable', opened.problem.message, opened.problem.next);
      const meaning = { model: opened.value, folders };
      const search = how.mode === 'hybrid' ? searchHybrid : openStored(openVectors(staticIdentity(opened.value)));
      return (text, project) =>
        asTyped(text, project, (asked) => search(database, { ...asked, isFuzzy }, undefined, meaning));
    }
    case 'bm25':
      return (text, project) => idsOf(searchNotes(database, { ...query(text, project), plain: true }));
    case 'grep': {
      const notes = listNotes(database, {}, -1).notes.map(({ id, project, journal, path, version }) => ({
        id,
        project,
        text: readVersion(how.folders[journal], path, version)?.toString('utf8') ?? '',
      }));
      const grep = openGrep(notes);
      return (text, project) => grep(text, project, k);
    }
  }
};

/** The vectors are beside the index, where the caller has put them. */
const openStored = (file: VectorFile): typeof searchHybrid => {
  const vectors = { segments: file.segments(0), notesAt: file.notesAt, placesOf: file.placesOf };
  return (database, query, preferred, { model, folders }) =>
    searchSemantic(database, query, preferred, { model, folders, vectors });
};
