/** anamnesis replay */
import type { Command } from 'commander';
import type { ReplayAnswer } from '../../app/maintenance.js';
import type { JsonOption } from '../answer.js';
import { exitCodes } from '../errors.js';
import { parseWorkers, subcommand } from '../options.js';
import { counted, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { formatPairs } from '../table.js';
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
    .action(async ({ workers, verify, at, json }: ReplayOptions) => {
      const point = at === undefined ? undefined : await readPoint(at);
      await withApp(async ({ maintenance }) => {
        const answer = await maintenance.replay({ workers, verify, at: point });
        if (json === true) printJson(answer);
        else printReplay(answer);
        if (answer.verified === false) {
          process.exitCode = exitCodes.damaged;
          say(
            `anamnesis: the index differed from its journal (${answer.differs?.join(', ')}); it is rebuilt now, and replay --verify checks it again`,
          );
        }
      });
    });

const printReplay = (answer: ReplayAnswer): void => {
  const { notes, events, ms, workers, digest, localDigest, skipped, verified, at } = answer;
  print(
    `${ink('green', 'replayed')} ${counted(notes, 'note')} and ${counted(events, 'event')} in ${Math.round(ms)} ms with ${counted(workers, 'worker')}\n`,
  );
  print(
    formatPairs([
      ['digest', digest],
      ['local digest', localDigest],
      ['verified', verified === undefined ? undefined : verified ? 'the same as before' : 'not the same as before'],
      ['index', at?.db_path],
    ]),
  );
  if (skipped > 0) say(`${counted(skipped, 'file')} could not be read as notes: anamnesis status names them`);
};
