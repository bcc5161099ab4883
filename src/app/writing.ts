/** Writes a note that may supersede others, or sits beside those that say the same, nearly the same or the opposite. */
import type { NoteEdit } from '../commands/edit.js';
import { checkLimits } from '../commands/limits.js';
import { askedBesides, defaultWorkspace, saysAlready } from '../commands/write.js';
import type { NoteId, Scope } from '../events/note/note.js';
import { quoteField, quoteTitle } from '../events/note/quoted-text.js';
import type { Answer, Asker, Memory } from '../store/memory.js';
import type { NoteJson } from '../store/note-json.js';
import { findSimilarNotes, type NewNote, type SimilarNote, type SimilarNotes } from './similar-notes.js';

export type NoteToWrite = Omit<NewNote, 'project' | 'scope'> & {
  /** The key, if one was named. The folder's project (`here`) gives way to the project of the superseded notes. */
  readonly project: string | { readonly here: string };
  /** If left out, the note is machine-local if one that it supersedes is. */
  readonly scope?: Scope | undefined;
};

/** `asked.supersedes` holds whole ids. */
export const writeNote = async (
  memory: Memory,
  asked: NoteToWrite,
  workspace: string | undefined,
  asker: Asker | undefined,
): Promise<Answer> => {
  const { note, warnings } = await placeNote(memory, asked);
  const answer = await writeAmongKin(memory, note, workspace, asker);
  return answer.status === 'refused' ? answer : { ...answer, warnings: [...warnings, ...answer.warnings] };
};

const placeNote = async (
  memory: Memory,
  { project, scope, ...rest }: NoteToWrite,
): Promise<{ readonly note: NewNote; readonly warnings: readonly string[] }> => {
  const older: NoteJson[] = [];
  for (const id of rest.supersedes) {
    const shown = await memory.show(id);
    // An id without a note is refused when the write is decided.
    if (!shown.ok) break;
    older.push(shown.answer);
  }
  const isPrivate = older.some((one) => one.scope === 'machine-local');
  const note = { ...rest, scope: scope ?? (isPrivate ? 'machine-local' : 'portable') } as const;
  if (typeof project === 'string') return { note: { ...note, project }, warnings: [] };
  const { here } = project;
  const theirs = [...new Set(older.map((one) => one.project))].toSorted();
  const [only = here, ...others] = theirs;
  if (others.length === 0) return { note: { ...note, project: only }, warnings: [] };
  const named = theirs.map(quoteField).join(', ');
  const warning = `the notes that it supersedes are of several projects (${named}), so it went to ${quoteField(here)}`;
  return { note: { ...note, project: here }, warnings: [warning] };
};

const writeAmongKin = async (
  memory: Memory,
  note: NewNote,
  workspace: string | undefined,
  asker: Asker | undefined,
): Promise<Answer> => {
  const command = { kind: 'write', ...note, workspace } as const;
  // A note with a proposal or a source key was compared by the code that made it.
  const isCompared = note.sourceKey !== undefined || note.proposes !== undefined;
  if (isCompared || checkLimits(note) !== undefined) return memory.perform(command, asker);
  const owner = { user: asker?.user ?? memory.settings.user, workspace: workspace ?? defaultWorkspace };
  const similar = await findSimilarNotes(memory, note, owner, asker?.commandId);
  const { against, lookedUpTo } = similar;
  const known = await answerKnown(memory, note, similar.same, asker);
  if (known !== undefined) return known;
  const proposes = note.supersedes.length === 0 ? against.map(({ id }) => id) : [];
  const answer = await memory.perform(
    { ...command, lookedUpTo, ...(proposes.length === 0 ? {} : { proposes }) },
    asker,
  );
  return answer.status === 'recorded'
    ? { ...answer, warnings: [...answer.warnings, ...warningsOf(similar, proposes)] }
    : answer;
};

/** Answers with a note that has the text, given the fields or the supersessions that it lacks; else undefined. */
const answerKnown = async (
  memory: Memory,
  note: NewNote,
  same: SimilarNotes['same'],
  asker: Asker | undefined,
): Promise<Answer | undefined> => {
  const edits = same.map((one) => ({ ...one, set: askedBesides(note, one) }));
  const complete = edits.find(({ set }) => set !== 'apart' && Object.keys(set).length === 0);
  if (complete !== undefined) return answerWith(memory, complete.id, note.supersedes, asker);
  // One command is one event, which can't both supersede others and edit the note.
  if (note.supersedes.length > 0) return undefined;
  for (const { id, version, set } of edits) {
    if (set === 'apart') continue;
    const answer = await memory.perform({ kind: 'edit', id, set, expectedVersion: version }, asker);
    // The note was changed or forgotten meanwhile.
    if (answer.status === 'refused') continue;
    const warnings = [saysAlready(id), `its fields were updated: ${describe(set)}`, ...answer.warnings];
    return { ...answer, warnings };
  }
  return undefined;
};

const answerWith = async (
  memory: Memory,
  id: NoteId,
  supersedes: readonly NoteId[],
  asker: Asker | undefined,
): Promise<Answer> => {
  if (supersedes.length > 0) {
    const answer = await memory.perform({ kind: 'supersede', ids: supersedes, by: id }, asker);
    return answer.status === 'refused' ? answer : { ...answer, warnings: [saysAlready(id), ...answer.warnings] };
  }
  const shown = await memory.show(id);
  const note = shown.ok ? shown.answer : undefined;
  return { status: 'unchanged', event: undefined, note, masked: [], warnings: [saysAlready(id)], counts: undefined };
};

/** Such as `tags net, deploy; no expiry`. */
const describe = ({ type, tags, keywords, importance, confidence, expiresAt }: NoteEdit): string =>
  [
    ...(type === undefined ? [] : [`type ${type}`]),
    ...(tags === undefined ? [] : [`tags ${tags.join(', ')}`]),
    ...(keywords === undefined ? [] : [`keywords ${keywords.join(', ')}`]),
    ...(importance === undefined ? [] : [`importance ${importance}`]),
    ...(confidence === undefined ? [] : [`confidence ${confidence}`]),
    ...(expiresAt === undefined ? [] : [expiresAt === null ? 'no expiry' : `expiry ${expiresAt}`]),
  ].join('; ');

const warningsOf = ({ same, near, against }: SimilarNotes, proposed: readonly string[]): readonly string[] => [
  ...same.map(
    (one) => `${nameOf(one)} has the same text, but not the same type, expiry or other fields; both are kept`,
  ),
  ...near.map(
    (one) => `${nameOf(one)} says nearly the same; if this replaces it, write this again with supersedes ${one.id}`,
  ),
  ...against.map((one) =>
    proposed.includes(one.id)
      ? `${nameOf(one)} contradicts this; a proposal to replace it is waiting: anamnesis review`
      : `${nameOf(one)} contradicts this`,
  ),
];

const nameOf = ({ id, title }: SimilarNote): string => `note ${id} ("${quoteTitle(title)}")`;
