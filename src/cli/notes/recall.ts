/** Prints search and inject, however their options were read. Knows nothing of commander: hooks wait for this. */

import { maxRecallBytes } from '../../agents/hooks/output.js';
import { readSettings } from '../../config/settings.js';
import type { NoteFilter } from '../../projections/index/query.js';
import type { SearchAnswer } from '../../store/reading.js';
import { formatHits } from '../note-view.js';
import { print, printJson, say } from '../output.js';
import { type ProjectHere, projectHere } from '../project-here.js';
import { withReading } from '../session.js';

export const recallDefaults = { k: 8, budget: 9500, promptNotes: 5 } as const;

export type InjectAsked = {
  readonly project?: string | undefined;
  readonly k: number;
  readonly budget: number;
  readonly json?: boolean | undefined;
};

const named = (project: string | undefined): ProjectHere =>
  project === undefined ? projectHere(readSettings(process.env)) : { key: project, warnings: [] };

export const printInjection = async ({ project, k, budget, json }: InjectAsked): Promise<void> => {
  const { key, warnings } = named(project);
  await withReading(async (reading) => {
    const { text } = await reading.inject(key, { k, budget });
    if (json === true) printJson({ project: key, text, units: text.length, warnings });
    else print(text);
  });
};

export type RecallAsked = {
  readonly prompt: string;
  readonly project?: string | undefined;
  readonly k: number;
  readonly json?: boolean | undefined;
};

/** Notes that a prompt could be given, whatever its session already has. */
export const printRecall = async ({ prompt, project, k, json }: RecallAsked): Promise<void> => {
  const { key, warnings } = named(project);
  await withReading(async (reading) => {
    const { text, ids } = await reading.recall(prompt, {
      project: key,
      k,
      exclude: new Set(),
      maxBytes: maxRecallBytes,
      budget: recallDefaults.budget,
      measure: (part) => part.length,
    });
    if (json === true) printJson({ project: key, text, ids, warnings });
    else print(text);
  });
};

export type SearchAsked = {
  readonly text: string;
  readonly filter: NoteFilter;
  readonly k: number;
  readonly json?: boolean | undefined;
};

export const printSearch = async (asked: SearchAsked): Promise<void> => {
  const { text, filter, k } = asked;
  await withReading(async (reading) => printHits(await reading.search(text, { ...filter, k }), asked));
};

export const printHits = ({ hits, total }: SearchAnswer, { text, json }: Pick<SearchAsked, 'text' | 'json'>): void => {
  if (json === true) {
    const flat = hits.map(({ note, snippet, rank, score, reasons }) => ({ ...note, snippet, rank, score, reasons }));
    printJson({ hits: flat, total });
    return;
  }
  print(formatHits(hits));
  if (hits.length === 0) say(`no note matches ${text}`);
};
