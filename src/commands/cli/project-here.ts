/** The project of the current folder, and a word to the person where a marker does not count. */
import { homedir } from 'node:os';
import type { Settings } from '../../memory/settings.js';
import { explainIgnored, findProject } from '../project.js';
import { say } from './output.js';

export const projectHere = ({ trustedProjects }: Settings): string => {
  const found = findProject(process.cwd(), { userHome: homedir(), trusted: trustedProjects });
  const ignored = explainIgnored(found);
  if (ignored !== undefined) say(`warning: ${ignored}`);
  return found.key;
};
