/** A query as it may be kept: plain words, nothing after what may name a secret. Masking costs 25 ms. Pure. */
import { normalForm } from '../events/normal-form.js';

/** Limits, in characters, of what is read of a query and what is kept. */
const maxRead = 4_000;
const maxKept = 300;
const gap = '…';

/** Returns one line; `…` replaces what was left out. */
export const dropPossibleSecrets = (text: string): string => {
  const read = text.slice(0, maxRead);
  const whole = text.length > maxRead ? read.slice(0, read.search(/\S*$/)) : read;
  const kept: string[] = [];
  let length = 0;
  let isGiven = false;
  for (const word of (isAscii.test(whole) ? whole : normalForm(whole, 'NFKC')).split(/\s+/)) {
    if (word === '') continue;
    const shown = !isGiven && isPlain(word) ? word : gap;
    // An option of a command may take a secret, in quotes and in several words.
    isGiven ||= namesSecret.test(word) || /^-|[:=]$/.test(word);
    if (shown === gap && kept.at(-1) === gap) continue;
    length += shown.length + 1;
    if (length > maxKept) return `${kept.join(' ')} ${gap}`.trimStart();
    kept.push(shown);
  }
  return kept.join(' ');
};

const namesSecret =
  /pass|pwd|secret|token|bearer|credential|auth|login$|key$|seed|mnemonic|geheim|kennwort|schl(?:ü|u|ue)ssel|clave|contrase|creds?\b|^pw\b|^otp\b|^pin\b|identified|senha|has[łl]o|парол|密[码碼]|パスワード|wachtwoord|l[öo]senord/i;

const isAscii = /^[\x20-\x7e\s]*$/;
const ofAscii = /^["'(]*(?:[A-Za-z]{1,15}(?:[-._/'][A-Za-z]{1,15})*|\d{1,3}|(?:19|20)\d\d)[)"'.,;:?!]*$/;
/** Capitals within a word, as generated passwords have them. */
const motley = /\p{Ll}\p{Lu}\P{Lu}*\p{Lu}|\p{Lu}\p{Ll}\p{Lu}/u;

const isPlain = (word: string): boolean =>
  isAscii.test(word) ? ofAscii.test(word) && !/[a-z][A-Z][^A-Z]*[A-Z]|[A-Z][a-z][A-Z]/.test(word) : isPlainOfAny(word);

/** Created on first use: the Unicode classes cost startup some milliseconds. */
let ofAnyScript: RegExp | undefined;
const isPlainOfAny = (word: string): boolean => {
  ofAnyScript ??= /^["'(“‘«¿¡]*[\p{L}\p{M}]{1,15}(?:[-._/'’][\p{L}\p{M}]{1,15})*[)"'”».,;:?!]*$/u;
  return ofAnyScript.test(word) && !motley.test(word);
};
