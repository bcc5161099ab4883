/** Packs small whole numbers: seven bits a byte, and an eighth that says that more follow. Pure. */

export const packNumbers = (numbers: readonly number[]): Buffer => {
  if (packed.length < numbers.length * mostBytes) packed = Buffer.alloc(numbers.length * mostBytes * 2);
  let length = 0;
  for (const number of numbers) {
    let rest = number;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) {
      packed[length] = (rest % 0x80) + 0x80;
      length += 1;
    }
    packed[length] = rest;
    length += 1;
  }
  return Buffer.from(packed.subarray(0, length));
};

/** Bytes of the largest integer that a double holds. */
const mostBytes = 8;
let packed = Buffer.alloc(4096);

export const unpackNumbers = (bytes: Buffer): readonly number[] => {
  const numbers: number[] = [];
  let number = 0;
  let place = 1;
  for (const byte of bytes) {
    number += (byte % 0x80) * place;
    place *= 0x80;
    if (byte < 0x80) {
      numbers.push(number);
      number = 0;
      place = 1;
    }
  }
  return numbers;
};
