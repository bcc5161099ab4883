/** What a person committed by hand, with its secrets masked, before it leaves the machine. Pure. */
import { isUtf8 } from 'node:buffer';
import { formatNoteFile, parseNoteFile } from '../../events/note-file.js';
import { redact } from '../../events/redact.js';
import { redactFile } from '../hand-edits.js';

/** The same bytes where there is nothing to mask. What is no readable note is masked as plain text. */
export const redactBytes = (bytes: Buffer, path: string): Buffer => {
  const parsed = parseNoteFile(bytes, 'memory', path);
  if (parsed.ok) {
    const { file, masked } = redactFile(parsed.file);
    return masked.length === 0 ? bytes : formatNoteFile(file);
  }
  if (!isUtf8(bytes)) return bytes;
  const { text, masked } = redact(bytes.toString('utf8'));
  return masked.length === 0 ? bytes : Buffer.from(text);
};
