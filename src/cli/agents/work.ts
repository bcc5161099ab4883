/** anamnesis work: carries out what hooks queued, as the background worker does. */
import type { Command } from 'commander';
import type { WorkReport } from '../../app/intake.js';
import type { JsonOption } from '../answer.js';
import { subcommand } from '../options.js';
import { cleanLine, counted, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';

export const workCommand = (): Command =>
  subcommand('work', 'Carry out the work that hooks queued: captures, learning, import of native memory', [
    'work',
    'work --json',
  ])
    .option('--home <folder>', 'folder of the store')
    .action((options: JsonOption) =>
      withApp(async ({ intake }) => {
        const report = await intake.work();
        if (options.json === true) printJson(report);
        else print(describe(report));
        for (const problem of report.problems) say(cleanLine(problem));
      }),
    );

const describe = (report: WorkReport): string => {
  if (report.busy) return 'another worker is running\n';
  const { captured, learned, proposed, confirmed, imported, pulled, pushed } = report;
  const done = [
    ...(captured > 0 ? [`${counted(captured, 'session')} captured`] : []),
    ...(learned > 0 ? [`${counted(learned, 'note')} learned`] : []),
    ...(proposed > 0 ? [`${counted(proposed, 'proposal')} to review`] : []),
    ...(confirmed > 0 ? [`${counted(confirmed, 'note')} confirmed`] : []),
    ...(imported > 0 ? [`${counted(imported, 'note')} imported`] : []),
    ...(pulled > 0 ? [`${counted(pulled, 'event')} pulled`] : []),
    ...(pushed > 0 ? [`${counted(pushed, 'event')} pushed`] : []),
  ];
  return done.length === 0 ? 'nothing to do\n' : `${done.join(', ')}\n`;
};
