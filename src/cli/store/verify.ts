/** anamnesis verify: checks that the journals can be read. */
import type { Command } from 'commander';
import type { JsonOption } from '../answer.js';
import { exitCodes } from '../errors.js';
import { subcommand } from '../options.js';
import { cleanLine, counted, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';

export const verifyCommand = (): Command =>
  subcommand('verify', 'Check that every note and event in the journals can be read', [
    'verify',
    'verify --json',
  ]).action(async (options: JsonOption) => {
    await withApp(async ({ maintenance }) => {
      const answer = await maintenance.verify();
      const { ok, notes, events, problems } = answer;
      if (options.json === true) printJson(answer);
      else {
        print(
          `${ok ? ink('green', 'intact') : ink('red', 'damaged')}: ${counted(notes, 'note')}, ${counted(events, 'event')}\n`,
        );
        for (const { journal, kind, detail } of problems)
          print(`${ink('yellow', kind)} ${journal}: ${cleanLine(detail)}\n`);
      }
      if (!ok) {
        process.exitCode = exitCodes.damaged;
        say(
          `anamnesis: ${counted(problems.length, 'problem')} in the journals; fix the named files, then run: anamnesis adopt`,
        );
      }
    });
  });
