/** anamnesis status: prints the state of the store. The quick path loads it without commander. */
import type { Status } from '../../answers/store-schema.js';
import { readStatus, tellOfModels } from '../../app/status.js';
import type { JsonOption } from '../answer.js';
import { localTime, withLocalTimes } from '../local-time.js';
import { withNames } from '../note-names.js';
import type { Subcommand } from '../options.js';
import { counted, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { cutTo, formatPairs } from '../table.js';

export const statusCommand: Subcommand = (subcommand) =>
  subcommand('status', 'Print what the store holds and which changes are not recorded yet', [
    'status',
    'status --json',
  ]).action((options: JsonOption) => printStatus(options));

export const printStatus = ({ json }: JsonOption): Promise<void> =>
  withApp(async (app) => {
    const memory = await app.whole();
    const status = await readStatus(memory);
    if (json === true) return printJson(status);
    print(formatPairsOf(status) + formatLines(await withNames(app.notes, linesOf(status))));
    const told = await tellOfModels(memory, process.env);
    if (told !== undefined) say(told);
  });

const formatPairsOf = (status: Status): string => {
  const { sync } = status;
  return formatPairs([
    ['store', status.root],
    ['machine', status.machine],
    ['index', status.db_path ?? 'none yet'],
    ['notes', `${status.total} (${status.live} live, ${status.superseded} superseded)`],
    ['events', status.events],
    ['types', countsOf(status.by_type)],
    ['projects', countsOf(status.by_project)],
    ['scopes', countsOf(status.by_scope)],
    ['head', sync.head ?? undefined],
    ['remote', sync.remote ?? undefined],
    ['agents', describeAgents(status.agents)],
    ['state', withLocalTimes(sync.detail)],
  ]);
};

const linesOf = (status: Status): readonly string[] => {
  return [
    ...(status.lost_local === null
      ? []
      : [`${ink('red', 'lost')} ${status.lost_local.message}: ${status.lost_local.next}`]),
    ...status.hand_edits.map(({ journal, path, change }) => `${ink('yellow', change)} ${journal}/${path}`),
    ...status.left.map(({ journal, path, reason }) => `${ink('yellow', 'left alone')} ${journal}/${path}: ${reason}`),
    ...status.skipped.map(
      ({ journal, path, line, message }) => `${ink('red', 'unreadable')} ${journal}/${path}:${line}: ${message}`,
    ),
    ...(status.conflicts > 0 ? [`${ink('yellow', counted(status.conflicts, 'conflict'))}: anamnesis conflicts`] : []),
    ...status.repeated_ids.map((id) => `${ink('yellow', 'twice')} ${id} is in more than one file`),
  ];
};

const formatLines = (lines: readonly string[]): string => {
  const shown = lines.slice(0, maxLines);
  const more = lines.length > maxLines ? `and ${lines.length - maxLines} more: anamnesis status --json\n` : '';
  return shown.map((line) => `${line}\n`).join('') + more;
};

const describeAgents = ({
  last_capture,
  spool,
  missing_transcripts,
  model_calls_today,
  proposals,
}: Status['agents']): string =>
  [
    last_capture === null ? 'no session captured yet' : `last capture ${localTime(last_capture)}`,
    ...(spool > 0 ? [`${counted(spool, 'item')} in the spool`] : []),
    ...(missing_transcripts > 0 ? [`${counted(missing_transcripts, 'session')} without a transcript`] : []),
    ...(model_calls_today > 0 ? [`${counted(model_calls_today, 'model call')} today`] : []),
    ...(proposals > 0 ? [`${counted(proposals, 'proposal')} to review`] : []),
  ].join(', ');

const maxLines = 30;
const maxKeys = 8;
const maxKeyColumns = 48;

const countsOf = (counts: Readonly<Record<string, number>>): string => {
  const entries = Object.entries(counts).sort((a, b) => b[1] - a[1]);
  const more = entries.length > maxKeys ? `, and ${counted(entries.length - maxKeys, 'more', 'more')}` : '';
  return (
    entries
      .slice(0, maxKeys)
      .map(([key, count]) => `${cutTo(key, maxKeyColumns, 'start')} ${count}`)
      .join(', ') + more
  );
};
