/** anamnesis undo */
import type { Command } from 'commander';
import { eventJson } from '../../store/event-json.js';
import { describe, type JsonOption, printMasked } from '../answer.js';
import { refused } from '../errors.js';
import { subcommand } from '../options.js';
import { cleanLine, isTerminal, print, printJson, say, sayWarnings } from '../output.js';
import { withMemory } from '../session.js';

export const undoCommand = (): Command =>
  subcommand('undo', 'Undo an event: its notes get back the text they had before it', [
    'undo                                (the last event of this machine)',
    'undo 01M7YJ8X3PS3DMBBH5GRVSGSSJ     (log shows the ids; of an undo, this makes its change again)',
    'undo 01M7YJ8X --json',
  ])
    .argument('[event]', 'id of an event, or the beginning of one (default: the last one of this machine)')
    .action(async (given: string | undefined, options: JsonOption) => {
      const { undoEvent } = await import('../../app/undoing.js');
      await withMemory(async (memory) => {
        const found = await undoEvent(memory, given);
        if (!found.ok) throw refused(found.refusal);
        const { undone, answer } = found.answer;
        const { event, status, masked, warnings, note } = answer;
        if (options.json === true) {
          printJson({ ...note, event: event ?? null, status, masked, warnings, undone: eventJson(undone) });
          return;
        }
        print(`${describe(answer)} ${undone.id} ${cleanLine(`${undone.kind}: ${undone.subject}`)}\n`);
        printMasked(masked);
        sayWarnings(warnings);
        if (event !== undefined && isTerminal('stderr')) say(`anamnesis undo ${event.id} makes the change again`);
      });
    });
