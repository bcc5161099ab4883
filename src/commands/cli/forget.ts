/** anamnesis forget and anamnesis restore */
import type { Command } from 'commander';
import { type Done, describe, type JsonOption, orRefused, performAndPrint, resolveAll, resolveOne } from './answer.js';
import { subcommand } from './options.js';
import { isTerminal, print, printJson, say, sayWarnings } from './output.js';
import { withMemory } from './session.js';

export const forgetCommand = (): Command =>
  subcommand('forget', 'Remove notes from recall; restore brings them back', [
    "forget 01J9XK3V --reason 'the registry moved'",
    'forget 01J9XK3V 01J9XK5A --json   (a list of answers, one for each)',
  ])
    .argument('<ids...>', 'ids of the notes, or the beginnings of them')
    .option('-r, --reason <text>', 'why it no longer holds')
    .action(async (given: readonly string[], options: JsonOption & { readonly reason?: string }) => {
      await withMemory(async (memory) => {
        const answers: {
          readonly id: string;
          readonly event: Done['event'] | null;
          readonly status: Done['status'];
        }[] = [];
        for (const id of await resolveAll(memory, given)) {
          const { event, status, warnings } = orRefused(
            await memory.perform({ kind: 'forget', id, reason: options.reason }),
          );
          answers.push({ id, event: event ?? null, status });
          if (options.json !== true) print(`${describe({ status, event })} ${id}\n`);
          sayWarnings(warnings);
        }
        if (options.json === true) printJson(given.length === 1 ? answers[0] : answers);
        else if (isTerminal('stderr')) say('anamnesis restore ID brings a note back');
      });
    });

export const restoreCommand = (): Command =>
  subcommand('restore', 'Bring a forgotten note back', ['restore 01J9XK3VZ0QF4T8M2N6P7R9SBD'])
    .argument('<id>', 'id of the note; log --kind note.forgotten shows them')
    .action(async (given: string, options: JsonOption) => {
      await withMemory(async (memory) => {
        await performAndPrint(memory, { kind: 'restore', id: await resolveOne(memory, given) }, options);
      });
    });
