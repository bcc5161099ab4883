/** anamnesis stats: counts events and the notes they touched. */
import { type Command, Option } from 'commander';
import type { ActivityAnswer } from '../../answers/history-schema.js';
import { type ActivityKey, readActivity } from '../../app/history.js';
import type { JsonOption } from '../answer.js';
import { parseCount, subcommand } from '../options.js';
import { counted, print, printJson, say } from '../output.js';
import { projectOrNew } from '../project-here.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';

type StatsOptions = JsonOption & { readonly days: number; readonly by: ActivityKey; readonly project?: string };

const keys = ['day', 'project', 'kind', 'machine'] as const satisfies readonly ActivityKey[];

export const statsCommand = (): Command =>
  subcommand('stats', 'Count events, and the notes they touched, per day, project, kind or machine', [
    'stats',
    'stats --by project --days 7',
    'stats --by kind --project github.com/acme/shop --json',
  ])
    .option('--days <count>', 'number of UTC days, ending today', parseCount, 30)
    .addOption(new Option('--by <key>', 'what each line counts').choices(keys).default('day'))
    .option('--project <key>', 'only events of this project')
    .action(({ days, by, project: given, json }: StatsOptions) =>
      withApp(async (app) => {
        const project = given === undefined ? undefined : (await projectOrNew(app, given)).key;
        const activity = await readActivity(await app.wholeToRead(), { by, days, project });
        if (json === true) printJson(activity);
        else printActivity(activity);
      }),
    );

const printActivity = ({ by, from, project, rows, events, last_day: lastDay }: ActivityAnswer): void => {
  if (rows.length === 0) {
    const what = project === null ? 'no events' : `no events of project ${project}`;
    say(lastDay === null ? what : `${what} since ${from}; the last one was on ${lastDay}`);
    return;
  }
  print(
    formatTable(
      [
        { head: by.toUpperCase(), of: ({ key }) => key ?? 'no project', style: 'yellow', cut: 'start', main: true },
        { head: 'EVENTS', of: (row) => String(row.events), align: 'right' },
        { head: 'NOTES', of: (row) => String(row.notes), align: 'right' },
      ],
      rows,
    ),
  );
  say(`since ${from} (UTC): ${counted(events, 'event')}; NOTES counts a note once for each of its events`);
};
