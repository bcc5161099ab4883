/** Prints search and inject, however their options were read. Knows nothing of commander: hooks wait for this. */

import type { NoteFilter, SearchAsked as NotesAsked } from '../../app/notes.js';
import { projectOfFolder } from '../../config/project.js';
import { readSettings, userHome } from '../../config/settings.js';
import { wrongUsage } from '../errors.js';
import { isTerminal, print, printJson, say } from '../output.js';
import { projectAsked, projectOrNew } from '../project-here.js';
import { withApp } from '../session.js';
import { cutTo } from '../table.js';
import { type HitFormat, maxQuoted, printHits } from './print-hits.js';

export const recallDefaults = { k: 8, budget: 9500, promptNotes: 5 } as const;

export type InjectAsked = {
  readonly project?: string | undefined;
  readonly k: number;
  readonly budget: number;
  readonly json?: boolean | undefined;
};

export const printInjection = async ({ project, k, budget, json }: InjectAsked): Promise<void> => {
  await withApp(async (app) => {
    const { key, warnings } = await projectOrNew(app, project);
    const { text } = await app.notes.inject(key, { k, budget });
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
  await withApp(async (app) => {
    const { key, warnings } = await projectOrNew(app, project);
    const asked = { project: key, k, budget: recallDefaults.budget };
    const { text, ids, notes: recalled, maybe } = await app.notes.recall(prompt, asked);
    if (json === true) printJson({ project: key, text, ids, notes: recalled, maybe, warnings });
    else print(text);
    if (json !== true && text === '' && isTerminal('stderr'))
      say('no note fits that prompt well enough; anamnesis search prints all that share a word with it');
  });
};

/** Without a word about a marker that does not count: nothing is written there. */
const preferredHere = (): string =>
  projectOfFolder(process.cwd(), userHome(), readSettings(process.env).trustedProjects);

export type SearchAsked = {
  readonly text: string;
  readonly filter: NoteFilter;
  readonly how: Omit<NotesAsked, keyof NoteFilter | 'prefer'>;
  readonly format?: HitFormat | undefined;
};

export const printSearch = async ({ text, filter, how, format }: SearchAsked): Promise<void> => {
  const { at, offset } = how;
  if (text.trim() === '')
    throw wrongUsage('there is nothing to search for', 'give words, or see all notes: anamnesis list');
  await withApp(async (app) => {
    // A project of the past may have no notes any more.
    const project = at === undefined ? await projectAsked(app, filter.project) : filter.project;
    const prefer = project === undefined && at === undefined ? preferredHere() : undefined;
    const answer = await app.notes.search(text, { ...filter, ...how, project, prefer });
    const first = prefer === undefined ? undefined : [...new Set([prefer, 'global'])];
    const isNarrowed = Object.values(filter).some((value) => value !== undefined && String(value) !== '');
    const nothing = isNarrowed ? `no note matches ${cutTo(text, maxQuoted)} and the options given` : undefined;
    printHits(answer, { asked: text, format, first, offset, nothing });
    if (format === 'json' || answer.about.did_you_mean !== undefined) return;
    if (answer.total === 0 && isTerminal('stderr')) say(nextAfterNothing(filter, at));
  });
};

/** The next step that is left: fewer conditions, other words, or all notes. */
const nextAfterNothing = ({ project, ...filter }: NoteFilter, at: string | undefined): string => {
  const others = Object.values(filter).some((value) => value !== undefined && String(value) !== '');
  if (project !== undefined) return 'leave out --project to search all projects; anamnesis projects lists them';
  if (others) return 'leave out an option, or try other words';
  return at === undefined ? 'try other words, or see all notes: anamnesis list' : 'try other words, or a later point';
};
