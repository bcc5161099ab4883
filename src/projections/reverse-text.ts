/** A text from its end, by its units, as tables keep ids and words: those that end alike stand side by side in an index. Pure. */
export const reverseText = (text: string): string => {
  let reversed = '';
  for (let at = text.length - 1; at >= 0; at -= 1) reversed += text[at] ?? '';
  return reversed;
};
