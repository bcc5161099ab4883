/** anamnesis init-store: creates the store. */
import type { Command } from 'commander';
import type { JsonOption } from '../answer.js';
import { subcommand } from '../options.js';
import { cleanLine, ink, print, printJson } from '../output.js';
import { withApp } from '../session.js';

export const initStoreCommand = (): Command =>
  subcommand('init-store', 'Create the store (the first write does it too)', [
    'init-store',
    'init-store --json',
  ]).action(async (options: JsonOption) => {
    await withApp(async ({ maintenance }) => {
      const { root, created } = await maintenance.initialise();
      if (options.json === true) printJson({ root, created });
      else print(`${created ? ink('green', 'created') : ink('dim', 'unchanged')} ${cleanLine(root)}\n`);
    });
  });
