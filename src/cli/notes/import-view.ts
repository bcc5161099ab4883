/** Prints the result of an import or of a dry run. */
import type { ImportResult } from '../../app/intake.js';
import { describe, type JsonOption, printMasked } from '../answer.js';
import { exitCodes } from '../errors.js';
import { type Namer, sayNamedWarnings } from '../note-names.js';
import { cleanLine, counted, ink, print, printJson, say } from '../output.js';
import { formatTable } from '../table.js';

export const printImport = async (notes: Namer, done: ImportResult, options: JsonOption): Promise<void> => {
  const { format, answer, problems, trivial, passed, moved, missing, planned } = done;
  const { event, masked, warnings, counts } = answer;
  const names = await notes.names([...moved, ...missing].map(({ id }) => id));
  const short = (id: string): string => names.get(id)?.shortId ?? id;
  const { imported, updated, skipped } = counts ?? { imported: 0, updated: 0, skipped: 0 };
  const machineLocal = counts?.machineLocal;
  if (options.json === true) {
    const result = { format, imported, updated, skipped, event: event ?? null, masked, warnings, problems };
    const here = machineLocal === undefined ? {} : { machine_local: machineLocal };
    const ofTranscripts = trivial === undefined ? {} : { trivial };
    printJson({
      ...result,
      ...here,
      ...ofTranscripts,
      passed,
      moved,
      missing,
      ...(planned === undefined ? {} : { planned }),
    });
  } else {
    if (planned !== undefined) print(formatPlanned(planned));
    const leftOut = (trivial ?? 0) === 0 ? '' : `, ${trivial} left out with nothing worth a note`;
    const here = machineLocal === undefined ? '' : ` (${machineLocal} machine-local)`;
    print(
      `${whatWasDone(done)} ${imported} imported${here}, ${updated} updated, ${skipped} unchanged${leftOut} (${format})\n`,
    );
    printMasked(masked);
    for (const { id, title, from, to } of moved)
      print(`moved ${cleanLine(`${short(id)} ${title} from ${from} to ${to}`)}\n`);
  }
  await sayNamedWarnings(notes, warnings);
  sayMany(problems.map(({ where, message }) => `${where}: ${message}`));
  if (passed.length > 0)
    say(
      `ignored ${counted(passed.length, 'file')} that ${passed.length === 1 ? 'is' : 'are'} neither markdown nor .txt: ${listSome(passed, maxPassed)}`,
    );
  sayMany(missing.map(({ id, title, path }) => `${path} is gone; its note stays: ${short(id)} ${title}`));
  if (missing.length > 0) say(`remove such a note with: anamnesis forget ${short(missing[0]?.id ?? '')}`);
  if (problems.length > 0 && imported + updated + skipped === 0) {
    process.exitCode = exitCodes.refused;
    say(
      `anamnesis: nothing could be imported (${counted(problems.length, 'problem')}); fix the files and import again`,
    );
  }
};

const whatWasDone = ({ answer: { event, status }, planned }: ImportResult): string => {
  if (planned !== undefined) return 'nothing recorded; this would be:';
  return event === undefined ? ink('dim', status) : describe({ status, event });
};

const formatPlanned = (planned: NonNullable<ImportResult['planned']>): string =>
  formatTable(
    [
      { head: 'CHANGE', of: ({ change }) => change },
      ...(planned.some(({ scope }) => scope === 'machine-local')
        ? [{ head: 'SCOPE', of: ({ scope = '' }: (typeof planned)[number]) => scope }]
        : []),
      { head: 'PROJECT', of: ({ project }) => project, cut: 'start' },
      { head: 'TITLE', of: ({ title }) => title, cut: 'end', main: true },
    ],
    planned,
  );

const maxProblems = 20;
const maxPassed = 5;

const sayMany = (lines: readonly string[]): void => {
  for (const line of lines.slice(0, maxProblems)) say(line);
  if (lines.length > maxProblems) say(`and ${lines.length - maxProblems} more`);
};

const listSome = (names: readonly string[], max: number): string =>
  names.length <= max ? names.join(', ') : `${names.slice(0, max).join(', ')} and ${names.length - max} more`;
