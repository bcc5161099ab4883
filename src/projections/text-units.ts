/**
 * Reads the UTF-16 units of a text into an array of numbers: asking a string for each takes five times as long. Pure.
 */

/** The array is valid until the next call, and may be longer than the text. */
export type ReadUnits = (text: string) => Uint16Array;

export const openUnits = (): ReadUnits => {
  let bytes = Buffer.alloc(0);
  let units = new Uint16Array(0);
  return (text) => {
    if (units.length < text.length) {
      units = new Uint16Array(Math.max(64, text.length * 2));
      bytes = Buffer.from(units.buffer);
    }
    if (isLittleEndian && text.length > fewUnits) bytes.write(text, 'utf16le');
    else for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
    return units;
  };
};

/** Up to this length a loop is as fast as calling into Node. */
const fewUnits = 48;

export const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Copies the numbers into a longer array. */
export const longer = <Numbers extends Int32Array | Uint16Array | Uint32Array>(from: Numbers, to: Numbers): Numbers => {
  to.set(from);
  return to;
};
