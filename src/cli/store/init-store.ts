/** anamnesis init-store */
import type { Command } from 'commander';
import type { JsonOption } from '../answer.js';
import { subcommand } from '../options.js';
import { cleanLine, ink, print, printJson } from '../output.js';
import { withMemory } from '../session.js';

export const initStoreCommand = (): Command =>
  subcommand('init-store', 'Create the store (the first write does it too)', [
    'init-store',
    'init-store --json',
  ]).action(async (options: JsonOption) => {
    await withMemory(async (memory) => {
      const created = await memory.initialise();
      const root = memory.settings.home;
      if (options.json === true) printJson({ root, created });
      else print(`${created ? ink('green', 'created') : ink('dim', 'unchanged')} ${cleanLine(root)}\n`);
    });
  });
