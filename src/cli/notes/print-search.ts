/** The action of `search`, shared by the quick path and commander's; loads no commander. */

import type { SearchMode } from '../../answers/search-mode.js';
import type { NoteFilter, SearchRequest } from '../../app/notes.js';
import { projectOfFolder } from '../../config/project.js';
import { readSettings, userHome } from '../../config/settings.js';
import { wrongUsage } from '../errors.js';
import { isTerminal, say } from '../output.js';
import { projectAsked } from '../project-here.js';
import { withApp } from '../session.js';
import { cutTo } from '../table.js';
import { type HitOptions, maxQuoted, printHits } from './print-hits.js';

/** Doesn't warn of a marker that is ignored, since nothing is written to its project. */
const preferredHere = (): string =>
  projectOfFolder(process.cwd(), userHome(), readSettings(process.env).trustedProjects);

type PrintedSearch = HitOptions & {
  readonly text: string;
  readonly filter: NoteFilter;
  readonly how: Omit<SearchRequest, keyof NoteFilter | 'prefer'>;
};

export const printSearch = async ({ text, filter, how, json, paths }: PrintedSearch): Promise<void> => {
  const { at, offset } = how;
  if (text.trim() === '')
    throw wrongUsage('there is nothing to search for', 'give words, or see all notes: anamnesis list');
  await withApp(async (app) => {
    // A project of that time may no longer have notes.
    const project = at === undefined ? await projectAsked(app, filter.project) : filter.project;
    const prefer = project === undefined && at === undefined ? preferredHere() : undefined;
    const answer = await app.notes.search(text, { ...filter, ...how, project, prefer });
    const first = prefer === undefined ? undefined : [...new Set([prefer, 'global'])];
    const isNarrowed = Object.values(filter).some((value) => value !== undefined && String(value) !== '');
    const nothing = isNarrowed ? `no note matches ${cutTo(text, maxQuoted)} and the options given` : undefined;
    printHits(answer, { asked: text, json, paths, first, offset, nothing });
    if (json === true || answer.total > 0) return;
    const [, key] = /(?:^|\s)project:(?!")(\S+)/.exec(text) ?? [];
    const meant = key === undefined || at !== undefined ? undefined : await app.notes.resolveProject(key);
    if (meant?.ok === false) say(`${meant.refusal.message}; ${meant.refusal.next}`);
    // An agent behind a pipe tries other words without being told, but not --mode semantic.
    else if (isTerminal('stderr') || answer.about.mode === 'hybrid')
      say(nextAfterNothing(isNarrowed, answer.about.mode));
  });
};

/** Suggests the next step: fewer conditions, other words, meanings, or all notes. */
const nextAfterNothing = (isNarrowed: boolean, mode: SearchMode | undefined): string => {
  if (isNarrowed) return 'leave out an option, or try other words';
  const rest = mode === 'hybrid' ? 'the nearest notes by meaning: --mode semantic' : 'see all notes: anamnesis list';
  return `try other words, or ${rest}`;
};
