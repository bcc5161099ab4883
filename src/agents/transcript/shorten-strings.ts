/** Shortens streamed JSON text: long strings lose their end and are marked as cut, everything else stays. */
import { cutMark } from '../../events/note/mask-text.js';

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
export class Shortening {
  readonly #kept = Buffer.allocUnsafeSlow(maxShortenedBytes);
  #length = 0;
  #isTooMuch = false;
  #isInString = false;
  #stringBytes = 0;
  /** Hex digits of `\uXXXX` still expected, or `afterBackslash`: a string is never cut within an escape. */
  #escaped = 0;
  #isDropping = false;

  add(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && !this.#isTooMuch) {
      if (this.#isDropping) {
        at = this.#drop(bytes, at);
        if (at === bytes.length) return;
        this.#isDropping = false;
        for (const byte of cutSign) this.#keep(byte);
      }
      const byte = bytes[at] ?? 0;
      if (this.#isInString) {
        this.#copyInString(byte);
        // The byte that started the dropping is read again: it may be a backslash.
        if (this.#isDropping) continue;
      } else {
        this.#keep(byte);
        this.#isInString = byte === quote;
        this.#stringBytes = 0;
      }
      at += 1;
    }
  }

  /** Returns the shortened text, valid until the next `add`; undefined if it is still too long. Resets the state. */
  take(): Buffer | undefined {
    const shortened = this.#isTooMuch ? undefined : this.#kept.subarray(0, this.#length);
    this.#length = 0;
    this.#isTooMuch = false;
    this.#isInString = false;
    this.#isDropping = false;
    this.#escaped = 0;
    this.#stringBytes = 0;
    return shortened;
  }

  #keep(byte: number): void {
    if (this.#length === maxShortenedBytes) this.#isTooMuch = true;
    else this.#kept[this.#length++] = byte;
  }

  /** Returns the offset of the end of the dropped string or of the bytes. */
  #drop(bytes: Buffer, from: number): number {
    let at = from;
    if (this.#escaped > 0) {
      at += 1;
      this.#escaped = 0;
    }
    const found = bytes.indexOf(quote, at);
    let end = found === -1 ? bytes.length : found;
    for (let slash = bytes.indexOf(backslash, at); slash !== -1 && slash < end; slash = bytes.indexOf(backslash, at)) {
      at = slash + 2;
      if (at > bytes.length) this.#escaped = afterBackslash;
      if (at > end) {
        const next = bytes.indexOf(quote, at);
        end = next === -1 ? bytes.length : next;
      }
    }
    return end;
  }

  #copyInString(byte: number): void {
    if (this.#escaped > 0) {
      this.#keep(byte);
      if (this.#escaped === afterBackslash) this.#escaped = byte === letterU ? hexDigits : 0;
      else this.#escaped -= 1;
    } else if (byte === quote) {
      this.#keep(byte);
      this.#isInString = false;
    } else if (this.#stringBytes >= maxStringBytes && (byte & 0xc0) !== 0x80) {
      this.#isDropping = true;
    } else {
      this.#keep(byte);
      if (byte === backslash) this.#escaped = afterBackslash;
    }
    this.#stringBytes += 1;
  }
}
