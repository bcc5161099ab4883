/** anamnesis compact: repacks the journals. */
import type { Command } from 'commander';
import type { CompactAnswer, CompactedJournal } from '../../app/maintenance.js';
import type { JsonOption } from '../answer.js';
import { subcommand } from '../options.js';
import { ink, print, printJson } from '../output.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';

type CompactOptions = JsonOption & { readonly full?: true };

export const compactCommand = (): Command =>
  subcommand('compact', 'Repack the journals, so that they take less space and history is found faster', [
    'compact',
    'compact --full',
    'compact --json',
  ])
    .option('--full', 'one pack per journal (default: as few packs as is worth the work)')
    .action(async ({ full, json }: CompactOptions) => {
      await withApp(async ({ maintenance }) => {
        const answer = await maintenance.compact({ full });
        if (json === true) printJson(answer);
        else printCompacted(answer);
      });
    });

const printCompacted = ({ journals, ms }: CompactAnswer): void => {
  if (journals.length === 0) {
    print(`${ink('dim', 'unchanged')} there are no events yet\n`);
    return;
  }
  print(`${ink('green', 'compacted')} in ${ms} ms\n${formatTable(columns, journals)}`);
};

const columns = [
  { head: 'journal', of: ({ journal }: CompactedJournal) => journal, style: 'cyan' },
  { head: 'packs', of: ({ before, after }: CompactedJournal) => `${before.packs} → ${after.packs}` },
  { head: 'size', of: ({ before, after }: CompactedJournal) => `${sizeOf(before.bytes)} → ${sizeOf(after.bytes)}` },
  { head: 'writers waited', of: ({ heldMs }: CompactedJournal) => `${heldMs} ms` },
] as const;

const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
