/** Small whole numbers in few bytes: seven bits each, the eighth says that more follow. Pure. */

export const packNumbers = (numbers: readonly number[]): Buffer => {
  const bytes: number[] = [];
  for (const number of numbers) {
    let rest = number;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
    bytes.push(rest);
  }
  return Buffer.from(bytes);
};

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
