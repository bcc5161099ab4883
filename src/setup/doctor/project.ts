/** Check of the folder that doctor runs in: that its project marker counts. Nothing to say where it has none. */
import { explainIgnored, findProject } from '../../config/project.js';
import { readSettings } from '../../config/settings.js';
import { type Check, warning } from './check.js';

export const projectCheck: Check = {
  name: 'project',
  look: ({ environment, userHome }) => {
    const { trustedProjects } = readSettings(environment);
    const ignored = explainIgnored(findProject(process.cwd(), { userHome, trusted: trustedProjects }));
    const next = 'notes of this folder are kept under the project that is named here until then';
    return ignored === undefined ? [] : [warning('project', ignored, { next })];
  },
};
