/** JSON objects in a line of a transcript: usually one, two when writers raced, none when it is damaged. Pure. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Objects with their byte offset in the line; `isWhole` when the line contains nothing else. */
export type LineObjects = {
  readonly objects: readonly { readonly at: number; readonly value: JsonObject }[];
  readonly isWhole: boolean;
};

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const parseLine = (bytes: Buffer): LineObjects => {
  const at = startOfText(bytes);
  if (at === bytes.length) return { objects: [], isWhole: false };
  const value = parseJson(bytes.subarray(at));
  if (isObject(value)) return { objects: [{ at, value }], isWhole: true };
  return value === undefined ? parseGlued(bytes, at) : { objects: [], isWhole: false };
};

/**
 * Recognises, without parsing it, a line from which nothing is read: half of what versions up to 2.1.40 write is
 * progress of tools and hooks. False for a line with a second object glued to it.
 */
export const isProgress = (bytes: Buffer): boolean =>
  bytes.subarray(0, headBytes).includes(progressMark) && !bytes.includes('}{"');

/** The type precedes the progress data, which may contain whole messages with types of their own. */
const headBytes = 1024;
const progressMark = Buffer.from('"type":"progress","data":');

/**
 * Begins every conversation line. Inside a string its quotes are escaped, so after a truncated object it can only be
 * the start of the next one; any other brace may be part of the truncated object.
 */
const lineStart = Buffer.from('{"parentUuid":');
/** Limits the attempts: a line of nothing but such starts must not be reread for each of them. */
const maxStarts = 16;

const parseGlued = (bytes: Buffer, first: number): LineObjects => {
  const objects: { readonly at: number; readonly value: JsonObject }[] = [];
  let isWhole = true;
  let at = first;
  for (let tries = 0; tries < maxStarts && at < bytes.length; tries += 1) {
    const end = bytes[at] === 0x7b ? endOfObject(bytes, at) : -1;
    const value = end === -1 ? undefined : parseJson(bytes.subarray(at, end));
    if (isObject(value)) {
      objects.push({ at, value });
      at = end;
      while (at < bytes.length && isSpace(bytes[at])) at += 1;
    } else {
      isWhole = false;
      const next = bytes.indexOf(lineStart, at + 1);
      at = next === -1 ? bytes.length : next;
    }
  }
  return { objects, isWhole: isWhole && at === bytes.length };
};

/** Returns the offset after the brace that closes the one at `from`; -1 when none does. */
const endOfObject = (bytes: Buffer, from: number): number => {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 0x22) {
      at = endOfString(bytes, at);
      if (at === -1) return -1;
    } else if (byte === 0x7b) depth += 1;
    else if (byte === 0x7d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
};

/** Returns the offset of the closing quote; -1 when there is none. */
const endOfString = (bytes: Buffer, from: number): number => {
  for (let at = from + 1; at < bytes.length; at += 1) {
    if (bytes[at] === 0x5c) at += 1;
    else if (bytes[at] === 0x22) return at;
  }
  return -1;
};

/** Returns the offset after a byte-order mark and spaces. */
const startOfText = (bytes: Buffer): number => {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && isSpace(bytes[at])) at += 1;
  return at;
};

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d;

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
};
