/** The form of a ULID, and ULIDs derived from a foreign key, so that every machine makes the same one. */
import { createHash } from './hash.js';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ulidForm = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Upper case only: two spellings of one id would be two file names. */
export const isUlid = (text: string): boolean => ulidForm.test(text);

const encode = (value: bigint, length: number): string => {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i += 1) {
    text = (alphabet[Number(rest & 31n)] ?? '0') + text;
    rest >>= 5n;
  }
  return text;
};

/** Returns the ULID's time in epoch milliseconds. By hand: the library loads node:crypto, which hooks don't need. */
export const timeOfUlid = (id: string): number =>
  [...id.slice(0, 10)].reduce((ms, digit) => ms * 32 + alphabet.indexOf(digit), 0);

/** Makes a ULID of `epochMs`; its other 80 bits are the first of a SHA-256 over the parts, each ended by a NUL. */
export const derivedUlid = (epochMs: number, ...parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  const random = BigInt(`0x${hash.digest('hex').slice(0, 20)}`);
  const time = BigInt(Math.min(Math.max(Math.trunc(epochMs), 0), 2 ** 48 - 1));
  return encode(time, 10) + encode(random, 16);
};

/** Encodes 16 bytes, read as one big-endian number, as a ULID; its first digit is never above 7. */
export const ulidOfBytes = (bytes: Uint8Array): string => encode(BigInt(`0x${Buffer.from(bytes).toString('hex')}`), 26);

/** The id of a commit without trailers of ours. */
export const idOfForeign = (hash: string, epochMs: number): string =>
  derivedUlid(epochMs, createHash('sha256').update(hash).digest('hex'));

/** True for an id derived from the commit's hash; an event that we recorded, even for a hand edit, has its own. */
export const isIdOfForeign = (id: string, hash: string): boolean => id.slice(-16) === idOfForeign(hash, 0).slice(-16);
