/** Unicode's normal forms of texts that may have been made to be slow. Pure. */

/**
 * Of marks in a row the first 30 are kept, as in Unicode's Stream-Safe Text Format (UAX #15): `normalize` puts them in order in
 * quadratic time, and no writing has so many. Linear.
 */
export const normalForm = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD' = 'NFC'): string =>
  (mayHaveMarks.test(text) ? text.replace(manyMarks, '$1') : text).normalize(form);

/** Letters with marks of their own as one character each. A text without such marks stays as it is, whatever NFC makes of it. */
export const composeMarks = (text: string): string => (mayHaveMarks.test(text) ? normalForm(text) : text);

const manyMarks = /(\p{M}{30})\p{M}+/gu;
/** Wider than all marks, and many times faster: most texts beyond ASCII have dashes, quotation marks and Latin letters. */
const mayHaveMarks = /[\u0300-\u1fff\u20d0-\u20ff\u2c00-\uffff]/;
