/** anamnesis search and similar: find notes, with all options of a search. */
import { type Command, Option } from 'commander';
import { type SearchMode, type SearchSort, searchModes, searchSorts } from '../../answers/search-mode.js';
import { answerOrThrow } from '../errors.js';
import {
  addFilterOptions,
  type FilterOptions,
  filterOf,
  parseCount,
  parseOffset,
  repeatable,
  subcommand,
} from '../options.js';
import { projectAsked } from '../project-here.js';
import { withApp } from '../session.js';
import { readPoint } from '../typed-time.js';
import { idOrTitled } from './by-title.js';
import { type HitOptions, printHits } from './print-hits.js';
import { printSearch } from './print-search.js';
import { recallDefaults } from './recall.js';

type SearchOptions = HitOptions &
  FilterOptions & {
    readonly k: number;
    readonly offset?: number;
    readonly at?: string;
    readonly also?: readonly string[];
    readonly sort?: SearchSort;
    readonly fuzzy: boolean;
    readonly mode?: SearchMode;
    readonly ignoreCase?: boolean;
    readonly explain?: boolean;
  };

const language = `
In the query:
  "connection pool"     a hit has these words side by side
  deploy*               words that begin with it
  'cache -redis'        not the notes with redis; quoted, because -k, -n, -V
                        and -h are options
  auth AND (token OR "session key") NOT oauth
  tag:infra  type:semantic  project:shop  scope:machine-local
  machine:laptop  agent:claude  after:2026-06  before:7d
  is:superseded|expired|any|local|sensitive  has:secret|tag|expiry
  6DDRKK  id:6DDRKK     a note by its id or a part of it
If a query makes no sense, its words are searched for, and the answer says so.`;

export const searchCommand = (): Command =>
  addFilterOptions(
    subcommand(
      'search',
      'Find notes by their words, best first',
      [
        'search why does the deploy hang',
        "search 'release steps' --project acme/shop --type procedural",
        'search \'"connection pool" tag:infra -redis\'',
        "search 'retry(3, {' --mode exact",
        'search vpn --at 2026-06-24 --json',
      ],
      language,
    )
      .alias('find')
      .argument('<query...>', 'words to look for; any of them may match')
      // `-redis` is part of the query.
      .allowUnknownOption(),
  )
    .option('-k <count>', 'maximum number of notes', parseCount, recallDefaults.k)
    .option('--offset <count>', 'number of notes to skip', parseOffset)
    .addOption(
      new Option('--sort <order>', 'order of the notes that fit best').choices(searchSorts).default('relevance'),
    )
    .option('--also <words>', 'the same in other words, which count half; repeat it for more', repeatable)
    .option('--no-fuzzy', 'look for every word as typed, even if it occurs in no note')
    .option('--at <point>', 'search the notes as they were at this commit, event id or time')
    .addOption(
      new Option(
        '--mode <mode>',
        'keyword: words alone; hybrid: by meaning, too; semantic: by meaning, whatever the words; auto: as models allow; exact: the text itself, as grep does',
      )
        .choices(searchModes)
        .default('auto'),
    )
    .option('--ignore-case', 'with --mode exact: match regardless of case')
    .option('--explain', 'say what the index was asked, and why each hit ranks where it does')
    .option('--paths', 'print only the paths of the files')
    .action((words: readonly string[], options: SearchOptions, command: Command) => {
      const unknown = process.argv.includes('--') ? undefined : words.find((word) => /^--[a-z]/i.test(word));
      if (unknown !== undefined)
        command.error(`error: unknown option '${unknown}'`, { code: 'commander.unknownOption' });
      return searchAsTyped(words.join(' '), options);
    });

const searchAsTyped = async (text: string, options: SearchOptions): Promise<void> => {
  const { k, offset, sort, also, fuzzy, mode, ignoreCase, explain, json, paths } = options;
  const at = options.at === undefined ? undefined : await readPoint(options.at);
  const how = { k, offset, sort, also, at, fuzzy, mode, ignoreCase, explain };
  await printSearch({ text, filter: await filterOf(options), how, json, paths });
};

type SimilarOptions = HitOptions & {
  readonly k: number;
  readonly project?: string;
  readonly mode?: SearchMode;
};

export const similarCommand = (): Command =>
  subcommand('similar', 'Find notes like a note, by the words that say most about it', [
    'similar 6DDRKK',
    'similar 6DDRKK --project shop -k 3 --json',
  ])
    .argument('<note>', 'id of the note, its beginning or its end, or words of its title in quotes')
    .option('-k <count>', 'maximum number of notes', parseCount, recallDefaults.k)
    .option('--project <key>', 'only notes of this project')
    .addOption(
      new Option('--mode <mode>', 'keyword: words alone; hybrid: by meaning, too; semantic: by meaning')
        .choices(searchModes.filter((mode) => mode !== 'exact'))
        .default('auto'),
    )
    .option('--paths', 'print only the paths of the files')
    .action(async (given: string, { k, mode, json, paths, ...options }: SimilarOptions) => {
      await withApp(async (app) => {
        const project = await projectAsked(app, options.project);
        const id = await idOrTitled(app.notes, given);
        const answer = answerOrThrow(await app.notes.similar(id, { k, mode, project }));
        printHits(answer, {
          asked: given,
          nothing: 'no other note shares words that say much about it',
          json,
          paths,
        });
      });
    });
