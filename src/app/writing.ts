/** Writing a note beside those that say the same, nearly the same or the opposite. */
import { checkLimits } from '../commands/limits.js';
import { quoteTitle } from '../events/note/quoted-text.js';
import type { Answer, Asker, Memory } from '../store/memory.js';
import { findKindred, type Kindred, type KnownKin, type NewNote } from './kindred.js';

/** `note.supersedes` are whole ids. */
export const writeAmongKin = async (
  memory: Memory,
  note: NewNote,
  workspace: string | undefined,
  asker: Asker | undefined,
): Promise<Answer> => {
  const command = { kind: 'write', ...note, workspace } as const;
  // A note with a proposal or a source key was compared by the code that made it.
  const isCompared = note.sourceKey !== undefined || note.proposes !== undefined;
  if (isCompared || checkLimits(note) !== undefined) return memory.perform(command, asker);
  const kin = await findKindred(memory, note, workspace, asker?.commandId);
  const { same, against } = kin;
  if (same !== undefined) return answerKnown(memory, note, same, asker);
  const proposes = note.supersedes.length === 0 ? against.map(({ id }) => id) : [];
  const answer = await memory.perform(proposes.length === 0 ? command : { ...command, proposes }, asker);
  return answer.status === 'recorded'
    ? { ...answer, warnings: [...answer.warnings, ...warningsOf(kin, proposes)] }
    : answer;
};

/** A text that is written again to supersede others does so with the note that has it. */
const answerKnown = async (
  memory: Memory,
  { supersedes }: NewNote,
  { id, isTaggedSo }: NonNullable<Kindred['same']>,
  asker: Asker | undefined,
): Promise<Answer> => {
  const warnings = [
    `note ${id} says this already, so no second one was written`,
    ...(isTaggedSo ? [] : ["it doesn't have all of these tags; add them by editing it"]),
  ];
  if (supersedes.length > 0) {
    const answer = await memory.perform({ kind: 'supersede', ids: supersedes, by: id }, asker);
    return answer.status === 'refused' ? answer : { ...answer, warnings: [...warnings, ...answer.warnings] };
  }
  const shown = await memory.show(id);
  const note = shown.ok ? shown.answer : undefined;
  return { status: 'unchanged', event: undefined, note, masked: [], warnings, counts: undefined };
};

const warningsOf = ({ near, against }: Kindred, proposed: readonly string[]): readonly string[] => [
  ...near.map(
    (one) => `${nameOf(one)} says nearly the same; if this replaces it, write this again with supersedes ${one.id}`,
  ),
  ...against.map((one) =>
    proposed.includes(one.id)
      ? `${nameOf(one)} says the opposite; that this replaces it is proposed, and a person settles it with: anamnesis review`
      : `${nameOf(one)} says the opposite`,
  ),
];

const nameOf = ({ id, title }: KnownKin): string => `note ${id} ("${quoteTitle(title)}")`;
