/** The project of a command: the current folder's, or that of `--project`. `warnings` are on stderr already. */
import type { App } from '../app/app.js';
import { explainIgnored, findProject, projectOfFolder } from '../config/project.js';
import { type Settings, userHome } from '../config/settings.js';
import { answerOrThrow } from './errors.js';
import { cleanLine, say, sayWarnings } from './output.js';

export type ProjectHere = { readonly key: string; readonly warnings: readonly string[] };

export const projectHere = ({ trustedProjects }: Settings): ProjectHere => {
  const found = findProject(process.cwd(), { userHome: userHome(), trusted: trustedProjects });
  const ignored = explainIgnored(found);
  if (ignored !== undefined) say(`warning: ${ignored}`);
  return { key: found.key, warnings: ignored === undefined ? [] : [ignored] };
};

/** Resolves a project to search. Refused if no project matches, or several do. */
export const projectAsked = async (
  { notes }: Pick<App, 'notes'>,
  given: string | undefined,
): Promise<string | undefined> => (given === undefined ? undefined : answerOrThrow(await notes.resolveProject(given)));

/** Resolves a project to search, for commands that can answer for one without notes: then the text is its key. */
export const projectOrNew = async ({ notes, settings }: App, given: string | undefined): Promise<ProjectHere> => {
  if (given === undefined) return projectHere(settings);
  const found = await notes.resolveProject(given);
  if (found.ok) return { key: found.answer, warnings: [] };
  if (found.refusal.code !== 'project-unknown') return { key: answerOrThrow(found), warnings: [] };
  sayWarnings([found.refusal.message]);
  return { key: given.trim(), warnings: [found.refusal.message] };
};

/** Resolves a project to write to; refused for several. stderr names one that is neither the folder's nor the text. */
export const projectToWrite = async ({ notes, settings }: App, given: string): Promise<ProjectHere> => {
  const here = projectOfFolder(process.cwd(), userHome(), settings.trustedProjects);
  const { key, warnings } = answerOrThrow(await notes.nameProject(given, here));
  if (key !== here && key !== given.trim()) say(`project: ${cleanLine(key)}`);
  sayWarnings(warnings);
  return { key, warnings };
};
