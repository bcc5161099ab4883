/** anamnesis adopt: records changes made to note files by hand. The quick path loads it without commander. */
import type { Adoption } from '../../answers/note-schema.js';
import { adoptEdits, publishLeftFile } from '../../app/adopting.js';
import { type JsonOption, printMasked } from '../answer.js';
import { answerOrThrow } from '../errors.js';
import { sayNamedWarnings, withNames } from '../note-names.js';
import type { Subcommand } from '../options.js';
import { cleanLine, counted, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';

export const adoptCommand: Subcommand = (subcommand) => {
  const command = subcommand('adopt', 'Record changes made to the note files by hand', [
    'adopt',
    'adopt --deletions',
    'adopt --put-back',
    'adopt --publish ID',
    'adopt --lost-local',
  ]);
  const deletions = command.createOption('--deletions', 'record removed files as forgotten notes, however many');
  return command
    .addOption(deletions.conflicts('putBack'))
    .option('--put-back', 'restore removed files instead')
    .option('--publish <id>', 'take a file that was left for its id in as a new note')
    .option('--lost-local', 'accept that a missing local/ is gone for good')
    .action((options: AdoptOptions) => printAdoption(options));
};

type AdoptOptions = JsonOption & {
  readonly deletions?: true;
  readonly putBack?: true;
  readonly lostLocal?: true;
  /** Id of a note. */
  readonly publish?: string;
};

export const printAdoption = (options: AdoptOptions): Promise<void> =>
  withApp(async (app) => {
    const memory = await app.whole();
    // A separate consent: that these notes are lost says nothing of removed files in memory/, which may be held, too.
    if (options.lostLocal === true)
      say((await memory.acceptLostLocal()) ? 'the old local/ is accepted as lost' : 'no local/ is missing');
    if (options.publish !== undefined) answerOrThrow(await publishLeftFile(memory, options.publish));
    const answer = await adoptEdits(
      memory,
      options.deletions === true ? 'record' : options.putBack === true ? 'put-back' : 'hold',
    );
    if (options.json === true) return printJson(answer);
    const { event_ids: events, changes, merged, masked, left, held_deletions: held, put_back: back, warnings } = answer;
    for (const _ of events) print(`${ink('green', 'recorded')} hand.adopted\n`);
    printChanges(changes);
    await sayNamedWarnings(app.notes, warnings);
    // Lines are back which a person may have removed on purpose.
    for (const { journal, path } of merged)
      print(
        `${ink('yellow', 'merged')} ${journal}/${cleanLine(path)}: was saved from an older version; the lines recorded since are kept\n`,
      );
    printMasked(masked);
    const reasons = left.map(({ journal, path, reason }) => `${journal}/${path}: ${reason}`);
    for (const line of await withNames(app.notes, reasons))
      print(`${ink('yellow', 'left alone')} ${cleanLine(line)}\n`);
    for (const { journal, path } of held) print(`${ink('yellow', 'removed')} ${journal}/${cleanLine(path)}\n`);
    for (const { journal, path } of back) print(`${ink('green', 'put back')} ${journal}/${cleanLine(path)}\n`);
    if (held.length > 0)
      say(
        `${counted(held.length, 'removed file')} not recorded: adopt --deletions records them as forgotten, adopt --put-back restores them`,
      );
    if (options.lostLocal !== true && events.length + left.length + held.length + back.length === 0)
      say('nothing was changed by hand');
  });

type Changes = Adoption['changes'];

/** Prints removed notes first: moving a file out of the type folders forgets its note, which people may not expect. */
const printChanges = (changes: Changes): void => {
  const isGone = ({ change }: Changes[number]): boolean => change === 'forgotten';
  const inOrder = [...changes.filter(isGone), ...changes.filter((one) => !isGone(one))];
  for (const one of inOrder.slice(0, maxNamed)) {
    const { change, short_id: id, title } = one;
    print(`  ${ink(isGone(one) ? 'yellow' : 'green', change.padEnd(9))} ${id} ${cleanLine(title)}\n`);
  }
  if (inOrder.length > maxNamed) print(`  and ${inOrder.length - maxNamed} more\n`);
};

const maxNamed = 20;
