/** anamnesis fleet: lists the machines that have written notes. */
import type { Command } from 'commander';
import type { FleetMachine } from '../../app/sync.js';
import type { JsonOption } from '../answer.js';
import { timeColumn } from '../local-time.js';
import { subcommand } from '../options.js';
import { print, printJson, say } from '../output.js';
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
      if (json !== true && machines.length === 0) say('no machine has written yet');
    });
  });

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
