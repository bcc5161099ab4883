/** Compares a stamp with a stat's numbers inside a long text: nanosecond stats of 10,000 files cost too much. Pure. */

/** A file that changed less than this before it was looked at may have changed again unnoticed: see `isSettled`. */
export const settledMs = 2000;

/** A file's stat in milliseconds, with fractions exact to a quarter of a microsecond. */
export type StampNumbers = {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
};

/**
 * Where the stamp ends if it matches and can be trusted (see `isSettled`); -1 if the numbers differ or don't suffice.
 * They suffice to say that nothing changed: a later change moves the ctime by two seconds at least.
 */
export const endOfSameStamp = (text: string, at: number, { size, mtimeMs, ctimeMs, ino }: StampNumbers): number => {
  let field = 0;
  let digits = 0;
  let value = 0;
  let seconds = 0;
  // One loop without further functions: V8 compiles it while it runs, which costs as much as thousands of files.
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
    // At the end of the text the code is NaN. Times are computed as Node computes milliseconds from seconds and
    // nanoseconds.
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
/** Epoch seconds have ten digits from the year 2001 to 2286. */
const secondsDigits = 10;
const timeDigits = 19;
const zero = 48;
const nine = 57;
