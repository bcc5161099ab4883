/** Lists of texts as the index stores them: JSON in one column. Pure. */

export const parseTexts = (json: string): readonly string[] => {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.map(String) : [];
};
