/** The action of `sync`, shared by the quick path and commander's; loads no commander itself. */
import type { JsonOption } from '../answer.js';
import { exitCodes } from '../errors.js';
import { withLocalTimes } from '../local-time.js';
import { cleanLine, ink, isTerminal, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';

export type SyncOptions = JsonOption & {
  readonly seed?: true;
  readonly acceptRewrite?: true;
  /** The older name of the same option. */
  readonly rejoin?: true;
  readonly dropOld?: true;
};

export const syncNow = ({ json, seed, acceptRewrite, rejoin, dropOld }: SyncOptions): Promise<void> =>
  withApp(async ({ sync }) => {
    const interactive = isTerminal('stdin');
    const answer = await sync.now({
      interactive,
      seed: seed === true,
      acceptRewrite: acceptRewrite === true || rejoin === true,
      dropOld: dropOld === true,
    });
    if (json === true) printJson(answer);
    else
      print(
        `${ink(answer.trouble === null ? 'green' : 'yellow', answer.outcome)}: ${cleanLine(withLocalTimes(answer.detail))}\n`,
      );
    if (answer.trouble === null) return;
    process.exitCode = exitCodes.refused;
    if (json !== true) say(cleanLine(answer.trouble.next));
  });
