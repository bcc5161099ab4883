/** Opens the store for one command and closes it again, whatever happens in between. */
import type { App } from '../app/app.js';
import { readSettings } from '../config/settings.js';
import { retold } from './errors.js';

/** Runs as the person at this machine. The first command that records something creates the store. */
export const withApp = async (run: (app: App) => Promise<void>): Promise<void> => {
  const { openApp, ownerAccess } = await import('../app/app.js');
  const settings = readSettings(process.env);
  const open = openApp(settings);
  try {
    const app = open.as(ownerAccess(settings));
    await run(app).catch(async (error: unknown) => {
      const { withNames } = await import('./note-names.js');
      throw await retold(error, (sentences) => withNames(app.notes, sentences));
    });
  } finally {
    await open.finish();
  }
};
