/**
 * Paths are bytes. Those that are not UTF-8 travel as text in which each byte that can't be read is a lone surrogate
 * (U+DC80 to U+DCFF), which no readable text holds; so two of them never look alike, and they can be written as they were.
 * Pure.
 */
import { isUtf8 } from 'node:buffer';

export const decodePath = (bytes: Buffer): string => {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let path = '';
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    const character = bytes.subarray(at, at + length);
    const isReadable = isUtf8(character);
    path += isReadable ? character.toString('utf8') : String.fromCharCode(0xdc00 + byte);
    at += isReadable ? length : 1;
  }
  return path;
};

/** The inverse of `decodePath`. */
export const encodePath = (path: string): Buffer =>
  path.isWellFormed()
    ? Buffer.from(path)
    : Buffer.concat(
        [...path].map((character) =>
          isByte(character) ? Buffer.from([character.charCodeAt(0) - 0xdc00]) : Buffer.from(character),
        ),
      );

/**
 * Of what git prints with -z: the fields between the NULs, as `decodePath` gives them. One that is longer than any path is a
 * message: bytes of it that aren't text become U+FFFD, because byte by byte 30 MB take 12 seconds.
 */
export const splitFields = (output: Buffer): string[] =>
  isUtf8(output)
    ? output.toString('utf8').split('\0')
    : output
        .toString('latin1')
        .split('\0')
        .map((field) => {
          const bytes = Buffer.from(field, 'latin1');
          return bytes.length > maxPathBytes ? bytes.toString('utf8') : decodePath(bytes);
        });

/** Far above what git and any system take. */
const maxPathBytes = 64 * 1024;

/** A path as git reads it in a stream: in quotes, with the bytes that are no text in octal. */
export const escapePath = (path: string): string => {
  const quoted = path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
  const text = path.isWellFormed() ? quoted : [...quoted].map((one) => (isByte(one) ? octal(one) : one)).join('');
  return `"${text}"`;
};

const isByte = (character: string): boolean => /^[\udc80-\udcff]$/.test(character);

const octal = (character: string): string => `\\${(character.charCodeAt(0) - 0xdc00).toString(8)}`;
