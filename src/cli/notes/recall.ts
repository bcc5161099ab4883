/** Prints search and inject, however their options were read. Knows nothing of commander: hooks wait for this. */

import type { NoteFilter, SearchAsked as NotesAsked, SearchHit } from '../../app/notes.js';
import { projectOfFolder } from '../../config/project.js';
import { readSettings, userHome } from '../../config/settings.js';
import { wrongUsage } from '../errors.js';
import { formatHits, formatHitsAsMarkdown } from '../note-view.js';
import { cleanLine, isTerminal, print, printJson, say } from '../output.js';
import { projectAsked, projectOrNew } from '../project-here.js';
import { withApp } from '../session.js';
import { cutTo } from '../table.js';

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
    const { text, ids, notes: recalled } = await app.notes.recall(prompt, asked);
    if (json === true) printJson({ project: key, text, ids, notes: recalled, warnings });
    else print(text);
    if (json !== true && text === '' && isTerminal('stderr'))
      say('no note fits that prompt well enough; anamnesis search prints all that share a word with it');
  });
};

/** Without a word about a marker that does not count: nothing is written there. */
const preferredHere = (): string =>
  projectOfFolder(process.cwd(), userHome(), readSettings(process.env).trustedProjects);

export const hitFormats = ['table', 'json', 'markdown', 'paths'] as const;
export type HitFormat = (typeof hitFormats)[number];

export type SearchAsked = {
  readonly text: string;
  readonly filter: NoteFilter;
  readonly how: Omit<NotesAsked, keyof NoteFilter | 'prefer'>;
  readonly format?: HitFormat | undefined;
};

/** Of a query, in columns. */
const maxQuoted = 60;

export const printSearch = async ({ text, filter, how, format = 'table' }: SearchAsked): Promise<void> => {
  const { at, offset = 0 } = how;
  if (text.trim() === '')
    throw wrongUsage('there is nothing to search for', 'give words, or see all notes: anamnesis list');
  await withApp(async (app) => {
    // A project of the past may have no notes any more.
    const project = at === undefined ? await projectAsked(app, filter.project) : filter.project;
    const prefer = project === undefined && at === undefined ? preferredHere() : undefined;
    const { hits, total, about } = await app.notes.search(text, { ...filter, ...how, project, prefer });
    if (format === 'json') {
      const first = prefer === undefined ? {} : { first: [...new Set([prefer, 'global'])] };
      printJson({ hits, total, ...about, ...first });
      return;
    }
    if (about.read_as !== undefined) say(`read as: ${cleanLine(about.read_as)}`);
    if (about.relaxed !== undefined) say(about.relaxed);
    for (const { typed, instead } of about.corrected ?? []) say(`searched for ${instead} instead of ${typed}`);
    print(formatters[format](hits));
    if (about.degraded !== undefined) say(`warning: ${about.degraded}`);
    if (total === 0) say(`no note matches ${cutTo(text, maxQuoted)}`);
    else if (hits.length === 0) say(`--offset ${offset} leaves out all of them: there are ${total}`);
    if (about.did_you_mean !== undefined) say(`did you mean ${about.did_you_mean.join(', ')}?`);
    else if (total === 0 && isTerminal('stderr')) say(nextAfterNothing(filter, at));
    const shown = offset + hits.length;
    if (hits.length > 0 && shown < total && isTerminal('stderr')) say(`${total - shown} more: --offset ${shown}`);
  });
};

const formatters: Readonly<Record<Exclude<HitFormat, 'json'>, (hits: readonly SearchHit[]) => string>> = {
  table: formatHits,
  markdown: formatHitsAsMarkdown,
  paths: (hits) => hits.flatMap(({ path }) => (path === undefined ? [] : [`${cleanLine(path)}\n`])).join(''),
};

/** The next step that is left: fewer conditions, other words, or all notes. */
const nextAfterNothing = ({ project, ...filter }: NoteFilter, at: string | undefined): string => {
  const others = Object.values(filter).some((value) => value !== undefined && String(value) !== '');
  if (project !== undefined) return 'leave out --project to search all projects; anamnesis projects lists them';
  if (others) return 'leave out an option, or try other words';
  return at === undefined ? 'try other words, or see all notes: anamnesis list' : 'try other words, or a later point';
};
