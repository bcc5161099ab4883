/** anamnesis inject */
import type { Command } from 'commander';
import type { JsonOption } from './answer.js';
import { parseCount, subcommand } from './options.js';
import { printInjection, recallDefaults } from './recall.js';

type InjectOptions = JsonOption & { readonly project?: string; readonly k: number; readonly budget: number };

export const injectCommand = (): Command =>
  subcommand('inject', 'Print the notes that a session should begin with', [
    'inject',
    'inject --project github.com/acme/shop -k 4 --budget 4000',
  ])
    .option('--project <key>', "project of the session; the current folder's when not given")
    .option('-k <count>', 'notes of the project at most', parseCount, recallDefaults.k)
    .option('--budget <units>', 'length of the whole text at most, in UTF-16 units', parseCount, recallDefaults.budget)
    .action((options: InjectOptions) => printInjection(options));
