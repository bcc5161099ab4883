/** anamnesis adopt */
import { type Command, Option } from 'commander';
import { subcommand } from '../options.js';
import { type AdoptOptions, adoptEdits } from './adopt-edits.js';

export const adoptCommand = (): Command =>
  subcommand('adopt', 'Record what was changed by hand in the note files', [
    'adopt',
    'adopt --deletions',
    'adopt --put-back',
  ])
    .addOption(
      new Option('--deletions', 'record that removed files are forgotten notes, however many').conflicts('putBack'),
    )
    .option('--put-back', 'bring removed files back instead')
    .action((options: AdoptOptions) => adoptEdits(options));
