/** anamnesis import */
import { type Command, Option } from 'commander';
import type { ImportAnswer } from '../../memory/importing.js';
import { type ImportFormat, importFormats } from '../import/foreign.js';
import { describe, type JsonOption, orRefused, printMasked } from './answer.js';
import { exitCodes, refused } from './errors.js';
import { subcommand } from './options.js';
import { counted, print, printJson, say, sayWarnings } from './output.js';
import { openProgress } from './progress.js';
import { withMemory } from './session.js';

type ImportOptions = JsonOption & { readonly from?: ImportFormat; readonly project?: string };

export const importCommand = (): Command =>
  subcommand('import', 'Take notes in from a folder or file, as one event', [
    'import ~/notes',
    'import notes.jsonl.gz --project github.com/acme/shop',
    'import ~/old-store --from anamnesis',
  ])
    .argument('<path>', 'folder of markdown, Anamnesis store, or JSONL file (.gz too)')
    .addOption(new Option('--from <format>', 'what the path holds; recognised when not given').choices(importFormats))
    .option('--project <key>', 'project of notes that name none')
    .action(async (path: string, options: ImportOptions) => {
      const { importPath } = await import('../../memory/importing.js');
      await withMemory(async (memory) => {
        const progress = openProgress();
        const imported = await importPath(memory, path, {
          format: options.from,
          project: options.project,
          onProgress: ({ done, total, stage }) => progress.show(stage, done, total),
        }).finally(() => progress.end());
        if ('message' in imported) throw refused(imported);
        printImport(imported, options);
      });
    });

const printImport = ({ format, answer, problems }: ImportAnswer, options: ImportOptions): void => {
  const { event, masked, warnings, counts, status } = orRefused(answer);
  const { imported, updated, skipped } = counts ?? { imported: 0, updated: 0, skipped: 0 };
  if (options.json === true) {
    printJson({ format, imported, updated, skipped, event: event ?? null, masked, warnings, problems });
  } else {
    print(
      `${describe({ status, event })} ${imported} imported, ${updated} updated, ${skipped} unchanged (${format})\n`,
    );
    printMasked(masked);
  }
  sayWarnings(warnings);
  for (const { where, message } of problems.slice(0, mostProblems)) say(`${where}: ${message}`);
  if (problems.length > mostProblems) say(`and ${problems.length - mostProblems} more`);
  if (problems.length > 0 && imported + updated + skipped === 0) {
    process.exitCode = exitCodes.refused;
    say(
      `anamnesis: nothing could be imported (${counted(problems.length, 'problem')}); mend the files and import again`,
    );
  }
};

const mostProblems = 20;
