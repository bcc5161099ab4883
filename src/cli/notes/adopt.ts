/** anamnesis adopt: records changes made to note files by hand. */
import { type Command, Option } from 'commander';
import { subcommand } from '../options.js';
import { type AdoptOptions, adoptEdits } from './adopt-edits.js';

export const adoptCommand = (): Command =>
  subcommand('adopt', 'Record changes made to the note files by hand', [
    'adopt',
    'adopt --deletions',
    'adopt --put-back',
    'adopt --lost-local',
  ])
    .addOption(new Option('--deletions', 'record removed files as forgotten notes, however many').conflicts('putBack'))
    .option('--put-back', 'restore removed files instead')
    .option('--lost-local', 'accept that a missing local/ is gone for good')
    .action((options: AdoptOptions) => adoptEdits(options));
