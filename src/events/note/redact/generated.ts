/** Distinguishes generated text from words, names, versions, dates and slugs. */

/** Names with digits, which would otherwise pass for generated text. */
const technicalNames = new RegExp(
  String.raw`utf-?(?:8|16|32)|base-?(?:16|32|36|58|62|64|85)|sha-?\d{1,3}|md[45]|pbkdf2|argon2(?:id|[id])?|` +
    String.raw`pkcs\d{1,2}|[ehr]s(?:256|384|512)|aes-?(?:128|192|256)|ed25519|secp\d{3}[kr]1|x509|[23]fa|` +
    'oauth[12]|ipv[46]|http2|[hx]26[45]|mp[34]|k8s|i18n|l10n|a11y|ec2|s3|b2[bc]|p2p|e2e|' +
    String.raw`log4j|neo4j|v\d{1,2}(?:alpha|beta|rc)\d{0,2}`,
  'gi',
);
export const withoutTechnicalNames = (text: string): string => text.replace(technicalNames, 'x');

/** `note`, `Note2`, `2nd`, `userID`, `OAuth`; longer names are split at their capitals first. */
const word = /^\d{0,4}[a-z]*(?:[A-Z]+[a-z]*)?\d{0,4}$|^\d+$/;
/** Five or more letters of both cases without a vowel are not a word either. */
const noVowel = /^(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])\d{0,4}[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{5,}\d{0,4}$/;
const wordEnd = /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z][a-z]{2})/;
/** Counts as one part of 32 digits, not as five that could each pass for a word. */
const uuid = /(?<![0-9a-f])([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})(?![0-9a-f])/gi;
const pieceEnd = /[^A-Za-z0-9!#$^*+~@]+/;
const piece = /[A-Za-z]+|\d+|[!#$^*+~@]+/g;

/**
 * True if letters and digits are mixed as in no word, name, version, date or slug. If it holds for the beginning of a
 * text, it holds for the whole, so masking one secret does not uncover another in front of it.
 */
export const looksGenerated = (text: string): boolean =>
  /\d/.test(text) && (generatedLength(text) > 0 || isJumble(text));

/** Counts the characters in parts that are not words. */
export const generatedLength = (text: string): number =>
  withoutTechnicalNames(text.replace(uuid, '$1$2$3$4$5'))
    .split(wordEnd)
    .filter((part) => !word.test(part) || noVowel.test(part))
    .reduce((total, part) => total + part.length, 0);

/** True for alternating letters, digits and signs, as in `4k2#x9$m`, where each piece alone could be a word. */
const isJumble = (text: string): boolean =>
  text.split(pieceEnd).some((run) => /\d/.test(run) && /[!#$^*+~@]/.test(run) && (run.match(piece) ?? []).length >= 6);

/** Digits may be missing by chance: then at least 12 letters must be in parts that are not words. */
export const isRandom = (text: string, least: number): boolean =>
  text.length >= least &&
  (looksGenerated(text) || generatedLength(text) >= 12 || isHex(text)) &&
  !/^[\d.,:_-]+$/.test(text) &&
  !isRepetitive(text);

const isHex = (text: string): boolean => text.length >= 16 && /^(?=.*\d)(?=.*[a-f])[0-9a-f]+$/i.test(text);

/** Few different characters for its length: `aaaa1111`, `0123456701234567`. */
const isRepetitive = (text: string): boolean => text.length >= 16 && new Set(text.slice(0, 64)).size < 7;

const hasLetters = (text: string): boolean => /[A-Za-z]/.test(text);
export const hasLettersAndDigits = (text: string): boolean => hasLetters(text) && /\d/.test(text);

/** Passwords as people and password managers choose them: `Winter-42!`, `k9Xw2pQ7`; not `hunter2`, a possible name. */
export const looksLikePassword = (text: string): boolean => {
  const plain = withoutTechnicalNames(text);
  if (text.length < 6 || !hasLettersAndDigits(plain)) return false;
  if (/[!#$%^&*+~@?=]/.test(text)) return true;
  return looksGenerated(text) || (/[a-z]/.test(plain) && /[A-Z]/.test(plain) && /[-_.]/.test(plain));
};

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
/** A ULID identifies something and protects nothing. */
export const isUlid = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
