/** Recognizes UTF-16 text, as Windows editors save it. Pure. */

/** Detects it by the byte order mark or, without one, by the NULs that Latin letters have in every second byte. */
export const orderOfUtf16 = (bytes: Buffer): 'little' | 'big' | undefined => {
  if (bytes.length < 2 || bytes.length % 2 === 1) return undefined;
  const mark = bytes.readUInt16BE(0);
  if (mark === 0xfffe) return 'little';
  if (mark === 0xfeff) return 'big';
  const looked = Math.min(bytes.length, 4096);
  let [even, odd] = [0, 0];
  for (let at = 0; at < looked; at += 2) {
    if (bytes[at] === 0) even += 1;
    if (bytes[at + 1] === 0) odd += 1;
  }
  if (odd > looked / 4) return 'little';
  return even > looked / 4 ? 'big' : undefined;
};
