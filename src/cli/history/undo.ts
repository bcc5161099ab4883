/** anamnesis undo: takes an event back. */
import type { Command } from 'commander';
import { undoEvent } from '../../app/undoing.js';
import { describe, type JsonOption, printMasked } from '../answer.js';
import { answerOrThrow } from '../errors.js';
import { sayNamedWarnings } from '../note-names.js';
import { subcommand } from '../options.js';
import { cleanLine, print, printJson } from '../output.js';
import { withApp } from '../session.js';

export const undoCommand = (): Command =>
  subcommand('undo', 'Undo an event: its notes get back the text they had before it', [
    'undo                     (the last event of this machine)',
    'undo 01M7YJ8X            (log shows the ids)',
    'undo 01M7YJ8X --json',
  ])
    .argument('[event]', 'id of an event, its beginning or its end (default: the last one of this machine)')
    .action(async (given: string | undefined, options: JsonOption) => {
      await withApp(async (app) => {
        const { notes } = app;
        const { undone, answer, notes: touched } = answerOrThrow(await undoEvent(await app.whole(), given));
        const { event, status, masked, warnings, note } = answer;
        if (options.json === true)
          return printJson({ ...note, event: event ?? null, status, masked, warnings, undone });
        print(
          `${describe(answer)} ${status === 'recorded' ? 'of ' : ''}${undone.kind}: ${cleanLine(undone.subject)}\n`,
        );
        const names = await notes.names(touched.slice(0, maxNamed));
        if (status === 'recorded')
          for (const [id, { shortId, title }] of names) {
            const isTitledBySubject = undone.note_count === 1 && id === touched[0] && undone.kind !== 'notes.imported';
            const called = title ?? (isTitledBySubject ? undone.subject : '');
            print(
              `  ${cleanLine(`${shortId} ${called}`).trimEnd()}: ${stateAfter(undone.kind, title !== undefined)}\n`,
            );
          }
        if (status === 'recorded' && touched.length > maxNamed) print(`  and ${touched.length - maxNamed} more\n`);
        printMasked(masked);
        await sayNamedWarnings(notes, warnings);
      });
    });

const maxNamed = 20;

/** Describes a note once an event of that kind is undone. */
const stateAfter = (kind: string, isThere: boolean): string => {
  if (!isThere) return kind === 'note.restored' || kind === 'event.undone' ? 'forgotten again' : 'forgotten';
  return kind === 'note.forgotten' ? 'back' : `as it was before${kind === 'event.undone' ? ' that undoing' : ''}`;
};
