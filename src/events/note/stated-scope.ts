/** Reads the note id and scope that a portable file states, even if its path or content isn't a note's. Pure. */
import { orderOfUtf16 } from '../utf16.js';
import type { BlobId, NoteId } from './note.js';
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

/** Also reads a note that an editor saved in UTF-16, though no journal accepts it. */
export const readStated = (bytes: Buffer, path: string): StatedNote => {
  const said = readParsed(bytes, path);
  if (said !== undefined) return said;
  const converted = toUtf8(bytes);
  const inUtf8 = converted === bytes ? undefined : readParsed(converted, path);
  return (
    inUtf8 ?? { ...statedByPath(path), isLocal: mayNameLocal(converted) && looksLocal(converted.toString('utf8')) }
  );
};

const readParsed = (bytes: Buffer, path: string): StatedNote | undefined => {
  const parsed = parseNoteFile(bytes, 'portable', path);
  return parsed.ok ? { id: parsed.file.note.id, isLocal: saysMachineLocal(parsed.file) } : undefined;
};

/** For a file of which only the path is known. */
export const statedByPath = (path: string): StatedNote => ({
  id: isNotePath(path) ? idOfPath(path) : undefined,
  isLocal: false,
});

/** Keyed by content and filled when contents are read for another reason: reading them again would take a git call. */
export type StatedByBlob = Map<BlobId, StatedNote>;

/** `paths` are all paths with this content. Ordinary notes, of which there may be many, aren't parsed for this. */
export const collectStated = (said: StatedByBlob, blob: BlobId, paths: readonly string[], bytes: Buffer): void => {
  // Only the front matter counts: a body may have another note's id on a line.
  const end = bytes.indexOf('\n---');
  // Only the parser can tell what a backslash stands for, as in `machine\x2dlocal`.
  const isPlain = end !== -1 && !bytes.subarray(0, end).includes('\\');
  const isOrdinary = (path: string): boolean => {
    const at = isNotePath(path) ? bytes.indexOf(`\nid: ${idOfPath(path)}\n`) : -1;
    return at !== -1 && at < end;
  };
  if (!isPlain || mayNameLocal(bytes) || !paths.every(isOrdinary)) said.set(blob, readStated(bytes, ''));
};

/** Uses the id that the content names, or that of the path if it names none. */
export const statedAt = (said: StatedByBlob, blob: BlobId, path: string): StatedNote => {
  const found = said.get(blob);
  const byPath = statedByPath(path);
  return found === undefined ? byPath : { id: found.id ?? byPath.id, isLocal: found.isLocal };
};

/** Converts UTF-16, UTF-32 and text with a stray NUL to UTF-8; returns other bytes unchanged. */
const toUtf8 = (bytes: Buffer): Buffer => {
  // An editor that was interrupted may leave half a character.
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const order = orderOfUtf16(even);
  if (order !== undefined) {
    const text = (order === 'big' ? Buffer.from(even).swap16() : even).toString('utf16le');
    return Buffer.from(text.replaceAll('\0', ''));
  }
  const isWide = bytes.includes(0) && mayNameLocal(bytes);
  return isWide ? Buffer.from(bytes.filter((byte) => byte !== 0)) : bytes;
};

/** False only if the bytes can't say machine-local in any encoding; never narrower than `localValue`. */
const mayNameLocal = (bytes: Buffer): boolean => machineLocal.test(bytes.toString('latin1'));
/**
 * Matches any case, also in UTF-16 and UTF-32 of either byte order: with no Latin letters around it, as in a Chinese
 * text, the bytes don't reveal the encoding.
 */
const machineLocal = new RegExp([...'machine-local'].join(String.raw`\0{0,3}`), 'i');

/**
 * Guesses from the text, for a file whose front matter a person broke or wrote above: it still is a note of local/.
 * Documentation may show such lines, but hardly the id of a note.
 */
export const looksLocal = (text: string): boolean => {
  if (!anyCase.test(text)) return false;
  if (shownId.test(text) && shownScope.test(text)) return true;
  if (/^\s*(?:\[\s*)?\{/.test(text)) return idKey.test(text) && scopeKey.test(text);
  const fence = openFence.exec(text);
  if (fence === null) return false;
  const front = text.slice(fence.index);
  if (idKey.test(front)) return scopeKey.test(front);
  const inner = front.slice(fence[0].length);
  const isFirst = text.slice(0, fence.index).trim() === '';
  return isFirst && scopeKey.test(inner.slice(0, closeFence.exec(inner)?.index));
};

const anyCase = /machine-local/i;
/** As `show` prints them; with --json it prints an object. */
const shownId = /^id {1,20}[0-9A-HJKMNP-TV-Z]{26}$/m;
const shownScope = /^scope {1,20}machine-local$/m;
/** JSON or TOML is not front matter to this program, but another one may have converted a note to it. */
const openFence = /^\ufeff?(?:---(?:[ \t]*[a-z]{1,10})?|\+\+\+)[ \t]*$/m;
const closeFence = /^(?:---|\+\+\+)[ \t]*$/m;
const idKey = /(?:^|[{,])[ \t]*["']?id["']?[ \t]*[:=]\s*["']?[0-9A-HJKMNP-TV-Z]{26}\b/im;
/** In the forms YAML allows: with quotes, with a tag, as a block, as a list, on the next line. */
const scopeKey =
  /(?:^|[{,])[ \t]*["']?scope["']?[ \t]*[:=]\s*(?:[!&>|]\S{0,40}\s{1,40}){0,3}(?:[[-][ \t]{0,9})?["']?machine-local\b/im;
