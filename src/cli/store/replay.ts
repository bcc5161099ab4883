/** anamnesis replay: rebuilds the index from the journals. */
import type { Command } from 'commander';
import type { JsonOption } from '../answer.js';
import { parseWorkers, subcommand } from '../options.js';
import { readPoint } from '../typed-time.js';

type ReplayOptions = JsonOption & { readonly workers?: number; readonly verify?: true; readonly at?: string };

export const replayCommand = (): Command =>
  subcommand('replay', 'Rebuild the index from the journal', [
    'replay',
    'replay --verify',
    'replay --workers 2 --json',
    'replay --at 2026-06-24',
  ])
    .alias('reindex')
    .option('--workers <count>', 'threads that read notes (default: depends on the number of notes)', parseWorkers)
    .option('--verify', 'compare with the previous index; exit code 3 if they differ')
    .option('--at <point>', 'build the index of a past point beside the present one: a commit, event id or time')
    .action(async ({ at, ...options }: ReplayOptions) => {
      const point = at === undefined ? undefined : await readPoint(at);
      const { printReplay } = await import('./print-replay.js');
      await printReplay({ ...options, at: point });
    });
