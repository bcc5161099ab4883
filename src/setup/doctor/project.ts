/** Checks that the project marker of doctor's working folder is not ignored. No finding if there is no marker. */
import { explainIgnored, findProject } from '../../config/project.js';
import { readSettings } from '../../config/settings.js';
import { type Check, warning } from './check.js';

export const projectCheck: Check = {
  name: 'project',
  look: ({ environment, userHome }) => {
    const { trustedProjects } = readSettings(environment);
    const ignored = explainIgnored(findProject(process.cwd(), { userHome, trusted: trustedProjects }));
    const next = 'until then, notes of this folder are kept under the project that is named here';
    return ignored === undefined ? [] : [warning('project', ignored, { next })];
  },
};
