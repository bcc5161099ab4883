/**
 * A recorded stamp compared with the numbers of a stat, digit by digit where it stands in a long text. For 10,000 files a stat
 * in nanoseconds, which makes forty big integers, and a text of it take longer than the question to the disk. Pure.
 */

/** A file that changed so shortly before it was looked at may have changed again unseen: see `isSettled`. */
export const settledMs = 2000;

/** A file's stat in milliseconds. The times have fractions, which are exact to a quarter of a microsecond. */
export type StampNumbers = {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
};

/**
 * Where the stamp at this place of a text ends, if it is the file's and can be trusted: see `isSettled`. -1 where the numbers
 * differ or do not tell, which a stat in nanoseconds does. They tell enough to say that nothing changed: whatever changes a
 * file after it was looked at moves its ctime by the two seconds of `isSettled` or more.
 */
export const endOfSameStamp = (text: string, at: number, { size, mtimeMs, ctimeMs, ino }: StampNumbers): number => {
  let field = 0;
  let digits = 0;
  let value = 0;
  let seconds = 0;
  // One loop, and no further function: V8 compiles it while it runs, which costs as much as thousands of files.
  for (let end = at; ; end += 1) {
    const code = text.charCodeAt(end);
    if (code >= zero && code <= nine) {
      value = value * 10 + code - zero;
      digits += 1;
      if (digits === secondsDigits && (field === mtimeField || field === ctimeField)) {
        seconds = value;
        value = 0;
      }
      continue;
    }
    // At the end of the text the code is NaN. Times are given in milliseconds as Node makes them of seconds and nanoseconds.
    if (field === sizeField) {
      if (value !== size) return -1;
    } else if (field === seenField) return Math.floor(ctimeMs) + settledMs < value ? end : -1;
    else if (field === inoField) {
      if (value !== ino || value > Number.MAX_SAFE_INTEGER) return -1;
    } else if (
      digits !== timeDigits ||
      seconds * 1000 + value / 1_000_000 !== (field === mtimeField ? mtimeMs : ctimeMs)
    )
      return -1;
    field += 1;
    digits = 0;
    value = 0;
  }
};

const sizeField = 0;
const mtimeField = 1;
const ctimeField = 2;
const inoField = 3;
const seenField = 4;
/** From the year 2001 to 2286. */
const secondsDigits = 10;
const timeDigits = 19;
const zero = 48;
const nine = 57;
