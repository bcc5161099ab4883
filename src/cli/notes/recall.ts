/** Prints search and inject, however their options were read. Knows nothing of commander: hooks wait for this. */

import type { NoteFilter } from '../../app/notes.js';
import { projectOfFolder } from '../../config/project.js';
import { readSettings, userHome } from '../../config/settings.js';
import { wrongUsage } from '../errors.js';
import { formatHits } from '../note-view.js';
import { print, printJson, say } from '../output.js';
import { type ProjectHere, projectHere } from '../project-here.js';
import { withApp } from '../session.js';

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
  await withApp(async ({ notes }) => {
    const { text } = await notes.inject(key, { k, budget });
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
  if (prompt.trim() === '')
    throw wrongUsage('the prompt is empty', "give one: anamnesis recall 'why does the deploy hang'");
  const { key, warnings } = named(project);
  await withApp(async ({ notes }) => {
    const {
      text,
      ids,
      notes: recalled,
    } = await notes.recall(prompt, {
      project: key,
      k,
      budget: recallDefaults.budget,
    });
    if (json === true) printJson({ project: key, text, ids, notes: recalled, warnings });
    else print(text);
  });
};

/** Without a word about a marker that does not count: nothing is written there. */
const preferredHere = (): string =>
  projectOfFolder(process.cwd(), userHome(), readSettings(process.env).trustedProjects);

export type SearchAsked = {
  readonly text: string;
  readonly filter: NoteFilter;
  readonly k: number;
  readonly at?: string | undefined;
  readonly json?: boolean | undefined;
};

export const printSearch = async ({ text, filter, k, at, json }: SearchAsked): Promise<void> => {
  if (text.trim() === '')
    throw wrongUsage('there is nothing to search for', 'give words, or see all notes: anamnesis list');
  await withApp(async ({ notes }) => {
    const prefer = filter.project === undefined && at === undefined ? preferredHere() : undefined;
    const { hits, total } = await notes.search(text, { ...filter, k, at, prefer });
    if (json === true) {
      printJson({ hits, total, ...(prefer === undefined ? {} : { first: [...new Set([prefer, 'global'])] }) });
      return;
    }
    print(formatHits(hits));
    if (hits.length === 0) say(`no note matches ${text}`);
  });
};
