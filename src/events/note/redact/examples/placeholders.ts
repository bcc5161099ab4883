/** Tells placeholders such as `your-api-key-1` from random values that contain such a word. */

/** Separates a value into pieces: each must be plain, and one must say that the value is a placeholder. */
const pieceEnd = /[^A-Za-z0-9]+/;

/** `Enter`, `apiKey`, `KEY`; also with a number after it, as in `Password1`. */
const words =
  /^(?:[a-z]{2,}|[a-z](?![A-Z]))?(?:[A-Z][a-z]+)*(?:\d{0,4}|12345\d{0,5})$|^[A-Z]+(?:\d{0,4}|12345\d{0,5})$/;
/** `1a2b`, `v2`, `32`: too short to be a secret, or a number. */
const shortPiece = /^(?:[a-z0-9]{0,5}|[A-Z0-9]{0,5}|\d+)$/;
/** `service2`, `Password1`, `example12`: a number so short that a random value is unlikely to have it after a word. */
const numberedWord = /^[A-Za-z]{3,}\d{1,2}$|^[A-Za-z]{5,}\d{1,5}$/;
/** A date with its time has fourteen digits, an account number twelve. */
const maxDigits = 14;
/** `xxxx1a2bxxxx`, `51Hxxxxxxxx`: most of the value is crossed out. */
const crosses = /x{3,}/gi;
const mixed = /^(?=.*\d)(?=.*[a-z]).*[A-Z]/;

const isCrossedOut = (piece: string): boolean => {
  const left = piece.replace(crosses, '');
  return left.length * 2 < piece.length && !mixed.test(left);
};

/** The beginning of a mask says nothing, since it can be written beside any secret. */
const maskStart = /\[redacted:/gi;
/** Two words that count as one. */
const change = /change[-_ ]?(?=me|this)/gi;
/** Words that examples write with digits. */
const dressed = /p[a@4]ssw[o0]rd|s[e3]cr[e3]t/gi;

const digitsIn = (piece: string): number => piece.match(/\d/g)?.length ?? 0;
const isMixed = (piece: string): boolean => /[A-Za-z]/.test(piece) && /\d/.test(piece) && !numberedWord.test(piece);

/**
 * Makes a test for values that consist of one of the words (a pattern in lower case), other words, short numbers and at
 * most one short piece such as `1a2b`. With more digits and letters mixed, also in groups, the value is a secret.
 */
export const placeholderWith = (saying: string): ((value: string) => boolean) => {
  const says = new RegExp(saying, 'i');
  const begins = new RegExp(`^(?:${saying})`, 'i');
  const isPlain = (piece: string): boolean =>
    words.test(piece) || shortPiece.test(piece) || shortPiece.test(piece.replace(begins, ''));
  return (value) => {
    if (!says.test(value) && !value.match(crosses)) return false;
    const plain = value.replace(maskStart, ' ').replace(change, 'change').replace(dressed, 'word');
    const pieces = plain.split(pieceEnd);
    const left = pieces.filter((piece) => !isCrossedOut(piece));
    return (
      (left.length < pieces.length || left.some((piece) => says.test(piece))) &&
      left.every(isPlain) &&
      left.filter(isMixed).length <= 1 &&
      left.reduce((total, piece) => total + digitsIn(piece), 0) <= maxDigits
    );
  };
};
