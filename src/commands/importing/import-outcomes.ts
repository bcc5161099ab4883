/** Counts the notes of an import and describes its outcome for the person. Pure. */
import type { FileChange } from '../../events/event.js';
import type { NoteId, Scope } from '../../events/note/note.js';
import type { MaskCount } from '../../events/note/redact.js';
import type { ImportCounts } from '../command.js';

/** `older`: the file is older than its note; `portable`: the note is portable, its source says machine-local. */
export type ImportOutcome = TakenAs & {
  /** The note is machine-local although the import asked for portable. */
  readonly staysLocal?: true;
};

type TakenAs =
  | {
      readonly kind: 'imported' | 'updated';
      readonly id: NoteId;
      readonly changes: readonly FileChange[];
      readonly masked: readonly MaskCount[];
    }
  | { readonly kind: 'same' | 'edited' | 'forgotten' | 'older' | 'portable'; readonly id: NoteId };

/** Warnings for the person, each with what they can do about it. `isPlan`: nothing was carried out yet. */
export const warningsOf = (
  all: readonly ImportOutcome[],
  scope: Scope | undefined,
  isPlan = false,
): readonly string[] => {
  const say = (some: readonly ImportOutcome[], what: 'note' | 'file', text: (first: NoteId) => string): string[] =>
    some[0] === undefined ? [] : [`${some.length} ${what}${some.length === 1 ? '' : 's'} ${text(some[0].id)}`];
  const of = (kind: ImportOutcome['kind']) => all.filter((one) => one.kind === kind);
  const named = of('edited')
    .slice(0, maxNamed)
    .map(({ id }) => id);
  const rest = of('edited').length > maxNamed ? ` and ${of('edited').length - maxNamed} more` : '';
  const done = [
    ...say(
      of('edited'),
      'note',
      (id) =>
        `edited here since, left alone: ${named.join(', ')}${rest}; to take the source's text, undo that (anamnesis history ${id} lists the events) and import again`,
    ),
    ...say(of('forgotten'), 'note', (id) => `forgotten here, not imported; to bring one back: anamnesis restore ${id}`),
    ...say(of('older'), 'file', () => 'older than the note here, left alone; to import one, save it again'),
  ];
  const by = scope === 'machine-local' ? 'this import' : 'the source';
  const published = isPlan ? () => '--scope portable' : (id: NoteId) => `anamnesis move ${id} --scope portable`;
  return [
    ...(isPlan ? [] : done),
    ...say(
      of('portable'),
      'note',
      (id) =>
        `portable here but machine-local by ${by}, left alone; to keep one on this machine: anamnesis move ${id} --scope machine-local, and import again`,
    ),
    ...say(
      all.filter(({ staysLocal }) => staysLocal === true),
      'note',
      (id) => `machine-local here, left so; to publish one: anamnesis move ${id} --scope portable`,
    ),
    ...say(all.filter(isNewHere), 'note', (id) => `machine-local, kept on this machine; to publish: ${published(id)}`),
  ];
};

const maxNamed = 3;

/** True for a note imported into the local journal, which has no remote. */
const isNewHere = (one: ImportOutcome): boolean =>
  one.kind === 'imported' && one.changes.some(({ journal }) => journal === 'local');

/** `total` is the number of notes and files in the source. */
export const countOutcomes = (all: readonly ImportOutcome[], total: number): ImportCounts => {
  const imported = all.filter(({ kind }) => kind === 'imported').length;
  const updated = all.filter(({ kind }) => kind === 'updated').length;
  const machineLocal = all.filter(isNewHere).length;
  return { imported, updated, skipped: total - imported - updated, ...(machineLocal === 0 ? {} : { machineLocal }) };
};
