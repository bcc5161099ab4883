/** anamnesis replay: rebuilds the index from the journals. The quick path loads it without commander. */
import type { ReplayAnswer } from '../../answers/store-schema.js';
import { replayStore } from '../../maintenance/replaying.js';
import type { JsonOption } from '../answer.js';
import { exitCodes, wrongUsage } from '../errors.js';
import type { Subcommand } from '../options.js';
import { counted, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { formatPairs } from '../table.js';

export const replayCommand: Subcommand = (subcommand) =>
  subcommand('replay', 'Rebuild the index from the journal', [
    'replay',
    'replay --verify',
    'replay --workers 2 --json',
    'replay --at 2026-06-24',
  ])
    .alias('reindex')
    .option('--workers <count>', 'threads that read notes (default: depends on the number of notes)')
    .option('--verify', 'compare with the previous index; exit code 3 if they differ')
    .option('--at <point>', 'build the index of a past point beside the present one: a commit, event id or time')
    .action(
      async ({ at, workers, ...options }: Omit<ReplayCommandOptions, 'workers'> & { readonly workers?: string }) => {
        const { readPoint } = await import('../typed-time.js');
        const point = at === undefined ? undefined : await readPoint(at);
        await printReplay({ ...options, ...readWorkers(workers), at: point });
      },
    );

/** More threads than this only wait for each other. */
const maxWorkers = 64;

const readWorkers = (text: string | undefined): { readonly workers?: number } => {
  if (text === undefined) return {};
  const count = Number(text);
  if (!(Number.isInteger(count) && count >= 1 && count <= maxWorkers))
    throw wrongUsage(`--workers ${text} is no number of threads`, `give a whole number from 1 to ${maxWorkers}`);
  return { workers: count };
};

type ReplayCommandOptions = JsonOption & {
  readonly workers?: number;
  readonly verify?: true;
  /** As returned by `readPoint`. */
  readonly at?: string | undefined;
};

export const printReplay = ({ json, ...asked }: ReplayCommandOptions): Promise<void> =>
  withApp(async (app) => {
    const answer = await replayStore(await app.whole(), asked);
    if (json === true) printJson(answer);
    else printAnswer(answer);
    if (answer.verified === false) {
      process.exitCode = exitCodes.damaged;
      say(
        `anamnesis: the index differed from its journal (${answer.differs?.join(', ')}); it is rebuilt now, and replay --verify checks it again`,
      );
    }
  });

const printAnswer = (answer: ReplayAnswer): void => {
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
