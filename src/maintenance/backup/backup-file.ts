/**
 * The container of a backup: an uncompressed ustar archive, so that `tar` opens it and `sha256sum -c` checks it. Of all
 * that tar allows, the reader accepts only what this writer writes: a header that differs in one byte is damage, and a
 * member's name never becomes a path.
 *
 * Not tar-stream: it adds seven packages and uses as much memory (83 MiB against 80 for a member of 400 MiB), ends the
 * numbers of a header with spaces, so that versions already in use would refuse the backup, and reads a stream from its
 * start to its end, with links, long names and extensions that would all have to be refused by hand.
 */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { type ContentSum, type MemberName, memberNames } from './backup-manifest.js';

export type Member = {
  readonly name: MemberName;
  /** Offset of its contents in the archive, in bytes. */
  readonly offset: number;
  readonly size: number;
  readonly epochSeconds: number;
};

/** A member's contents: bytes in memory, or a file that may be larger than memory. */
export type Contents = { readonly bytes: Buffer } | { readonly file: string };
export type NewMember = { readonly name: MemberName; readonly contents: Contents };

/** The members of an archive in order; if something is wrong, only those before it. */
export type MemberList =
  | { readonly ok: true; readonly members: readonly Member[] }
  | { readonly ok: false; readonly problem: string; readonly members: readonly Member[] };

/** Creates the file, which must not exist, readable by this user only; it is durable when this returns. */
export const writeArchive = (path: string, members: readonly NewMember[], epochSeconds: number): void => {
  const handle = openSync(path, 'wx', 0o600);
  try {
    for (const { name, contents } of members) {
      const size = 'bytes' in contents ? contents.bytes.length : statSync(contents.file).size;
      writeAll(handle, formatHeader(name, size, epochSeconds));
      let written = 0;
      eachChunk(contents, (chunk) => {
        writeAll(handle, chunk);
        written += chunk.length;
      });
      if (written !== size) throw new Error(`${name} changed while it was written`);
      writeAll(handle, Buffer.alloc(paddingOf(size)));
    }
    writeAll(handle, Buffer.alloc(endBytes));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Reads headers and padding only: the cost does not depend on the sizes, and no declared size is trusted. */
export const listMembers = (handle: number): MemberList => {
  const stat = fstatSync(handle);
  const members: Member[] = [];
  const wrong = (problem: string): MemberList => ({ ok: false, problem, members });
  if (!stat.isFile()) return wrong('it is not a file');
  let at = 0;
  for (;;) {
    const header = readBytes(handle, at, block);
    if (header.length < block) return wrong(members.length === 0 ? 'it is not an Anamnesis backup' : 'it is cut off');
    if (header.every((byte) => byte === 0)) break;
    const found = parseHeader(header);
    if (found === undefined)
      return wrong(members.length === 0 ? 'it is not an Anamnesis backup' : `damage at byte ${at}`);
    const { name, size, epochSeconds } = found;
    if (members.some((member) => member.name === name)) return wrong(`it contains ${name} twice`);
    members.push({ name, size, epochSeconds, offset: at + block });
    const next = at + block + size + paddingOf(size);
    if (next > stat.size) return wrong(`it is cut off in ${name}`);
    if (!isZero(readBytes(handle, next - paddingOf(size), paddingOf(size)))) return wrong(`damage after ${name}`);
    at = next;
  }
  if (stat.size !== at + endBytes)
    return wrong(stat.size < at + endBytes ? 'it is cut off' : 'there is more after its end');
  return isZero(readBytes(handle, at, endBytes)) ? { ok: true, members } : wrong('damage at its end');
};

/** Reads a small member's contents; undefined if it is larger than a small one may be. */
export const readMember = (handle: number, { offset, size }: Member): Buffer | undefined =>
  size > maxSmallBytes ? undefined : readBytes(handle, offset, size);

export const checkMember = (handle: number, { offset, size }: Member): ContentSum => {
  const hash = createHash('sha256');
  let read = 0;
  eachRange(handle, offset, size, (chunk) => {
    hash.update(chunk);
    read += chunk.length;
  });
  return { size: read, sha256: hash.digest('hex') };
};

/** Copies a member to a file that must not exist. */
export const extractMember = (handle: number, { offset, size }: Member, path: string): void => {
  const target = openSync(path, 'wx', 0o600);
  try {
    eachRange(handle, offset, size, (chunk) => writeAll(target, chunk));
  } finally {
    closeSync(target);
  }
};

export const checkContents = (contents: Contents): ContentSum => {
  const hash = createHash('sha256');
  let size = 0;
  eachChunk(contents, (chunk) => {
    hash.update(chunk);
    size += chunk.length;
  });
  return { size, sha256: hash.digest('hex') };
};

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
  put(
    148,
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )} `,
  );
  return header;
};

/** Returns undefined for anything that formatHeader doesn't write: another kind of entry or name, a differing byte. */
const parseHeader = (header: Buffer): Omit<Member, 'offset'> | undefined => {
  const name = header.toString('latin1', 0, Math.max(0, header.indexOf(0)));
  const size = parseOctal(header.toString('latin1', 124, 136));
  const epochSeconds = parseOctal(header.toString('latin1', 136, 148));
  if (!isMemberName(name) || size === undefined || epochSeconds === undefined) return undefined;
  return formatHeader(name, size, epochSeconds).equals(header) ? { name, size, epochSeconds } : undefined;
};

const parseOctal = (text: string): number | undefined =>
  /^[0-7]{11}\0$/.test(text) ? Number.parseInt(text, 8) : undefined;

const eachChunk = (contents: Contents, visit: (chunk: Buffer) => void): void => {
  if ('bytes' in contents) {
    visit(contents.bytes);
    return;
  }
  const handle = openSync(contents.file, 'r');
  try {
    eachRange(handle, 0, fstatSync(handle).size, visit);
  } finally {
    closeSync(handle);
  }
};

const eachRange = (handle: number, offset: number, size: number, visit: (chunk: Buffer) => void): void => {
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
