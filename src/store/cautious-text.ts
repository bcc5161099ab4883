/**
 * A query as it may be kept for the person to read: anything that might be a secret is dropped, even wrongly. Real
 * masking costs 25 ms of startup, and hooks and searches wait for this. Pure.
 */
import { normalForm } from '../events/normal-form.js';

/** Limits, in characters, of what is read of a query and what is kept. */
const maxRead = 4_000;
const maxKept = 300;
const gap = '…';

/** Returns one line; `…` replaces what was left out. */
export const dropPossibleSecrets = (text: string): string => {
  const read = text.slice(0, maxRead);
  // A key spans many lines, the last of which look like ordinary text.
  if (/-----BEGIN|PRIVATE KEY/i.test(read)) return gap;
  const whole = text.length > maxRead ? read.slice(0, read.search(/\S*$/)) : read;
  const kept: string[] = [];
  let length = 0;
  const state = { isValue: false };
  for (const line of whole.split(/[\r\n\u2028\u2029]+/)) {
    for (const word of cautiousWords(line, state)) {
      if (word === gap && kept.at(-1) === gap) continue;
      length += word.length + 1;
      if (length > maxKept) return `${kept.join(' ')} ${gap}`.trimStart();
      kept.push(word);
    }
  }
  return kept.join(' ');
};

function* cautiousWords(line: string, state: { isValue: boolean }): Iterable<string> {
  const words = (isAscii.test(line) ? line : normalForm(line, 'NFKC')).split(/\s+/).filter((word) => word !== '');
  let isValue = false;
  let quote = '';
  let next: Next = 'any';
  for (const [at, word] of words.entries()) {
    const isGiven = quote !== '' || next !== 'any';
    yield !isValue && !isGiven && !state.isValue && isHarmless(word) ? word : gap;
    if (isGiven) quote = quoteAfter(word, quote);
    // Anything may follow `password` or `the key is`, in any number of words and lines.
    if (names.test(word) || (mayName.test(word) && tells.test(words[at + 1] ?? ''))) state.isValue = true;
    if (/[:=]$/.test(word)) isValue = true;
    next = nextAfter(word, next, words, at);
  }
}

/** How many of a command's next words count as a value, whatever they look like: one, or all up to a pipe. */
type Next = 'any' | 'value' | 'to-pipe';

const nextAfter = (word: string, before: Next, words: readonly string[], at: number): Next => {
  if (before === 'to-pipe' && word !== '|') return 'to-pipe';
  if (takesRest.test(word) || (words[at + 1] === takesRestWith.get(word.toLowerCase()) && at + 2 < words.length))
    return 'to-pipe';
  if (/^(?:echo|printf)$/.test(word) && words.indexOf('|', at) !== -1) return 'to-pipe';
  if (takesValue.test(word)) return 'value';
  if (/^(?:by|password)$/i.test(word) && words.slice(Math.max(0, at - 4), at).some((one) => /identified$/i.test(one)))
    return 'value';
  return 'any';
};

/** `redis-cli -a V`, `curl --user V`, `sudo -S <<< V`. */
const takesValue = /^[-–—−]{1,2}(?:[a-z]{1,2}|h?pass|auth|user|(?:proxy-|admin-)?user|creds?|body)$|^<<<$/i;
const takesRest = /^(?:sqlplus|sqlldr|expdp|impdp|add_user)$/;
const takesRestWith: ReadonlyMap<string, string> = new Map([
  ['vault', 'login'],
  ['net', 'user'],
]);

/** Returns the quote that a value leaves open: the value may contain blanks. */
const quoteAfter = (word: string, open: string): string => {
  const quote = open === '' ? (/^\\?(["'])/.exec(word)?.[1] ?? '') : open;
  if (quote === '') return '';
  const isClosed = open === '' ? word.indexOf(quote, word.indexOf(quote) + 1) !== -1 : word.includes(quote);
  return isClosed ? '' : quote;
};

const isHarmless = (word: string): boolean => {
  if (codes.test(word)) return false;
  if (word.length >= leastSecret) return word.length < maxPath && path.test(word);
  if (isAscii.test(word)) return plainAscii.test(word) && !motleyAscii.test(word);
  const { plain, motley } = ofAnyScript();
  return plain.test(word) && !motley.test(word);
};

/** One-time codes and parts of card and account numbers; years are exempt. */
const codes = /\d{5}|^(?!(?:19|20)\d\d\D*$)\d{4}\D*$/;

/** The shortest secret that has no telltale sign, such as mixed case with digits. */
const leastSecret = 16;
const maxPath = 80;

const isAscii = /^[\x20-\x7e\t]*$/;
/** Letters and digits, with the punctuation of sentences and file names. */
const plainAscii = /^[("']*[A-Za-z0-9][A-Za-z0-9._/'"(),;?!-]*:?$|^[&+-]$/;
/** Mixed like generated passwords. */
const motleyAscii = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$/;
/** Short names of letters only. */
const path = /^(?:[a-z_-]{1,15}[./])+[a-z_-]{1,15}[,.;:?!]?$/i;
const names =
  /pass|pwd|secret|token|bearer|credential|seed\b|mnemonic|geheim|kennwort|schl(?:ü|u|ue)ssel|mot-de|clave|contrase|^creds?\b|^pw\b|^otp\b|senha|has[łl]o|парол|密[码碼]|パスワード|wachtwoord|l[öo]senord|masterauth|securestring|basic_?auth/i;
/** Everyday words unless `tells` matches the next word: `foreign key constraint`. */
const mayName = /key$|auth|login$|phrase$|pin$/i;
const tells = /^(?:is|was|ist|lautet|est|es)$|[^a-z]/i;

/** The same for all scripts. Created on first use: the Unicode classes cost startup some milliseconds. */
let anyScript: { readonly plain: RegExp; readonly motley: RegExp } | undefined;
const ofAnyScript = (): NonNullable<typeof anyScript> => {
  anyScript ??= {
    plain: /^[("'“‘«¿¡]*[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}._/’'"”»(),;?!-]*:?$|^[–—]$/u,
    motley: /^(?=.*\d)(?=.*\p{Ll})(?=.*\p{Lu}).{8,}$/u,
  };
  return anyScript;
};
