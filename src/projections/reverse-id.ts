/** The id read from its end, as the tables keep it: ids that end alike stand side by side in an index. */
export const reverseId = (id: string): string => [...id].reverse().join('');
