/**
 * The container of a backup: an uncompressed ustar archive, for `tar` and `sha256sum -c`. The reader accepts only what
 * this writer writes: a header that differs in a byte is damage, and a member's name never becomes a path.
 */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, memberNames } from '../../answers/backup-schema.js';
import { type JournalName, journalFolder } from '../../events/note/note.js';

export type MemberName = (typeof memberNames)[number];

type ContentSum = Pick<Manifest['members'][number], 'size' | 'sha256'>;

export type Member = {
  readonly name: MemberName;
  /** Offset of its contents in the archive, in bytes. */
  readonly offset: number;
  readonly size: number;
};

/** The archive must not exist; it is readable by this user only, and durable when this returns. */
export const writeArchive = (
  path: string,
  folder: string,
  names: readonly MemberName[],
  epochSeconds: number,
): void => {
  const target = openSync(path, 'wx', 0o600);
  try {
    for (const name of names)
      withFile(join(folder, name), (handle, size) => {
        writeAll(target, formatHeader(name, size, epochSeconds));
        eachChunk(handle, { offset: 0, size }, (chunk) => writeAll(target, chunk));
        writeAll(target, Buffer.alloc(paddingOf(size)));
      });
    writeAll(target, Buffer.alloc(endBytes));
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
};

/** Reads headers and padding only: no declared size is trusted. If something is wrong, only the members before it. */
export const listMembers = (handle: number): { readonly members: readonly Member[]; readonly isWhole: boolean } => {
  const end = fstatSync(handle).size;
  const members: Member[] = [];
  for (let at = 0; ; ) {
    const header = readBytes(handle, at, block);
    if (isZero(header)) return { members, isWhole: end === at + endBytes && isZero(readBytes(handle, at, endBytes)) };
    const found = parseHeader(header);
    if (found === undefined) return { members, isWhole: false };
    const padding = paddingOf(found.size);
    const next = at + block + found.size + padding;
    if (next > end || !isZero(readBytes(handle, next - padding, padding))) return { members, isWhole: false };
    members.push({ ...found, offset: at + block });
    at = next;
  }
};

/** Reads a small member's contents; undefined if it is larger than a small one may be. */
export const readMember = (handle: number, { offset, size }: Member): Buffer | undefined =>
  size > maxSmallBytes ? undefined : readBytes(handle, offset, size);

export const sumOfMember = (handle: number, member: Omit<Member, 'name'>): ContentSum => {
  const hash = createHash('sha256');
  eachChunk(handle, member, (chunk) => hash.update(chunk));
  return { size: member.size, sha256: hash.digest('hex') };
};

export const sumOfFile = (path: string): ContentSum =>
  withFile(path, (handle, size) => sumOfMember(handle, { offset: 0, size }));

/** Copies a member to a file that must not exist. */
export const extractMember = (handle: number, member: Member, path: string): void => {
  const target = openSync(path, 'wx', 0o600);
  try {
    eachChunk(handle, member, (chunk) => writeAll(target, chunk));
  } finally {
    closeSync(target);
  }
};

/** Formats the hashes as `sha256sum` prints and checks them. */
export const formatSums = (members: Manifest['members']): Buffer =>
  Buffer.from(members.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));

export const bundleName = (journal: JournalName): MemberName => `${journalFolder[journal]}.bundle`;

const block = 512;
/** Two empty blocks mark the end. */
const endBytes = 2 * block;
/** Eleven octal digits: the largest size of ustar, 8 GiB less one byte. */
const maxBytes = 0o77777777777;
/** A manifest with some thousand set-aside heads, or any config.json, is far below this. */
const maxSmallBytes = 4 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

const paddingOf = (size: number): number => (block - (size % block)) % block;
const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);
const isMemberName = (name: string): name is MemberName => memberNames.some((known) => known === name);

const formatHeader = (name: MemberName, size: number, epochSeconds: number): Buffer => {
  if (size > maxBytes) throw new Error(`${name} is larger than 8 GiB, which the backup format can't hold`);
  const header = Buffer.alloc(block);
  const put = (at: number, text: string): number => header.write(text, at, 'latin1');
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  put(0, name);
  put(100, `${octal(0o600, 7)}${octal(0, 7)}${octal(0, 7)}${octal(size, 11)}${octal(epochSeconds, 11)}`);
  put(148, '        0');
  put(257, 'ustar\x0000');
  put(329, `${octal(0, 7)}${octal(0, 7)}`);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(148, `${octal(sum, 6)} `);
  return header;
};

/** Returns undefined for anything that formatHeader doesn't write: another kind of entry or name, a differing byte. */
const parseHeader = (header: Buffer): Omit<Member, 'offset'> | undefined => {
  const name = header.toString('latin1', 0, Math.max(0, header.indexOf(0)));
  const size = parseOctal(header.toString('latin1', 124, 136));
  const epochSeconds = parseOctal(header.toString('latin1', 136, 148));
  if (!isMemberName(name) || size === undefined || epochSeconds === undefined) return undefined;
  return formatHeader(name, size, epochSeconds).equals(header) ? { name, size } : undefined;
};

const parseOctal = (text: string): number | undefined =>
  /^[0-7]{11}\0$/.test(text) ? Number.parseInt(text, 8) : undefined;

const withFile = <Answer>(path: string, use: (handle: number, size: number) => Answer): Answer => {
  const handle = openSync(path, 'r');
  try {
    return use(handle, fstatSync(handle).size);
  } finally {
    closeSync(handle);
  }
};

const eachChunk = (handle: number, { offset, size }: Omit<Member, 'name'>, visit: (chunk: Buffer) => void): void => {
  for (let done = 0; done < size; ) {
    const chunk = readBytes(handle, offset + done, Math.min(chunkBytes, size - done));
    if (chunk.length === 0) return;
    visit(chunk);
    done += chunk.length;
  }
};

/** Returns fewer bytes only at the end of the file. */
const readBytes = (handle: number, offset: number, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const count = readSync(handle, bytes, read, length - read, offset + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
};

const writeAll = (handle: number, bytes: Buffer): void => {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
};
