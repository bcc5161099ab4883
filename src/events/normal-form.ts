/** Unicode normalization that stays linear on hostile texts. Pure. */

/**
 * Keeps only the first 30 combining marks in a row, as in Unicode's Stream-Safe Text Format (UAX #15): `normalize`
 * sorts them in quadratic time, and no script needs so many. Linear.
 */
export const normalForm = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD' = 'NFC'): string =>
  (mayHaveMarks.test(text) ? text.replace(manyMarks, '$1') : text).normalize(form);

/**
 * Composes letters with their marks (NFC). A text without such marks is returned unchanged, even if NFC would differ.
 */
export const composeMarks = (text: string): string => (mayHaveMarks.test(text) ? normalForm(text) : text);

const manyMarks = /(\p{M}{30})\p{M}+/gu;
/** Matches more than marks, but many times faster: most non-ASCII texts have only dashes, quotes and Latin letters. */
const mayHaveMarks = /[\u0300-\u1fff\u20d0-\u20ff\u2c00-\uffff]/;
