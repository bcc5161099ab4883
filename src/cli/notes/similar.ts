/** anamnesis similar: finds notes like a given one. */
import { type Command, Option } from 'commander';
import { type SearchMode, searchModes } from '../../answers/search-mode.js';
import type { JsonOption } from '../answer.js';
import { answerOrThrow } from '../errors.js';
import { parseCount, subcommand, takesOtherCount } from '../options.js';
import { projectAsked } from '../project-here.js';
import { withApp } from '../session.js';
import { idOrTitled } from './by-title.js';
import { type HitFormat, hitFormats, printHits } from './print-hits.js';
import { recallDefaults } from './recall.js';

type SimilarOptions = JsonOption & {
  readonly k: number;
  readonly project?: string;
  readonly mode?: SearchMode;
  readonly format?: HitFormat;
};

export const similarCommand = (): Command =>
  takesOtherCount(
    subcommand('similar', 'Find notes like a note, by the words that say most about it', [
      'similar 6DDRKK',
      'similar 6DDRKK --project shop -k 3 --json',
    ]),
    'k',
  )
    .argument('<note>', 'id of the note, its beginning or its end, or words of its title in quotes')
    .option('-k <count>', 'maximum number of notes', parseCount, recallDefaults.k)
    .option('--project <key>', 'only notes of this project')
    .addOption(
      new Option('--mode <mode>', 'keyword: words alone; hybrid: by meaning, too; semantic: by meaning')
        .choices(searchModes.filter((mode) => mode !== 'exact'))
        .default('auto'),
    )
    .addOption(new Option('--format <format>', 'format of the answer (default: table)').choices(hitFormats))
    .action(async (given: string, { k, mode, format, json, ...options }: SimilarOptions) => {
      await withApp(async (app) => {
        const project = await projectAsked(app, options.project);
        const id = await idOrTitled(app.notes, given);
        const answer = answerOrThrow(await app.notes.similar(id, { k, mode, project }));
        printHits(answer, {
          asked: given,
          nothing: 'no other note shares words that say much about it',
          format: json === true ? 'json' : format,
        });
      });
    });
