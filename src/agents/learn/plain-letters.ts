/** Text as a model reads it, whatever letters it is written in: for matching patterns, never for display. Pure. */
import { normalForm } from '../../events/normal-form.js';

/**
 * Removes accents and invisible characters (soft hyphens, zero-width and direction marks, tags). Replaces look-alikes
 * in other scripts with the Latin letters they resemble, and every kind of dash, quote and bar with the plain one.
 */
export const plainLetters = (text: string): string =>
  isPlain.test(text)
    ? text
    : normalForm(text, 'NFKD')
        .replace(unseen, '')
        .replace(lookAlike, (letter) => latinByLookAlike.get(letter) ?? letter);

const isPlain = /^[\x00-\x7f]*$/;

/** Includes marks above letters: `cúrl` is read as `curl`. */
const unseen = /\p{M}|[\p{Cf}\u115f\u1160\u3164\uffa0]/gu;

const pairs: readonly (readonly [latin: string, lookAlikes: string])[] = [
  ['a', 'аαɑ'],
  ['b', 'ЬƄ'],
  ['c', 'сϲςⅽᴄ'],
  ['d', 'ԁⅾ'],
  ['e', 'еҽ℮'],
  ['f', 'ϝք'],
  ['g', 'ɡց'],
  ['h', 'һհ'],
  ['i', 'іιıӏ'],
  ['j', 'јϳ'],
  ['k', 'кκ'],
  ['l', 'ⅼ'],
  ['m', 'ⅿм'],
  ['n', 'ոη'],
  ['o', 'оοօσ'],
  ['p', 'рρ'],
  ['q', 'ԛգ'],
  ['r', 'ⲅг'],
  ['s', 'ѕꜱ'],
  ['t', 'тτ'],
  ['u', 'υսᴜ'],
  ['v', 'νѵⅴ'],
  ['w', 'ԝωա'],
  ['x', 'хχⅹ'],
  ['y', 'уγү'],
  ['z', 'ᴢ'],
  ['A', 'АΑ'],
  ['B', 'ВΒ'],
  ['C', 'СϹ'],
  ['E', 'ЕΕ'],
  ['H', 'НΗ'],
  ['I', 'ІΙӀ'],
  ['J', 'Ј'],
  ['K', 'КΚ'],
  ['M', 'МΜ'],
  ['N', 'Ν'],
  ['O', 'ОΟ'],
  ['P', 'РΡ'],
  ['S', 'Ѕ'],
  ['T', 'ТΤ'],
  ['X', 'ХΧ'],
  ['Y', 'УΥ'],
  ['Z', 'Ζ'],
  ['-', '‐‑‒–—―−'],
  ['|', '│∣ǀ❘┃￨'],
  ['"', '“”„‟«»'],
  ["'", '‘’‚‛'],
  ['/', '⁄∕╱'],
  ['$', '﹩'],
];
const latinByLookAlike: ReadonlyMap<string, string> = new Map(
  pairs.flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);
const lookAlike = new RegExp(`[${pairs.map(([, others]) => others).join('')}]`, 'gu');
