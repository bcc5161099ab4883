/** Finds a text literally, also inside words, in code and among punctuation. Pure. */

export type Literal = {
  /** Positions of the text, in UTF-16 units, without overlap. Linear in both texts, whatever they contain. */
  placesIn(text: string): readonly number[];
  /** A part for a search that folds only ASCII letters; empty if there is none. */
  readonly asciiPart: string;
};

export const literalOf = (sought: string, ignoreCase: boolean): Literal => {
  const read = ignoreCase ? foldUnit : sameUnit;
  const units = Uint16Array.from({ length: sought.length }, (_, at) => read(sought.charCodeAt(at)));
  const fallbacks = fallbacksOf(units);
  const runs = ignoreCase ? sought.split(/[^\x20-\x7e]+/) : sought.split(/[\r\n]+/);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return {
    placesIn(text) {
      const places: number[] = [];
      if (units.length === 0) return places;
      let matched = 0;
      for (let at = 0; at < text.length; at += 1) {
        const unit = read(text.charCodeAt(at));
        while (matched > 0 && units[matched] !== unit) matched = fallbacks[matched - 1] ?? 0;
        if (units[matched] === unit) matched += 1;
        if (matched < units.length) continue;
        places.push(at + 1 - units.length);
        matched = 0;
      }
      return places;
    },
    asciiPart: longest.slice(0, maxAsked),
  };
};

/** A program's arguments are limited in length, and a text that contains the whole contains its beginning. */
const maxAsked = 500;

const sameUnit = (unit: number): number => unit;

const foldUnit = (unit: number): number => {
  if (unit < 0x80) return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
  const lower = String.fromCharCode(unit).toLowerCase();
  // A letter whose lower case has two units stays unchanged.
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
};

/** Knuth, Morris and Pratt: for each position, how much of the beginning ends there, to go on matching from. */
const fallbacksOf = (units: Uint16Array): Uint32Array => {
  const fallbacks = new Uint32Array(units.length);
  let matched = 0;
  for (let at = 1; at < units.length; at += 1) {
    while (matched > 0 && units[matched] !== units[at]) matched = fallbacks[matched - 1] ?? 0;
    if (units[matched] === units[at]) matched += 1;
    fallbacks[at] = matched;
  }
  return fallbacks;
};
