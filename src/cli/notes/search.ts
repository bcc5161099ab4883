/** anamnesis search */
import { type Command, Option } from 'commander';
import { type SearchMode, searchModes } from '../../answers/search-mode.js';
import type { JsonOption } from '../answer.js';
import { addFilterOptions, type FilterOptions, filterOf, parseCount, parseShare, subcommand } from '../options.js';
import { readPoint } from '../typed-time.js';
import { printSearch, recallDefaults } from './recall.js';

type SearchOptions = JsonOption &
  FilterOptions & {
    readonly k: number;
    readonly at?: string;
    readonly fuzzy: boolean;
    readonly fuzzyThreshold?: number;
    readonly mode?: SearchMode;
  };

export const searchCommand = (): Command =>
  addFilterOptions(
    subcommand('search', 'Find notes by their words, best first', [
      'search why does the deploy hang',
      "search 'release steps' --project github.com/acme/shop --type procedural -k 3",
      'search vpn --at 2026-06-24 --json',
    ])
      .alias('find')
      .argument('<query...>', 'words to look for; any of them may match'),
  )
    .option('-k <count>', 'maximum number of notes', parseCount, recallDefaults.k)
    .option('--no-fuzzy', 'look for every word as it is typed, even if it stands in no note')
    .option('--fuzzy-threshold <share>', 'trigrams that a correction shares with the word, 0 to 1 (0.15)', parseShare)
    .option('--at <point>', 'search the notes as they were at this commit, event id or time')
    .addOption(
      new Option('--mode <mode>', 'keyword: words alone; hybrid: by meaning, too; auto: as models allow')
        .choices(searchModes)
        .default('auto'),
    )
    .action(async (words: readonly string[], options: SearchOptions) => {
      const { k, fuzzy, fuzzyThreshold, mode, json } = options;
      const at = options.at === undefined ? undefined : await readPoint(options.at);
      const filter = await filterOf(options);
      await printSearch({ text: words.join(' '), filter, k, at, fuzzy: { fuzzy, fuzzyThreshold }, mode, json });
    });
