/**
 * Paths are bytes. In a path that isn't UTF-8, each undecodable byte becomes a lone surrogate (U+DC80 to U+DCFF), which
 * valid text never contains; so different paths stay different and can be written back unchanged. Pure.
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
 * Splits git's `-z` output at the NULs and decodes each field with `decodePath`. A field longer than any path is a
 * message: its invalid bytes become U+FFFD, because decoding 30 MB byte by byte takes 12 seconds.
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

/** Far above the limit of git and any system. */
const maxPathBytes = 64 * 1024;

/** Quotes a path for a git stream; bytes that aren't valid text are written in octal. */
export const escapePath = (path: string): string => {
  const quoted = path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
  const text = path.isWellFormed() ? quoted : [...quoted].map((one) => (isByte(one) ? octal(one) : one)).join('');
  return `"${text}"`;
};

const isByte = (character: string): boolean => /^[\udc80-\udcff]$/.test(character);

const octal = (character: string): string => `\\${(character.charCodeAt(0) - 0xdc00).toString(8)}`;
