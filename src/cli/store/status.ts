/** anamnesis status: prints the state of the store. */
import type { Command } from 'commander';
import type { JsonOption } from '../answer.js';
import { subcommand } from '../options.js';
import { printStatus } from './print-status.js';

export const statusCommand = (): Command =>
  subcommand('status', 'Print what the store holds and which changes are not recorded yet', [
    'status',
    'status --json',
  ]).action((options: JsonOption) => printStatus(options));
