/** The project of a session: that of the client's first root, else of the folder that the server started in. */
import { fileURLToPath } from 'node:url';
import { projectOfFolder } from '../config/project.js';
import { type Settings, userHome } from '../config/settings.js';

/** `roots` are the addresses that the client names, if any. */
export const projectOfSession = (roots: readonly string[], { trustedProjects }: Settings): string =>
  projectOfFolder(roots.flatMap(folderOf)[0] ?? process.cwd(), userHome(), trustedProjects);

const folderOf = (uri: string): readonly string[] => {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
};
