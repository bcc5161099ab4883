/** anamnesis log and history: list events, of the store or of one note. */
import { type Command, Option } from 'commander';
import type { EventJson } from '../../answers/history-schema.js';
import { type EventFilter, readEvents } from '../../app/history.js';
import { patchesOfNote } from '../../app/store-diff.js';
import { eventKinds } from '../../events/event.js';
import type { JsonOption } from '../answer.js';
import { answerOrThrow, wrongUsage } from '../errors.js';
import { localTime, timeColumn } from '../local-time.js';
import { idOrTitled } from '../notes/by-title.js';
import { parseCount, subcommand } from '../options.js';
import { cleanLine, ink, print, printJson, printWhole, say } from '../output.js';
import { formatPatch } from '../patch.js';
import { projectOrNew } from '../project-here.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';
import { readSeconds } from '../typed-time.js';

type LogOptions = JsonOption &
  Pick<EventFilter, 'machine' | 'kind' | 'project'> & {
    readonly limit: number;
    readonly oldest?: true;
    readonly after?: string;
    readonly before?: string;
  };

export const logCommand = (): Command =>
  subcommand('log', 'Print the events, newest first', [
    'log -n 5',
    'log --kind note.forgotten --after 2026-06-01',
    'log --project github.com/acme/shop',
    'log --machine laptop --oldest --json',
  ])
    .option('--project <key>', 'only events of this project')
    .option('--machine <name>', 'only events of this machine')
    .addOption(kindOption())
    .option('--after <time>', 'only events since: 2026-06-24, 2026-06, 7d, "last monday"')
    .option('--before <time>', 'only events before this time')
    .option('--oldest', 'oldest first')
    .option('-n, --limit <count>', 'maximum number of events', parseCount, 20)
    .action((options: LogOptions) => printEvents(options));

export const historyCommand = (): Command =>
  subcommand('history', 'Print the events of one note, newest first', [
    'history 01J9XK3V',
    'history 01J9XK3V --patch',
    'history 01J9XK3V --oldest',
  ])
    .argument('<id>', 'id of the note, its beginning or its end; or its title')
    .option('--oldest', 'oldest first')
    .option('-n, --limit <count>', 'maximum number of events', parseCount, 1000)
    .option('-p, --patch', 'with the lines that each event changed')
    .action((note: string, options: LogOptions & { readonly patch?: true }) =>
      options.patch === true ? printPatches(note, options) : printEvents(options, note),
    );

const printPatches = (given: string, { json, limit, oldest }: LogOptions): Promise<void> =>
  withApp(async (app) => {
    const note = await idOrTitled(app.notes, given);
    const memory = await app.whole();
    const { events, total } = answerOrThrow(await readEvents(memory, { note, oldestFirst: oldest }, limit));
    const patches = await patchesOfNote(memory, note, events);
    if (json === true)
      return printJson({ events: events.map((event, at) => ({ ...event, patch: patches[at] ?? [] })), total });
    for (const [at, event] of events.entries()) {
      const { at: time, short_id: id, kind, machine } = event;
      const what = cleanLine(describeEvent(event));
      print(
        `${at === 0 ? '' : '\n'}${ink('yellow', id)}  ${localTime(time)}  ${ink('cyan', kind)}  ${cleanLine(machine)}  ${what}\n`,
      );
      const lines = patches[at] ?? [];
      if (lines.length === 0) print("  (the note's file is unchanged)\n");
      else printWhole(`${formatPatch(lines.join('\n'))}\n`);
    }
    if (events.length === 0) say('no events');
  });

/** `named` is the id or the title of a note. */
const printEvents = async (options: LogOptions, named?: string): Promise<void> => {
  const { project: given, machine, kind, after, before, oldest, limit, json } = options;
  const times = { after: await readSeconds(after, '--after'), before: await readSeconds(before, '--before') };
  await withApp(async (app) => {
    const project = given === undefined ? undefined : (await projectOrNew(app, given)).key;
    const note = named === undefined ? undefined : await idOrTitled(app.notes, named);
    const filter = { note, project, machine, kind, ...times, oldestFirst: oldest };
    const { events, total } = answerOrThrow(await readEvents(await app.wholeToRead(), filter, limit));
    if (events.length === 0 && kind !== undefined && !isKind(kind)) throw unknownKind(kind);
    if (json === true) printJson({ events, total });
    else print(formatEvents(events));
    if (json !== true && events.length === 0) say('no events');
  });
};

const formatEvents = (events: readonly EventJson[]): string =>
  formatTable<EventJson>(
    [
      timeColumn('AT', events, ({ at }) => at),
      { head: 'EVENT', of: ({ short_id: id }) => id, style: 'yellow' },
      { head: 'KIND', of: ({ kind }) => kind, style: 'cyan' },
      { head: 'MACHINE', of: ({ machine }) => machine, cut: 'end', optional: true },
      {
        head: 'SUBJECT',
        of: describeEvent,
        cut: 'end',
        main: true,
      },
    ],
    events,
  );

const isKind = (kind: string): boolean => eventKinds.some((one) => one === kind);

/** For a kind that no event has: a newer version may have recorded kinds that this one doesn't know. */
const unknownKind = (kind: string) =>
  wrongUsage(`there is no kind of event called ${kind}`, `the kinds are ${eventKinds.join(', ')}`);

/** Offers the kinds without enforcing them: a newer version may have recorded others. */
const kindOption = (): Option => {
  const option = new Option('--kind <kind>', 'only events of this kind');
  option.argChoices = [...eventKinds];
  return option;
};

/** Returns the event's subject, with the reason or the decision in parentheses, unless the subject begins with it. */
export const describeEvent = ({ subject, reason }: Pick<EventJson, 'subject' | 'reason'>): string =>
  reason === undefined || subject.startsWith(`${reason}: `) ? subject : `${subject} (${reason})`;
