/** anamnesis sync: exchanges notes with other machines. The quick path loads it without commander. */
import { syncStore } from '../../sync/syncing.js';
import type { JsonOption } from '../answer.js';
import { exitCodes } from '../errors.js';
import { withLocalTimes } from '../local-time.js';
import type { Subcommand } from '../options.js';
import { cleanLine, ink, isTerminal, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';

export const syncCommand: Subcommand = (subcommand) => {
  const command = subcommand('sync', 'Exchange notes with your other machines through the remote', [
    'sync',
    'sync --json',
    'sync --accept-rewrite',
  ]);
  const seed = command.createOption('--seed', 'publish everything to a remote that was emptied or reset');
  return command
    .addOption(seed.conflicts(['acceptRewrite', 'rejoin']))
    .option('--accept-rewrite', 'take a rewritten remote, with what only this machine has on top')
    .addOption(command.createOption('--rejoin', 'the older name of --accept-rewrite').hideHelp())
    .option('--drop-old', 'with --accept-rewrite: keep nothing of the old history, as after a purge')
    .action((options: SyncOptions) => printSync(options));
};

type SyncOptions = JsonOption & {
  readonly seed?: true;
  readonly acceptRewrite?: true;
  /** The older name of the same option. */
  readonly rejoin?: true;
  readonly dropOld?: true;
};

export const printSync = ({ json, seed, acceptRewrite, rejoin, dropOld }: SyncOptions): Promise<void> =>
  withApp(async (app) => {
    const answer = await syncStore(await app.whole(), {
      interactive: isTerminal('stdin'),
      seed,
      acceptRewrite: acceptRewrite ?? rejoin,
      dropOld,
    });
    const { outcome, detail, trouble } = answer;
    if (json === true) printJson(answer);
    else print(`${ink(trouble === null ? 'green' : 'yellow', outcome)}: ${cleanLine(withLocalTimes(detail))}\n`);
    if (trouble === null) return;
    process.exitCode = exitCodes.refused;
    if (json !== true) say(cleanLine(trouble.next));
  });
