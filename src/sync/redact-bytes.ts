/** Masks secrets in what is about to leave the machine, whoever wrote it. Pure. */
import { isUtf8 } from 'node:buffer';
import { redactFile } from '../commands/redact-fields.js';
import { formatNoteFile, parseNoteFile } from '../events/note/note-file.js';
import { redact } from '../events/note/redact.js';
import { orderOfUtf16 } from '../events/utf16.js';

/** Returns the same bytes if there is nothing to mask. A file that is not a readable note is masked as plain text. */
export const redactBytes = (bytes: Buffer, path: string): Buffer => {
  const parsed = parseNoteFile(bytes, 'portable', path);
  if (!parsed.ok) return redactText(bytes);
  const { file, masked } = redactFile(parsed.file);
  return masked.length === 0 ? bytes : formatNoteFile(file);
};

/** Masks byte by byte what is neither UTF-8 nor UTF-16, so that the bytes around a secret stay as they are. */
const redactText = (bytes: Buffer): Buffer => {
  const order = orderOfUtf16(bytes);
  if (order === 'big') {
    const masked = redactAs(Buffer.from(bytes).swap16(), 'utf16le');
    return masked === undefined ? bytes : masked.swap16();
  }
  return redactAs(bytes, order === 'little' ? 'utf16le' : isUtf8(bytes) ? 'utf8' : 'latin1') ?? bytes;
};

/** Returns undefined if there is nothing to mask. */
const redactAs = (bytes: Buffer, encoding: BufferEncoding): Buffer | undefined => {
  const { text, masked } = redact(bytes.toString(encoding));
  return masked.length === 0 ? undefined : Buffer.from(text, encoding);
};
