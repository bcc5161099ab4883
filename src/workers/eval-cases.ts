/** Task: a batch of eval cases is searched for; what is measured of it is decided elsewhere. */
import { openModel } from '../embedding/models-folder.js';
import { Fault } from '../events/faults.js';
import type { JournalName } from '../events/note/note.js';
import { openGeneration } from '../projections/generation.js';
import { searchHybrid } from '../projections/search/hybrid.js';
import { searchNotes } from '../projections/search/search.js';

export type EvalTask = {
  readonly task: 'eval';
  readonly indexFile: string;
  readonly cases: readonly { readonly query: string; readonly project: string | undefined }[];
  readonly k: number;
  readonly nowSeconds: number;
  readonly plain?: boolean | undefined;
  readonly fuzzyThreshold?: number | undefined;
  /** Searches with a model. */
  readonly meaning?: EvalMeaning | undefined;
};

export type EvalMeaning = {
  /** Of the store whose model it is. */
  readonly home: string;
  readonly name: string;
  readonly folders: Readonly<Record<JournalName, string>>;
};

/** Ranked note ids and milliseconds per case, in the order of the cases. */
export const runCases = ({
  indexFile,
  cases,
  k,
  nowSeconds,
  plain,
  fuzzyThreshold,
  meaning,
}: EvalTask): { ranked: string[]; ms: number }[] => {
  const opened = meaning === undefined ? undefined : openModel(meaning.home, meaning.name);
  if (opened?.ok === false) throw new Fault('model-unusable', opened.problem.message, opened.problem.next);
  const database = openGeneration(indexFile);
  try {
    return cases.map(({ query, project }) => {
      const started = performance.now();
      const asked = { text: query, filter: { project }, k, nowSeconds, plain, fuzzyThreshold };
      const { hits } =
        opened === undefined || meaning === undefined
          ? searchNotes(database, asked)
          : searchHybrid(database, asked, undefined, { model: opened.value, folders: meaning.folders });
      return { ranked: hits.map(({ note }) => note.id), ms: performance.now() - started };
    });
  } finally {
    database.close();
  }
};
