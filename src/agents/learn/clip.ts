/** Cuts texts to a length. Pure. */

/** Keeps at most `most` UTF-16 units, never half a character, with a mark where something was left out. */
export const clipText = (text: string, most: number): string => {
  if (text.length <= most) return text;
  return `${wholeStart(text, Math.max(0, most - cutSign.length))}${cutSign}`.slice(0, Math.max(0, most));
};

/** Like clipText, but also keeps the end, where a reply says how it came out. */
export const clipMiddle = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const room = most - cutSign.length;
  if (room < 60) return clipText(text, most);
  const start = wholeStart(text, Math.floor(room / 3));
  return `${start}${cutSign}${wholeEnd(text, room - start.length)}`;
};

/** Returns one line of at most `most` Unicode characters, cut between words if there is a space. */
export const clipLine = (text: string, most: number): string => {
  const line = text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  const chars = [...line.slice(0, 2 * most + 2)];
  if (chars.length <= most) return line;
  const cut = chars.slice(0, most - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${(space > most / 2 ? cut.slice(0, space) : cut).replace(/(?<![\s,;:(-])[\s,;:(-]+$/, '')}…`;
};

const cutSign = ' […] ';

const wholeStart = (text: string, units: number): string => text.slice(0, units).replace(/[\ud800-\udbff]$/, '');
const wholeEnd = (text: string, units: number): string =>
  units <= 0 ? '' : text.slice(-units).replace(/^[\udc00-\udfff]/, '');
