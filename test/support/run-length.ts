/**
 * How much a randomised test does: little in `npm test`, more in `npm run test:long -- --short`, and
 * everything in `npm run test:long`.
 */
const length = process.env['ANAMNESIS_TEST_LENGTH'];

export const isLong = length === 'long';

/** Returns the value for this run. */
export const byLength = <Value>(quick: Value, short: Value, long: Value): Value =>
  length === 'long' ? long : length === 'short' ? short : quick;
