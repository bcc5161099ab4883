/** Reverses the UTF-16 units of a text: tables index ids and words so, to find those with the same ending. Pure. */
export const reverseText = (text: string): string => {
  let reversed = '';
  for (let at = text.length - 1; at >= 0; at -= 1) reversed += text[at] ?? '';
  return reversed;
};
