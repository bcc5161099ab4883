/** Counts the notes of an import and describes its outcome for the person. Pure. */
import type { FileChange } from '../../events/event.js';
import type { NoteId, Scope } from '../../events/note/note.js';
import type { MaskCount } from '../../events/note/redact.js';
import type { ImportCounts } from '../command.js';

/**
 * The outcome for one foreign note; `older`: the file is older than its note; `portable`: the note is portable while
 * its source says machine-local.
 */
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

/** Warnings for the person, each with what they can do about it. */
export const warningsOf = (all: readonly ImportOutcome[], asked: Scope | undefined): readonly string[] => {
  const idsOf = (kind: ImportOutcome['kind']): readonly NoteId[] =>
    all.flatMap((one) => (one.kind === kind ? [one.id] : []));
  const say = (
    kind: ImportOutcome['kind'],
    one: (id: NoteId) => string,
    many: (count: number, id: NoteId) => string,
  ) => {
    const [first, ...others] = idsOf(kind);
    if (first === undefined) return [];
    return [others.length === 0 ? one(first) : many(others.length + 1, first)];
  };
  const edited = idsOf('edited');
  const named = edited.slice(0, maxNamed).join(', ');
  const rest = edited.length > maxNamed ? ` and ${edited.length - maxNamed} more` : '';
  const wayOut = `to take the source's text, undo that (anamnesis history ${edited[0]} lists the events) and import again`;
  return [
    ...say(
      'edited',
      () => `1 note was edited here since and was left as it is: ${named}; ${wayOut}`,
      (count) => `${count} notes were edited here since and were left as they are: ${named}${rest}; ${wayOut}`,
    ),
    ...say(
      'forgotten',
      (id) => `1 note was forgotten here and stays forgotten; bring it back with: anamnesis restore ${id}`,
      (count, id) =>
        `${count} notes were forgotten here and stay forgotten; bring one back with: anamnesis restore ${id}`,
    ),
    ...say(
      'older',
      () => '1 file is older than its note, which was left as it is; save it again to import it',
      (count) =>
        `${count} files are older than their notes, which were left as they are; save a file again to import it`,
    ),
    ...sayPortable(all, asked, ['was', 'were']),
    ...sayStaying(all),
    ...sayLocal(all),
  ];
};

const maxNamed = 3;

const sayPortable = (
  all: readonly ImportOutcome[],
  asked: Scope | undefined,
  [was, were]: readonly [one: string, many: string],
): readonly string[] => {
  const [first, ...others] = all.filter(({ kind }) => kind === 'portable');
  if (first === undefined) return [];
  const saying = others.length === 0 ? 'its source says' : 'their source says';
  const why = `${asked === 'machine-local' ? 'this import is' : saying} machine-local`;
  const move = `anamnesis move ${first.id} --scope machine-local, and import again`;
  return [
    others.length === 0
      ? `1 note is portable here, while ${why}, and ${was} left as it is; to keep it on this machine: ${move}`
      : `${others.length + 1} notes are portable here, while ${why}, and ${were} left as they are; to keep the first on this machine: ${move}`,
  ];
};

const sayStaying = (all: readonly ImportOutcome[]): readonly string[] => {
  const [first, ...others] = all.filter(({ staysLocal }) => staysLocal === true);
  if (first === undefined) return [];
  const publish = `anamnesis move ${first.id} --scope portable`;
  return [
    others.length === 0
      ? `1 note is machine-local here and stays that way; to publish it: ${publish}`
      : `${others.length + 1} notes are machine-local here and stay that way; to publish the first: ${publish}`,
  ];
};

const sayLocal = (all: readonly ImportOutcome[]): readonly string[] => {
  const [first, ...others] = all.filter(isNewHere);
  if (first === undefined) return [];
  const publish = `anamnesis move ${first.id} --scope portable`;
  return [
    others.length === 0
      ? `1 note is machine-local and stays on this machine; to publish it: ${publish}`
      : `${others.length + 1} notes are machine-local and stay on this machine; to publish the first: ${publish}`,
  ];
};

/** True for a note imported into the local journal, which has no remote. */
const isNewHere = (one: ImportOutcome): boolean =>
  one.kind === 'imported' && one.changes.some(({ journal }) => journal === 'local');

/** Warnings for a plan, before it is carried out. */
export const warningsOfPlan = (all: readonly ImportOutcome[], asked: Scope | undefined): readonly string[] => [
  ...sayPortable(all, asked, ['would be', 'would be']),
  ...sayStaying(all),
  ...sayNewHere(all.filter(isNewHere).length),
];

const sayNewHere = (count: number): readonly string[] => {
  if (count === 0) return [];
  return [
    count === 1
      ? '1 note would be machine-local and stay on this machine; --scope portable publishes it'
      : `${count} notes would be machine-local and stay on this machine; --scope portable publishes them`,
  ];
};

/** `total` is the number of notes and files in the source. */
export const countOutcomes = (all: readonly ImportOutcome[], total: number): ImportCounts => {
  const imported = all.filter(({ kind }) => kind === 'imported').length;
  const updated = all.filter(({ kind }) => kind === 'updated').length;
  const machineLocal = all.filter(isNewHere).length;
  return { imported, updated, skipped: total - imported - updated, ...(machineLocal === 0 ? {} : { machineLocal }) };
};
