/** Where a text stands literally: also inside words, in code and among punctuation. Pure. */

export type Literal = {
  /** Places of the text, in UTF-16 units, without overlap. */
  placesIn(text: string): readonly number[];
  /** What a search that folds ASCII letters only can be asked for; empty where it can be asked for nothing. */
  readonly asciiPart: string;
};

export const literalOf = (sought: string, ignoreCase: boolean): Literal => {
  const pattern = new RegExp(sought.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), ignoreCase ? 'giu' : 'gu');
  const runs = ignoreCase ? sought.split(/[^\x20-\x7e]+/) : sought.split(/[\r\n]+/);
  return {
    placesIn: (text) => (sought === '' ? [] : [...text.matchAll(pattern)].map(({ index }) => index)),
    asciiPart: runs.reduce((longest, run) => (run.length > longest.length ? run : longest), ''),
  };
};
