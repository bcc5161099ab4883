/** How the answer of a command that writes is printed. */

import type { Command as Asked } from '../commands/handlers.js';
import type { Answer, Memory } from '../store/memory.js';
import type { Reading } from '../store/reading.js';
import { refused } from './errors.js';
import { cleanLine, ink, print, printJson, sayWarnings } from './output.js';

export type JsonOption = { readonly json?: true };

export type Done = Exclude<Answer, { readonly status: 'refused' }>;

/** Throws what is refused, so that the rest of a subcommand is about what was done. */
export const orRefused = (answer: Answer): Done => {
  if (answer.status === 'refused') throw refused(answer.refusal);
  return answer;
};

export const performAndPrint = async (
  memory: Memory,
  command: Asked,
  options: JsonOption,
  commandId?: string,
  said: readonly string[] = [],
): Promise<void> => {
  printAnswer(orRefused(await memory.perform(command, { commandId })), options, said);
};

/** `said` are warnings that stderr has already, and that an answer in JSON has too. */
export const printAnswer = (answer: Done, { json }: JsonOption, said: readonly string[] = []): void => {
  const { note, event, status, masked, warnings } = answer;
  if (json === true) {
    printJson({ ...note, event: event ?? null, status, masked, warnings: [...said, ...warnings] });
    return;
  }
  print(`${describe(answer)} ${cleanLine(`${note?.id ?? ''} ${note?.title ?? ''}`)}\n`);
  printMasked(masked);
  sayWarnings(warnings);
};

/** `recorded note.written`, `unchanged`. */
export const describe = ({ status, event }: Pick<Done, 'status' | 'event'>): string =>
  status === 'unchanged' || event === undefined ? ink('dim', 'unchanged') : `${ink('green', 'recorded')} ${event.kind}`;

export const printMasked = (masked: Done['masked']): void => {
  if (masked.length > 0)
    print(`${ink('yellow', 'masked')} ${masked.map(({ kind, count }) => `${count} ${kind}`).join(', ')}\n`);
};

/** The whole id that a person meant. */
export const resolveOne = async (reading: Reading, given: string): Promise<string> => {
  const found = await reading.resolveId(given);
  if (!found.ok) throw refused(found.refusal);
  return found.answer;
};

export const resolveAll = async (reading: Reading, given: readonly string[]): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (const one of given) ids.push(await resolveOne(reading, one));
  return ids;
};
