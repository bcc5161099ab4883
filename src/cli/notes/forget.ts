/** anamnesis forget and restore: take notes out of search and bring them back. */
import type { Command } from 'commander';
import { describe, type JsonOption, printAnswer } from '../answer.js';
import { answerOrThrow, type Done, doneOrThrow } from '../errors.js';
import { nameLine, sayNamedWarnings } from '../note-names.js';
import { subcommand } from '../options.js';
import { cleanLine, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { readPoint } from '../typed-time.js';
import { idsToChange, idToChange } from './by-title.js';

export const forgetCommand = (): Command =>
  subcommand('forget', 'Remove notes from search and recall; restore brings them back', [
    "forget 01J9XK3V --reason 'the registry moved'",
    'forget 01J9XK3V 01J9XK5A --json',
  ])
    .aliases(['rm', 'delete'])
    .argument('<notes...>', 'ids of the notes, their beginnings or their ends, or their titles, each in quotes')
    .option('-r, --reason <text>', 'why it no longer holds')
    .action(async (given: readonly string[], options: JsonOption & { readonly reason?: string }) => {
      await withApp(async ({ notes }) => {
        const answers: {
          readonly id: string;
          readonly event: Done['event'] | null;
          readonly status: Done['status'];
        }[] = [];
        // Read first, because a forgotten note no longer has a title.
        const ids = await idsToChange(notes, given);
        const names = await notes.names(ids);
        for (const { id, answer } of answerOrThrow(await notes.forget(ids, options.reason))) {
          const { event, status, warnings } = doneOrThrow(answer);
          answers.push({ id, event: event ?? null, status });
          if (options.json !== true) print(`${describe({ status, event })} ${cleanLine(nameLine(id, names))}\n`);
          const short = names.get(id)?.shortId ?? id;
          if (options.json !== true && status === 'unchanged' && warnings.length === 0)
            say(`already forgotten; anamnesis restore ${short} brings it back`);
          await sayNamedWarnings(notes, warnings);
        }
        if (options.json === true) printJson(given.length === 1 ? answers[0] : answers);
      });
    });

type RestoreOptions = JsonOption & { readonly at?: string };

export const restoreCommand = (): Command =>
  subcommand('restore', 'Bring back a forgotten note, or the text a note had at some point in history', [
    'restore 01J9XK3VZ0QF4T8M2N6P7R9SBD',
    'restore 01J9XK3V --at 2026-06-24',
    'restore 01J9XK3V --at 01M7YJ8X3PS3DMBBH5GRVSGSSJ',
  ])
    .argument(
      '<note>',
      'id of the note, its beginning or its end, or its title in quotes; log --kind note.forgotten shows what was forgotten, and log --kind proposal.settled what a rejected proposal took away',
    )
    .option('--at <point>', 'commit, event id or time to take the text from, even if the note still exists')
    .action(async (given: string, options: RestoreOptions) => {
      const at = options.at === undefined ? undefined : await readPoint(options.at);
      await withApp(async ({ notes }) =>
        printAnswer(notes, doneOrThrow(await notes.restore(await idToChange(notes, given), { at })), options),
      );
    });
