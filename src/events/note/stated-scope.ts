/** The note id and scope that a file in memory/ states. Pure. */
import type { NoteId } from './note.js';
import { isEditable, type NoteFile, parseNoteFile, rewriteNoteFile } from './note-file.js';
import { idOfPath, isNotePath } from './paths.js';
import { formatYamlKey } from './yaml-text.js';

export type StatedNote = {
  /** Undefined if the file belongs to no note. */
  readonly id: NoteId | undefined;
  /** True if the file says `scope: machine-local`, as those in local/ do. */
  readonly isLocal: boolean;
};

/** The folder determines a note's scope, but a person who writes this wants the text to stay on this machine. */
export const saysMachineLocal = ({ front }: NoteFile): boolean =>
  Object.entries(front.values).some(([key, value]) => key.toLowerCase() === 'scope' && isLocalScope(value));

/** Replaces `scope: machine-local` by `scope: portable`, for text that a person publishes or that is public already. */
export const sayPortable = (file: NoteFile): NoteFile => {
  if (!saysMachineLocal(file)) return file;
  const { note, front } = isEditable(file) ? file : rewriteNoteFile(file, file.note);
  const isScope = (key: string): boolean => key.toLowerCase() === 'scope';
  const own = { key: 'scope', text: formatYamlKey('scope', note.scope, front.eol) };
  const place = front.segments.findIndex(({ key }) => isScope(key));
  const segments = front.segments.flatMap((segment, at) =>
    at === place ? [own] : isScope(segment.key) ? [] : [segment],
  );
  const values = Object.fromEntries(Object.entries(front.values).filter(([key]) => !isScope(key)));
  return { note, front: { ...front, segments, values: { ...values, scope: note.scope } } };
};

/** Tests the value of a `scope` key, which may also be a list. */
export const isLocalScope = (value: unknown): boolean =>
  [value].flat().some((one) => typeof one === 'string' && localValue.test(one.trim()));
const localValue = /^(?:\[\s{0,9})?["']?machine-local["']?(?:\s{0,9}\])?$/i;

/** Believes the file's content rather than its name. Without readable content, the path names the note. */
export const readStated = (bytes: Buffer, path: string): StatedNote => {
  const parsed = parseNoteFile(bytes, 'portable', '');
  return parsed.ok
    ? { id: parsed.file.note.id, isLocal: saysMachineLocal(parsed.file) }
    : { id: isNotePath(path) ? idOfPath(path) : undefined, isLocal: false };
};
