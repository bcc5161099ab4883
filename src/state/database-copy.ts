/**
 * Reads an SQLite database in WAL mode where SQLite can't: on a full or read-only disk it can't create the shared
 * memory file that it needs beside the database, even to read.
 */
import { readFileSync, statSync } from 'node:fs';

/**
 * Returns the database as of the last commit in its write-ahead log, ready to be opened from memory. Undefined if there
 * is no such file or it may not be read. Costs a copy in memory.
 */
export const readDatabaseBytes = (file: string): Buffer | undefined => {
  for (let attempt = 1; ; attempt += 1) {
    const before = changeOf(file);
    const main = readOrNothing(file);
    if (main === undefined || main.length < headerBytes) return undefined;
    const whole = applyLog(main, readOrNothing(`${file}-wal`) ?? Buffer.alloc(0));
    // A writer may have moved pages from one file to the other in between.
    if (before === changeOf(file) || attempt === attempts) return asRollbackMode(whole);
  }
};

/** Applies the pages of all complete transactions in the log to the database. Pure; `main` is not changed. */
export const applyLog = (main: Buffer, log: Buffer): Buffer => {
  if (log.length < logHeaderBytes) return Buffer.from(main);
  const magic = log.readUInt32BE(0);
  if (magic >>> 1 !== logMagic >>> 1) return Buffer.from(main);
  const isBigEndian = (magic & 1) === 1;
  const pageBytes = log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let sum = checksum(log.subarray(0, 24), isBigEndian, [0, 0]);
  if (!isSum(log, 24, sum)) return Buffer.from(main);

  const committed = new Map<number, Buffer>();
  let pending: (readonly [number, Buffer])[] = [];
  let size = 0;
  const frameBytes = frameHeaderBytes + pageBytes;
  for (let at = logHeaderBytes; at + frameBytes <= log.length; at += frameBytes) {
    const page = log.subarray(at + frameHeaderBytes, at + frameBytes);
    sum = checksum(page, isBigEndian, checksum(log.subarray(at, at + 8), isBigEndian, sum));
    // From here on, frames are left over from an earlier use of the log.
    if (!log.subarray(at + 8, at + 16).equals(salts) || !isSum(log, at + 16, sum)) break;
    pending.push([log.readUInt32BE(at), page]);
    const sizeThen = log.readUInt32BE(at + 4);
    if (sizeThen === 0) continue;
    size = sizeThen;
    for (const [number, one] of pending) committed.set(number, one);
    pending = [];
  }
  if (size === 0) return Buffer.from(main);
  const whole = Buffer.alloc(size * pageBytes);
  main.copy(whole);
  for (const [number, page] of committed) if (number <= size) page.copy(whole, (number - 1) * pageBytes);
  return whole;
};

const attempts = 5;
const headerBytes = 100;
const logHeaderBytes = 32;
const frameHeaderBytes = 24;
const logMagic = 0x377f0682;

/** SQLite's file format, section 4.2: two running sums over 32-bit words, in the byte order of the log's writer. */
const checksum = (bytes: Buffer, isBigEndian: boolean, from: readonly [number, number]): readonly [number, number] => {
  let [first, second] = from;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + view.getUint32(at, !isBigEndian) + second) >>> 0;
    second = (second + view.getUint32(at + 4, !isBigEndian) + first) >>> 0;
  }
  return [first, second];
};

const isSum = (log: Buffer, at: number, [first, second]: readonly [number, number]): boolean =>
  log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second;

/** A database in memory has no log: bytes 18 and 19 of the header say which mode it is in. */
const asRollbackMode = (database: Buffer): Buffer => {
  database[18] = 1;
  database[19] = 1;
  return database;
};

const readOrNothing = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
};

const changeOf = (file: string): string =>
  [file, `${file}-wal`]
    .map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => `${stat?.mtimeNs} ${stat?.size}`)
    .join(' ');
