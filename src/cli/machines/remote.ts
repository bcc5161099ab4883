/** anamnesis remote and fleet: the remote that notes are synced with, and the machines that write to it. */
import { Command } from 'commander';
import type { FleetMachine } from '../../answers/machines-schema.js';
import { readRemote } from '../../app/sync.js';
import { readFleet } from '../../sync/fleet.js';
import { removeRemote, setRemote } from '../../sync/remote.js';
import type { JsonOption } from '../answer.js';
import { answerOrThrow, valueOrThrow } from '../errors.js';
import { localTime, timeColumn } from '../local-time.js';
import { subcommand } from '../options.js';
import { cleanLine, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { formatPairs, formatTable } from '../table.js';

export const remoteCommand = (): Command =>
  new Command('remote')
    .description('Show, set or remove the git remote that the notes are synced with')
    .addHelpText('after', help)
    .addCommand(showCommand(), { isDefault: true })
    .addCommand(setCommand())
    .addCommand(removeCommand());

const help = `
An address is a path, user@host:path, ssh://host/path or https://host/path of a
git repository. Make an empty one with
  $ git init --bare --initial-branch=main PATH

Without a subcommand: show.`;

const showCommand = (): Command =>
  subcommand('show', 'Print the remote and the result of the last sync', ['remote show', 'remote show --json']).action(
    ({ json }: JsonOption) =>
      withApp(async (app) => {
        const answer = answerOrThrow(await readRemote(await app.whole()));
        if (json === true) return printJson(answer);
        const { remote, source, last, trouble } = answer;
        if (remote === null)
          return print('no remote: notes stay on this machine. To add one: anamnesis remote set ADDRESS\n');
        print(
          formatPairs([
            ['remote', remote],
            ['set by', source ?? undefined],
            ['last sync', last === null ? 'never' : `${localTime(last.at)}: ${last.detail}`],
            ['trouble', trouble === null ? undefined : `${trouble.message} (since ${localTime(trouble.since)})`],
          ]),
        );
      }),
  );

type SharingOptions = JsonOption & { readonly shared?: boolean; readonly user?: string };

const setCommand = (): Command =>
  subcommand('set', 'Sync with this remote from now on (fetches nothing yet)', [
    'remote set git@example.com:me/memory.git',
    'remote set ssh://always-on.tail1234.ts.net/srv/memory.git',
    'remote set /mnt/usb/memory.git',
    'remote set git@example.com:team/memory.git --shared --user anna',
  ])
    .argument('<address>', 'where the repository is')
    .option('--shared', "several people sync with it: agents are not offered the others' notes")
    .option('--user <name>', 'user that this machine writes notes for')
    .action((address: string, { json, shared = false, user }: SharingOptions) =>
      withApp(async (app) => {
        const { shown, kind } = valueOrThrow(await setRemote(await app.whole(), address, { shared, user }));
        if (json === true) printJson({ remote: shown, kind });
        else print(`${ink('green', 'set')} ${cleanLine(shown)}; to exchange notes, run: anamnesis sync\n`);
        if (process.env['ANAMNESIS_GIT_REMOTE'] !== undefined) say('ANAMNESIS_GIT_REMOTE is set and overrides it');
      }),
    );

const removeCommand = (): Command =>
  subcommand('remove', 'Stop syncing; notes stay on both sides', ['remote remove']).action(({ json }: JsonOption) =>
    withApp(async (app) => {
      const removed = valueOrThrow(await removeRemote(await app.whole()));
      if (json === true) printJson({ removed });
      else if (removed) print(`${ink('green', 'removed')} the remote; notes stay on both sides\n`);
      else print('there was no remote\n');
    }),
  );

export const fleetCommand = (): Command =>
  subcommand('fleet', 'List the machines that have written notes, and how many events each is behind', [
    'fleet',
    'fleet --json',
  ]).action(({ json }: JsonOption) =>
    withApp(async (app) => {
      const machines = await readFleet(await app.whole());
      if (json === true) return printJson({ machines, total: machines.length });
      print(formatFleet(machines));
      if (machines.length === 0) say('no machine has written yet');
    }),
  );

const formatFleet = (machines: readonly FleetMachine[]): string =>
  formatTable<FleetMachine>(
    [
      {
        head: 'MACHINE',
        of: ({ machine, this_machine: isOurs }) => (isOurs ? `${machine} (this one)` : machine),
        style: 'yellow',
        cut: 'end',
        main: true,
      },
      { head: 'NOTES', of: ({ notes }) => String(notes), align: 'right' },
      { head: 'EVENTS', of: ({ events }) => String(events), align: 'right', optional: true },
      timeColumn('SYNCED', machines, ({ last_sync }) => last_sync, { missing: 'never' }),
      { head: 'BEHIND', of: ({ behind }) => (behind === null ? 'unknown' : String(behind)), align: 'right' },
      timeColumn('WROTE', machines, ({ last_event }) => last_event?.at, { optional: true }),
      {
        head: 'LAST EVENT',
        of: ({ last_event: event }) => (event === null ? '' : `${event.kind}: ${event.subject}`),
        cut: 'end',
      },
    ],
    machines,
  );
