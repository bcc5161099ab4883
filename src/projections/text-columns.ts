/** Texts as the tables store them: lists as JSON in one column, ids and words reversed for their endings. Pure. */

export const parseTexts = (json: string): readonly string[] => {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.map(String) : [];
};

export const reverseText = (text: string): string => {
  let reversed = '';
  for (let at = text.length - 1; at >= 0; at -= 1) reversed += text[at] ?? '';
  return reversed;
};
