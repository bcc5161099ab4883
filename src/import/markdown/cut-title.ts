/** Cuts a line that is too long for a title. Pure. */

/** Cuts at a space if there is one in the second half. `maxChars` counts characters, not UTF-16 units. */
export const cutTitle = (title: string, maxChars: number): string => {
  const chars = [...title];
  if (chars.length <= maxChars) return title;
  const start = chars.slice(0, maxChars - 1).join('');
  const space = start.lastIndexOf(' ');
  return `${(space > start.length / 2 ? start.slice(0, space) : start).trimEnd()}…`;
};
