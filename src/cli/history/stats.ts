/** anamnesis stats */
import { type Command, Option } from 'commander';
import { journalNames } from '../../events/note/note.js';
import { formatTime } from '../../events/time.js';
import {
  type Activity,
  type ActivityFilter,
  type ActivityKey,
  activityKeys,
  countActivity,
  noActivity,
} from '../../projections/activity/query.js';
import type { JsonOption } from '../answer.js';
import { parseCount, subcommand } from '../options.js';
import { counted, print, printJson, say } from '../output.js';
import { withReading } from '../session.js';
import { formatTable } from '../table.js';

type StatsOptions = JsonOption & { readonly days: number; readonly by: ActivityKey; readonly project?: string };

export const statsCommand = (): Command =>
  subcommand('stats', 'Count events, and the notes they touched, per day, project, kind or machine', [
    'stats',
    'stats --by project --days 7',
    'stats --by kind --project github.com/acme/shop --json',
  ])
    .option('--days <count>', 'days to count, in UTC, the last one today', parseCount, 30)
    .addOption(new Option('--by <key>', 'what a line stands for').choices(activityKeys).default('day'))
    .option('--project <key>', 'only events of this project')
    .action(({ days, by, project, json }: StatsOptions) =>
      withReading(async ({ journals, liveIndex }) => {
        const filter = { by, project, from: firstDay(days) };
        const isEmpty = !journalNames.some((name) => journals[name].exists());
        const activity = isEmpty ? noActivity : await liveIndex.ask(countActivity(filter));
        if (json === true) printJson(jsonOf(filter, activity));
        else printActivity(filter, activity);
      }),
    );

const firstDay = (days: number): string => formatTime(Date.now() - (days - 1) * 86_400_000).slice(0, 10);

const jsonOf = ({ by, from, project }: ActivityFilter, { lastDay, ...counts }: Activity) => ({
  by,
  from,
  project: project ?? null,
  ...counts,
  last_day: lastDay,
});

const printActivity = ({ by, from, project }: ActivityFilter, { rows, events, lastDay }: Activity): void => {
  if (rows.length === 0) {
    const what = project === undefined ? 'no events' : `no events of project ${project}`;
    say(lastDay === null ? what : `${what} since ${from}; the last one was on ${lastDay}`);
    return;
  }
  const most = Math.max(...rows.map((row) => row.events));
  print(
    formatTable(
      [
        { head: by.toUpperCase(), of: ({ key }) => key ?? 'no project', style: 'yellow', cut: 'end' },
        { head: 'EVENTS', of: (row) => String(row.events), align: 'right' },
        { head: 'NOTES', of: (row) => String(row.notes), align: 'right' },
        { head: '', of: (row) => '█'.repeat(Math.ceil((row.events / most) * barColumns)), style: 'dim' },
      ],
      rows,
    ),
  );
  say(`since ${from} (UTC): ${counted(events, 'event')}; NOTES counts a note for each event on it`);
};

const barColumns = 24;
