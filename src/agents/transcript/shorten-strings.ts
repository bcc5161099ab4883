/** Shortens streamed JSON text: long strings lose their end and are marked as cut, everything else stays. */
import { cutMark } from '../../events/note/mask-text.js';

export type Shortening = {
  readonly add: (bytes: Buffer) => void;
  /** Returns the shortened text, valid until the next `add`; undefined if it is still too long. Resets the state. */
  readonly take: () => Buffer | undefined;
};

/** Twice the size of 600 characters in the longest form that JSON has for one, `\ud83d\ude00`. */
const maxStringBytes = 16 * 1024;
const maxShortenedBytes = 192 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;
const hexDigits = 4;
const afterBackslash = hexDigits + 1;

/** The cut mark, escaped for a JSON string: a reader must not trust the last word of a string that was cut. */
const cutSign = Buffer.from(JSON.stringify(cutMark).slice(1, -1));

/** Shortens one JSON value of any size in constant memory; skips an image of megabytes at the speed of `indexOf`. */
export const startShortening = (): Shortening => {
  const kept = Buffer.allocUnsafeSlow(maxShortenedBytes);
  let length = 0;
  let isTooMuch = false;
  let isInString = false;
  let stringBytes = 0;
  /** Hex digits of `\uXXXX` still expected, or `afterBackslash`: a string is never cut within an escape. */
  let escaped = 0;
  let isDropping = false;

  const keep = (byte: number): void => {
    if (length === maxShortenedBytes) isTooMuch = true;
    else kept[length++] = byte;
  };

  /** Returns the offset of the end of the dropped string or of the bytes. */
  const drop = (bytes: Buffer, from: number): number => {
    let at = from;
    if (escaped > 0) {
      at += 1;
      escaped = 0;
    }
    const found = bytes.indexOf(quote, at);
    let end = found === -1 ? bytes.length : found;
    for (let slash = bytes.indexOf(backslash, at); slash !== -1 && slash < end; slash = bytes.indexOf(backslash, at)) {
      at = slash + 2;
      if (at > bytes.length) escaped = afterBackslash;
      if (at > end) {
        const next = bytes.indexOf(quote, at);
        end = next === -1 ? bytes.length : next;
      }
    }
    return end;
  };

  const copyInString = (byte: number): void => {
    if (escaped > 0) {
      keep(byte);
      if (escaped === afterBackslash) escaped = byte === letterU ? hexDigits : 0;
      else escaped -= 1;
    } else if (byte === quote) {
      keep(byte);
      isInString = false;
    } else if (stringBytes >= maxStringBytes && (byte & 0xc0) !== 0x80) {
      isDropping = true;
    } else {
      keep(byte);
      if (byte === backslash) escaped = afterBackslash;
    }
    stringBytes += 1;
  };

  return {
    add: (bytes) => {
      let at = 0;
      while (at < bytes.length && !isTooMuch) {
        if (isDropping) {
          at = drop(bytes, at);
          if (at === bytes.length) return;
          isDropping = false;
          for (const byte of cutSign) keep(byte);
        }
        const byte = bytes[at] ?? 0;
        if (isInString) {
          copyInString(byte);
          // The byte that started the dropping is read again: it may be a backslash.
          if (isDropping) continue;
        } else {
          keep(byte);
          isInString = byte === quote;
          stringBytes = 0;
        }
        at += 1;
      }
    },
    take: () => {
      const shortened = isTooMuch ? undefined : kept.subarray(0, length);
      length = 0;
      isTooMuch = false;
      isInString = false;
      isDropping = false;
      escaped = 0;
      stringBytes = 0;
      return shortened;
    },
  };
};
