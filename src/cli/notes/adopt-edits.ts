/** The action of `adopt`, shared by the quick path and commander's; loads no commander itself. */
import { type JournalFolder, journalFolder, journalNames } from '../../events/note/note.js';
import { type JsonOption, printMasked } from '../answer.js';
import { cleanLine, counted, ink, print, printJson, say } from '../output.js';
import { withMemory } from '../session.js';

export type AdoptOptions = JsonOption & { readonly deletions?: true; readonly putBack?: true };

export const adoptEdits = async (options: AdoptOptions): Promise<void> => {
  const deletions = options.deletions === true ? 'record' : options.putBack === true ? 'put-back' : 'hold';
  await withMemory(async (memory) => {
    // A folder of notes that was no repository yet is taken in while the journals are made.
    const made = await memory.initialise();
    const before = made ? await memory.events({ kind: 'hand.adopted' }, journalNames.length) : [];
    const reconciled = await memory.adopt(deletions);
    const events = [...before, ...journalNames.flatMap((name) => reconciled[name].event ?? [])];
    const masked = journalNames.flatMap((name) => reconciled[name].masked);
    const left = journalNames.flatMap((name) =>
      reconciled[name].left.map((file) => ({ journal: journalFolder[name], ...file })),
    );
    const held = journalNames.flatMap((name) =>
      reconciled[name].heldDeletions.map((path) => ({ journal: journalFolder[name], path })),
    );
    const back = journalNames.flatMap((name) =>
      reconciled[name].putBack.map((path) => ({ journal: journalFolder[name], path })),
    );
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

const printLeft = (
  left: readonly { readonly journal: JournalFolder; readonly path: string; readonly reason: string }[],
): void => {
  for (const { journal, path, reason } of left)
    print(`${ink('yellow', 'left')} ${journal}/${cleanLine(`${path}: ${reason}`)}\n`);
};

const printHeld = (held: readonly { readonly journal: JournalFolder; readonly path: string }[]): void => {
  for (const { journal, path } of held) print(`${ink('yellow', 'removed')} ${journal}/${cleanLine(path)}\n`);
  if (held.length === 0) return;
  say(
    `${counted(held.length, 'removed file')} not recorded: adopt --deletions records them as forgotten, adopt --put-back restores them`,
  );
};
