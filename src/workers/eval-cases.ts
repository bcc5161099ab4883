/** Task: a batch of eval cases is searched for; what is measured of it is decided elsewhere. */
import { openGeneration } from '../projections/generation.js';
import { searchNotes } from '../projections/search/search.js';

export type EvalTask = {
  readonly task: 'eval';
  readonly indexFile: string;
  readonly cases: readonly { readonly query: string; readonly project: string | undefined }[];
  readonly k: number;
  readonly nowSeconds: number;
  readonly plain?: boolean | undefined;
  readonly fuzzyThreshold?: number | undefined;
};

/** Ranked note ids and milliseconds per case, in the order of the cases. */
export const runCases = (task: EvalTask): { ranked: string[]; ms: number }[] => {
  const { indexFile, cases, k, nowSeconds, plain, fuzzyThreshold } = task;
  const database = openGeneration(indexFile);
  try {
    return cases.map(({ query, project }) => {
      const started = performance.now();
      const asked = { text: query, filter: { project }, k, nowSeconds, plain, fuzzyThreshold };
      const { hits } = searchNotes(database, asked);
      return { ranked: hits.map(({ note }) => note.id), ms: performance.now() - started };
    });
  } finally {
    database.close();
  }
};
