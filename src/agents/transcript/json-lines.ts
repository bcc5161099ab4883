/** JSON objects in a line of a transcript: usually one, two when writers raced, none when it is damaged. Pure. */

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects with their byte offset in the line; `isWhole` when the line contains nothing else. */
export type LineObjects = {
  readonly objects: readonly { readonly at: number; readonly value: JsonObject }[];
  readonly isWhole: boolean;
};

export const parseLine = (bytes: Buffer): LineObjects => {
  const text = bytes.toString('utf8');
  const whole = parseObject(text);
  if (whole !== undefined) return { objects: [{ at: 0, value: whole }], isWhole: true };
  const pieces = text.split(lineStart, maxPieces);
  let at = 0;
  const objects = pieces.flatMap((piece) => {
    const value = parseObject(piece);
    const from = at;
    at += Buffer.byteLength(piece);
    return value === undefined ? [] : [{ at: from, value }];
  });
  return { objects, isWhole: objects.length === pieces.length && at === bytes.length };
};

/** Between two objects, or where a conversation line begins after a cut. Quotes inside a string are escaped. */
const lineStart = /(?<=\})(?=\{")|(?=\{"parentUuid":)/;
const maxPieces = 16;

const parseObject = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Recognises progress of tools and hooks unparsed: half of what versions up to 2.1.40 write. The type precedes its
 * data. False for a line with a second object glued to it.
 */
export const isProgress = (bytes: Buffer): boolean =>
  bytes.subarray(0, headBytes).includes(progressMark) && !bytes.includes('}{"');

const headBytes = 1024;
const progressMark = Buffer.from('"type":"progress","data":');
