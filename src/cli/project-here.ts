/** The project of the current folder, and a word to the person where a marker does not count: `warnings`, for `--json`. */
import { explainIgnored, findProject } from '../config/project.js';
import { type Settings, userHome } from '../config/settings.js';
import { say } from './output.js';

export type ProjectHere = { readonly key: string; readonly warnings: readonly string[] };

export const projectHere = ({ trustedProjects }: Settings): ProjectHere => {
  const found = findProject(process.cwd(), { userHome: userHome(), trusted: trustedProjects });
  const ignored = explainIgnored(found);
  if (ignored !== undefined) say(`warning: ${ignored}`);
  return { key: found.key, warnings: ignored === undefined ? [] : [ignored] };
};
