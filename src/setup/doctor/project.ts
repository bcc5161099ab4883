/** Checks that the project marker of doctor's working folder is not ignored. No finding if there is no marker. */
import { explainIgnored, findProject } from '../../config/project.js';
import { type Check, warning } from './check.js';
import { settingsOf } from './config-check.js';

export const projectCheck: Check = {
  name: 'project',
  look: (examined) => {
    const settings = settingsOf(examined);
    if (settings === undefined) return [];
    const { trustedProjects: trusted } = settings;
    const ignored = explainIgnored(findProject(process.cwd(), { userHome: examined.userHome, trusted }));
    const next = 'until then, notes of this folder are kept under the project that is named here';
    return ignored === undefined ? [] : [warning('project', ignored, { next })];
  },
};
