/** The action of `adopt`, shared by the quick path and commander's; loads no commander itself. */
import type { Adopted } from '../../app/intake.js';
import { type JsonOption, printMasked } from '../answer.js';
import { type Namer, sayNamedWarnings, withNames } from '../note-names.js';
import { cleanLine, counted, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';

export type AdoptOptions = JsonOption & {
  readonly deletions?: true;
  readonly putBack?: true;
  readonly lostLocal?: true;
};

export const adoptEdits = async (options: AdoptOptions): Promise<void> => {
  const deletions = options.deletions === true ? 'record' : options.putBack === true ? 'put-back' : 'hold';
  await withApp(async ({ intake, maintenance, notes }) => {
    // A separate consent: that these notes are lost says nothing of removed files in memory/, which may be held, too.
    if (options.lostLocal === true)
      say((await maintenance.acceptLostLocal()) ? 'the old local/ is accepted as lost' : 'no local/ is missing');
    const {
      events,
      changes,
      merged,
      masked,
      left,
      held_deletions: held,
      put_back: back,
      warnings,
    } = await intake.adopt(deletions);
    if (options.json === true) {
      const named = changes.map((one) => ({ ...pick(one), change: wordFor(one) }));
      printJson({
        event_ids: events.map(({ id }) => id),
        changes: named,
        merged,
        masked,
        left,
        held_deletions: held,
        put_back: back,
        warnings,
      });
      return;
    }
    for (const { kind, subject } of events)
      print(`${ink('green', 'recorded')} ${cleanLine(`${kind}${changes.length > 0 ? '' : ` ${subject}`}`)}\n`);
    await printChanges(notes, changes);
    await sayNamedWarnings(notes, warnings);
    printMerged(merged);
    printMasked(masked);
    await printLeft(notes, left);
    await printHeld(notes, held);
    for (const { journal, path } of back) print(`${ink('green', 'put back')} ${journal}/${cleanLine(path)}\n`);
    if (options.lostLocal !== true && events.length + left.length + held.length + back.length === 0)
      say('nothing was changed by hand');
  });
};

type Changes = Adopted['changes'];

const pick = ({ id, short_id, title, replaced_by: by }: Changes[number]) => ({
  id,
  short_id,
  title,
  ...(by === undefined ? {} : { replaced_by: by }),
});

type Word = 'added' | 'edited' | 'renamed' | 'forgotten' | 'replaced';

const wordFor = ({ change, before, after, replaced_by: by }: Changes[number]): Word => {
  if (change === 'removed') return by === undefined ? 'forgotten' : 'replaced';
  return change === 'added' ? 'added' : before === after ? 'renamed' : 'edited';
};

/** Prints removed notes first: moving a file out of the type folders forgets its note, which people may not expect. */
const printChanges = async (notes: Namer, changes: Changes): Promise<void> => {
  const named = changes.map((one) => ({ ...one, word: wordFor(one) }));
  const inOrder = [
    ...named.filter(({ change }) => change === 'removed'),
    ...named.filter(({ change }) => change !== 'removed'),
  ];
  const names = await notes.names(inOrder.slice(0, maxNamed).flatMap(({ replaced_by: by }) => by ?? []));
  for (const { word, change, short_id: id, title, replaced_by: by } of inOrder.slice(0, maxNamed)) {
    const now =
      by === undefined
        ? ''
        : `: its file holds note ${names.get(by)?.shortId ?? by} now; anamnesis restore ${id} brings it back`;
    print(`  ${ink(change === 'removed' ? 'yellow' : 'green', word.padEnd(9))} ${id} ${cleanLine(title)}${now}\n`);
  }
  if (inOrder.length > maxNamed) print(`  and ${inOrder.length - maxNamed} more\n`);
};

const maxNamed = 20;

/** Warns that lines are back which a person may have removed on purpose, in a file that looks like an older version. */
const printMerged = (merged: Adopted['merged']): void => {
  for (const { journal, path } of merged)
    print(
      `${ink('yellow', 'merged')} ${journal}/${cleanLine(path)}: was saved from an older version; the lines recorded since are kept\n`,
    );
};

const printLeft = async (notes: Namer, left: Adopted['left']): Promise<void> => {
  const lines = left.map(({ journal, path, reason }) => `${journal}/${path}: ${reason}`);
  for (const line of await withNames(notes, lines)) print(`${ink('yellow', 'left alone')} ${cleanLine(line)}\n`);
};

const printHeld = async (notes: Namer, held: Adopted['held_deletions']): Promise<void> => {
  if (held.length === 0) return;
  const lines = held.map(({ journal, path, replaced_by: by }) =>
    by === undefined
      ? { word: 'removed', line: `${journal}/${path}` }
      : { word: 'replaced', line: `${journal}/${path}: it says it is note ${by} now` },
  );
  const named = await withNames(
    notes,
    lines.map(({ line }) => line),
  );
  for (const [at, { word }] of lines.entries()) print(`${ink('yellow', word)} ${cleanLine(named[at] ?? '')}\n`);
  say(
    held.some(({ replaced_by: by }) => by !== undefined)
      ? `${counted(held.length, 'note')} lost their files, not recorded: adopt --deletions records that, adopt --put-back restores them`
      : `${counted(held.length, 'removed file')} not recorded: adopt --deletions records them as forgotten, adopt --put-back restores them`,
  );
};
