/** anamnesis fleet */
import type { Command } from 'commander';
import type { FleetMachine } from '../../app/sync.js';
import type { JsonOption } from '../answer.js';
import { subcommand } from '../options.js';
import { print, printJson, say, shortTime } from '../output.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';

export const fleetCommand = (): Command =>
  subcommand('fleet', 'List the machines that have written notes, and how many events each is behind', [
    'fleet',
    'fleet --json',
  ]).action(async ({ json }: JsonOption) => {
    await withApp(async ({ sync }) => {
      const machines = await sync.fleet();
      if (json === true) printJson({ machines, total: machines.length });
      else print(formatFleet(machines));
      if (json !== true && machines.length === 0) say('no machine wrote here yet');
    });
  });

const formatFleet = (machines: readonly FleetMachine[]): string =>
  formatTable(
    [
      {
        head: 'MACHINE',
        of: ({ machine, this_machine: isOurs }) => (isOurs ? `${machine} (this one)` : machine),
        style: 'yellow',
        cut: 'end',
      },
      { head: 'NOTES', of: ({ notes }) => String(notes), align: 'right' },
      { head: 'EVENTS', of: ({ events }) => String(events), align: 'right' },
      { head: 'LAST SYNC', of: ({ last_sync: at }) => (at === null ? 'never' : shortTime(at)) },
      { head: 'BEHIND', of: ({ behind }) => (behind === null ? 'unknown' : String(behind)), align: 'right' },
      { head: 'LAST EVENT', of: ({ last_event: event }) => (event === null ? '' : shortTime(event.at)) },
      {
        head: 'SUBJECT',
        of: ({ last_event: event }) => (event === null ? '' : `${event.kind}: ${event.subject}`),
        cut: 'end',
      },
    ],
    machines,
  );
