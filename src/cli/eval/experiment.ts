/** anamnesis eval experiment: measures a change on a copy of the store. */
import type { Command } from 'commander';
import { experimentCommands, isExperimentCommand } from '../../app/experiment/experiment-commands.js';
import type { JsonOption } from '../answer.js';
import { wrongUsage } from '../errors.js';
import { repeatable, subcommand } from '../options.js';
import { counted, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';
import { formatComparisons } from './compare.js';

type ExperimentOptions = JsonOption & { readonly evalSet?: readonly string[]; readonly includeUnreviewed?: true };

export const experimentCommand = (): Command =>
  subcommand('experiment', 'Measure what a change would do to search, on a copy of the store', [
    'eval experiment merge',
    'eval experiment -- import ~/notes --project acme',
    'eval experiment --eval-set cases.jsonl -- supersede 7QF3KD --by 9XK3VA',
  ])
    .argument(
      '<change...>',
      `merge (of notes that say nearly the same), or a command: ${experimentCommands.join(', ')}`,
    )
    .option('--eval-set <file>', 'JSONL file of cases; may be repeated (default: memory/eval/*.jsonl)', repeatable)
    .option('--include-unreviewed', 'include cases that are not approved yet')
    .action(async (change: readonly string[], { evalSet, includeUnreviewed, json }: ExperimentOptions) => {
      if (!isExperimentCommand(change[0]) || (change[0] === 'merge' && change.length > 1)) {
        throw wrongUsage(
          `${change.join(' ')} can't be tried on a copy`,
          `give merge, or one of ${experimentCommands.join(', ')} with its arguments after --`,
        );
      }
      await withApp(async ({ maintenance }) => {
        const program = process.argv[1] ?? '';
        const done = await maintenance.experiment({ change, program, sets: evalSet, includeUnreviewed });
        if (json === true) return printJson(done);
        const { notes, gone, merged, comparison } = done;
        print(formatComparisons([comparison], 'the copy'));
        if (merged.length > 0) {
          const columns = [
            { head: 'WOULD GO', of: ({ title }: (typeof merged)[number]) => title, cut: 'end', main: true },
            { head: 'INTO', of: ({ into }: (typeof merged)[number]) => into, cut: 'end' },
          ] as const;
          print(`\n${formatTable(columns, merged)}`);
        }
        if (gone.before + gone.after > 0)
          say(
            `right notes that are not in the store, counted as not found: ${gone.before} before, ${gone.after} after`,
          );
        say(`${counted(notes.before, 'note')} before, ${notes.after} after; your store is unchanged`);
      });
    });
