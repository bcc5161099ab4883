/** Unicode normalization that stays linear on hostile texts. Pure. */

/** Keeps 30 combining marks in a row (UAX #15, Stream-Safe Text): `normalize` is quadratic in them. Linear. */
export const normalForm = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD' = 'NFC'): string =>
  (mayHaveMarks.test(text) ? text.replace(manyMarks, '$1') : text).normalize(form);

/** Composes letters with their marks (NFC); a text without marks stays, even if NFC would differ. */
export const composeMarks = (text: string): string => (mayHaveMarks.test(text) ? normalForm(text) : text);

const manyMarks = /(\p{M}{30})\p{M}+/gu;
/** Matches more than marks, but many times faster: most non-ASCII texts have only dashes, quotes and Latin letters. */
const mayHaveMarks = /[\u0300-\u1fff\u20d0-\u20ff\u2c00-\uffff]/;
