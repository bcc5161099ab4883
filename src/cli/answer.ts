/** Prints the answer of a command that writes. */
import type { App } from '../app/app.js';
import { cutLongTitle } from '../events/note/note.js';
import type { Done } from './errors.js';
import { localTime } from './local-time.js';
import { type Namer, sayNamedWarnings } from './note-names.js';
import { cleanLine, ink, print, printJson, say } from './output.js';

export type JsonOption = { readonly json?: true | undefined };

/** `said` are warnings that stderr already has and JSON repeats; `tellsExpiry` is true if an expiry was given. */
export const printAnswer = async (
  notes: Namer,
  answer: Done,
  { json }: JsonOption,
  said: readonly string[] = [],
  tellsExpiry = false,
): Promise<void> => {
  const { note, event, status, masked, warnings } = answer;
  if (json === true)
    return printJson({ ...note, event: event ?? null, status, masked, warnings: [...said, ...warnings] });
  print(`${describe(answer)} ${cleanLine(`${note?.short_id ?? ''} ${cutLongTitle(note?.title ?? '')}`)}\n`);
  if (tellsExpiry && note?.expires_at !== undefined) print(`expires ${localTime(note.expires_at)}\n`);
  printMasked(masked);
  await sayNamedWarnings(notes, warnings);
};

/** `recorded note.written` or `unchanged`. */
export const describe = ({ status, event }: Pick<Done, 'status' | 'event'>): string =>
  status === 'unchanged' || event === undefined ? ink('dim', 'unchanged') : `${ink('green', 'recorded')} ${event.kind}`;

export const printMasked = (masked: Done['masked']): void => {
  if (masked.length > 0)
    print(`${ink('yellow', 'masked')} ${masked.map(({ kind, count }) => `${count} ${kind}`).join(', ')}\n`);
};

/** Syncs after a command that recorded something. A problem with the remote doesn't fail the command. */
export const syncAfterwards = async (app: App, wanted: boolean): Promise<void> => {
  if (!wanted) return;
  const { syncInBackground } = await import('../app/sync.js');
  const answer = await syncInBackground(await app.whole());
  if (answer !== undefined && answer.trouble !== null) say(`not synced: ${cleanLine(answer.trouble.message)}`);
};
