/** How the answer of a command that writes is printed. */

import type { Answer, Found } from '../app/app.js';
import { refused } from './errors.js';
import { type Namer, sayNamedWarnings } from './note-names.js';
import { cleanLine, ink, print, printJson } from './output.js';

export type JsonOption = { readonly json?: true };

export type Done = Exclude<Answer, { readonly status: 'refused' }>;

/** Throws what is refused, so that the rest of a subcommand is about what was done. */
export const orRefused = (answer: Answer): Done => {
  if (answer.status === 'refused') throw refused(answer.refusal);
  return answer;
};

/** The same for a question. */
export const orRefuse = <Value>(found: Found<Value>): Value => {
  if (!found.ok) throw refused(found.refusal);
  return found.answer;
};

/** `said` are warnings that stderr has already, and that an answer in JSON has too. */
export const printAnswer = async (
  notes: Namer,
  answer: Done,
  { json }: JsonOption,
  said: readonly string[] = [],
): Promise<void> => {
  const { note, event, status, masked, warnings } = answer;
  if (json === true) {
    printJson({ ...note, event: event ?? null, status, masked, warnings: [...said, ...warnings] });
    return;
  }
  print(`${describe(answer)} ${cleanLine(`${note?.short_id ?? ''} ${note?.title ?? ''}`)}\n`);
  printMasked(masked);
  await sayNamedWarnings(notes, warnings);
};

/** `recorded note.written`, `unchanged`. */
export const describe = ({ status, event }: Pick<Done, 'status' | 'event'>): string =>
  status === 'unchanged' || event === undefined ? ink('dim', 'unchanged') : `${ink('green', 'recorded')} ${event.kind}`;

export const printMasked = (masked: Done['masked']): void => {
  if (masked.length > 0)
    print(`${ink('yellow', 'masked')} ${masked.map(({ kind, count }) => `${count} ${kind}`).join(', ')}\n`);
};
