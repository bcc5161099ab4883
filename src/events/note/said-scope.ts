/** Reads the note id and the scope that a portable file states, even if its path isn't a note's or it can't be parsed. Pure. */
import { orderOfUtf16 } from '../utf16.js';
import type { BlobId, NoteId } from './note.js';
import { isEditable, type NoteFile, parseNoteFile, rewriteNoteFile } from './note-file.js';
import { idOfPath, isNotePath } from './paths.js';
import { formatYamlKey } from './yaml-text.js';

export type Said = {
  /** Undefined for a file that is about no note. */
  readonly id: NoteId | undefined;
  /** It says `scope: machine-local`, as the files in local/ do. */
  readonly isLocal: boolean;
};

/** The folder determines a note's scope, but a person who writes this means their text to stay here. */
export const saysMachineLocal = ({ front }: NoteFile): boolean =>
  Object.entries(front.values).some(([key, value]) => key.toLowerCase() === 'scope' && isLocalScope(value));

/** The same file, but it says `scope: portable` where it said machine-local: for what is published by a person's word, or was before. */
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

/** The value of a `scope`, as a list of one too. */
export const isLocalScope = (value: unknown): boolean =>
  [value].flat().some((one) => typeof one === 'string' && localValue.test(one.trim()));
const localValue = /^(?:\[\s{0,9})?["']?machine-local["']?(?:\s{0,9}\])?$/i;

/** A note that an editor saved in UTF-16 says what it says all the same, though no journal takes it in. */
export const readSaid = (bytes: Buffer, path: string): Said => {
  const said = readParsed(bytes, path);
  if (said !== undefined) return said;
  const narrow = toNarrow(bytes);
  const inNarrow = narrow === bytes ? undefined : readParsed(narrow, path);
  return inNarrow ?? { ...saidByPath(path), isLocal: mayNameLocal(narrow) && looksLocal(narrow.toString('utf8')) };
};

const readParsed = (bytes: Buffer, path: string): Said | undefined => {
  const parsed = parseNoteFile(bytes, 'portable', path);
  return parsed.ok ? { id: parsed.file.note.id, isLocal: saysMachineLocal(parsed.file) } : undefined;
};

/** Of a file of which nothing else is known. */
export const saidByPath = (path: string): Said => ({
  id: isNotePath(path) ? idOfPath(path) : undefined,
  isLocal: false,
});

/** By the contents, gathered where they are read for another reason: reading them once more would take another run of git. */
export type SaidByBlob = Map<BlobId, Said>;

/** `paths` are all that have this content. An ordinary note isn't parsed for this; there may be many. */
export const gatherSaid = (said: SaidByBlob, blob: BlobId, paths: readonly string[], bytes: Buffer): void => {
  // A body may name another note's id on a line of its own.
  const end = bytes.indexOf('\n---');
  // What a backslash stands for is known to the parser only: `machine\x2dlocal`.
  const isPlain = end !== -1 && !bytes.subarray(0, end).includes('\\');
  const isOrdinary = (path: string): boolean => {
    const at = isNotePath(path) ? bytes.indexOf(`\nid: ${idOfPath(path)}\n`) : -1;
    return at !== -1 && at < end;
  };
  if (!isPlain || mayNameLocal(bytes) || !paths.every(isOrdinary)) said.set(blob, readSaid(bytes, ''));
};

/** The note is the one that the content names, and if it names none, that of the path. */
export const saidAt = (said: SaidByBlob, blob: BlobId, path: string): Said => {
  const found = said.get(blob);
  const byPath = saidByPath(path);
  return found === undefined ? byPath : { id: found.id ?? byPath.id, isLocal: found.isLocal };
};

/** In UTF-8: of UTF-16, of UTF-32 and of text with a stray NUL. The same bytes where there is nothing to gain. */
const toNarrow = (bytes: Buffer): Buffer => {
  // An editor that was stopped leaves half a character.
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const order = orderOfUtf16(even);
  if (order !== undefined) {
    const text = (order === 'big' ? Buffer.from(even).swap16() : even).toString('utf16le');
    return Buffer.from(text.replaceAll('\0', ''));
  }
  const isWide = bytes.includes(0) && mayNameLocal(bytes);
  return isWide ? Buffer.from(bytes.filter((byte) => byte !== 0)) : bytes;
};

/** False of a file that no reading of its bytes makes say so: never narrower than what `localValue` takes. */
const mayNameLocal = (bytes: Buffer): boolean => machineLocal.test(bytes.toString('latin1'));
/**
 * In any case, in UTF-16 and UTF-32 of either byte order too: where no Latin letters are around it, as in a Chinese text,
 * the bytes don't tell the form.
 */
const machineLocal = new RegExp([...'machine-local'].join(String.raw`\0{0,3}`), 'i');

/**
 * By eye, where a person broke the front matter or wrote above it: it is a note of local/ all the same. Documentation may show
 * such lines, but hardly the id of a note.
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
/** As `show` prints them; as JSON it prints an object. */
const shownId = /^id {1,20}[0-9A-HJKMNP-TV-Z]{26}$/m;
const shownScope = /^scope {1,20}machine-local$/m;
/** Front matter in JSON or TOML is none to us, but another program may have made it of a note. */
const openFence = /^\ufeff?(?:---(?:[ \t]*[a-z]{1,10})?|\+\+\+)[ \t]*$/m;
const closeFence = /^(?:---|\+\+\+)[ \t]*$/m;
const idKey = /(?:^|[{,])[ \t]*["']?id["']?[ \t]*[:=]\s*["']?[0-9A-HJKMNP-TV-Z]{26}\b/im;
/** As YAML may write it: with quotes, with a tag, as a block, as a list, on the next line. */
const scopeKey =
  /(?:^|[{,])[ \t]*["']?scope["']?[ \t]*[:=]\s*(?:[!&>|]\S{0,40}\s{1,40}){0,3}(?:[[-][ \t]{0,9})?["']?machine-local\b/im;
