/** A title made of a line that is too long for one. Pure. */

/** At a space, where one is near the end. `maxChars` counts characters, not units. */
export const cutTitle = (title: string, maxChars: number): string => {
  const chars = [...title];
  if (chars.length <= maxChars) return title;
  const start = chars.slice(0, maxChars - 1).join('');
  const space = start.lastIndexOf(' ');
  return `${(space > start.length / 2 ? start.slice(0, space) : start).trimEnd()}…`;
};
