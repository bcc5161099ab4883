/** The action of `adopt`, shared by the quick path and commander's; loads no commander itself. */
import type { Adopted } from '../../app/intake.js';
import { type JsonOption, printMasked } from '../answer.js';
import { cleanLine, counted, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';

export type AdoptOptions = JsonOption & { readonly deletions?: true; readonly putBack?: true };

export const adoptEdits = async (options: AdoptOptions): Promise<void> => {
  const deletions = options.deletions === true ? 'record' : options.putBack === true ? 'put-back' : 'hold';
  await withApp(async ({ intake }) => {
    const { events, masked, left, held_deletions: held, put_back: back } = await intake.adopt(deletions);
    if (options.json === true) {
      printJson({ event_ids: events.map(({ id }) => id), masked, left, held_deletions: held, put_back: back });
      return;
    }
    for (const { id, kind, subject } of events)
      print(`${ink('green', 'recorded')} ${cleanLine(`${kind} ${id} ${subject}`)}\n`);
    printMasked(masked);
    printLeft(left);
    printHeld(held);
    for (const { journal, path } of back) print(`${ink('green', 'put back')} ${journal}/${cleanLine(path)}\n`);
    if (events.length + left.length + held.length + back.length === 0) say('nothing was changed by hand');
  });
};

const printLeft = (left: Adopted['left']): void => {
  for (const { journal, path, reason } of left)
    print(`${ink('yellow', 'left')} ${journal}/${cleanLine(`${path}: ${reason}`)}\n`);
};

const printHeld = (held: Adopted['held_deletions']): void => {
  for (const { journal, path } of held) print(`${ink('yellow', 'removed')} ${journal}/${cleanLine(path)}\n`);
  if (held.length === 0) return;
  say(
    `${counted(held.length, 'removed file')} not recorded: adopt --deletions records them as forgotten, adopt --put-back restores them`,
  );
};
