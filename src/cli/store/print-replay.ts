/** The action of `replay`, shared by the quick path and commander's; loads no commander itself. */
import type { ReplayAnswer } from '../../app/maintenance.js';
import type { JsonOption } from '../answer.js';
import { exitCodes } from '../errors.js';
import { counted, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { formatPairs } from '../table.js';

type Asked = JsonOption & {
  readonly workers?: number;
  readonly verify?: true;
  /** As returned by `readPoint`. */
  readonly at?: string | undefined;
};

export const printReplay = ({ json, ...asked }: Asked): Promise<void> =>
  withApp(async ({ maintenance }) => {
    const answer = await maintenance.replay(asked);
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
