/** Words searched for together: families without a common stem, and forms by ending (`quick`, `quickly`). Pure. */

import { printWordOf, stemOf } from '../../prints/print.js';
import { foldWord } from '../../prints/read-words.js';
import { derivedWords, irregularForms, shortForms, spellings } from './family-lists.js';

/** The words of each family. A word may belong to several families. */
export const wordFamilies = (): readonly (readonly string[])[] =>
  [irregularForms, derivedWords, shortForms, spellings].flatMap((text) => text.split(',').flatMap(familiesOf));

/** One family, or two for `y ial: bur den`: words with these beginnings and endings. */
const familiesOf = (text: string): readonly (readonly string[])[] => {
  const [words = '', begins] = text.split(':').map((part) => part.trim().split(/\s+/));
  return begins?.map((begin) => [...words].map((ending) => (ending === '-' ? begin : begin + ending))) ?? [[...words]];
};

/** Other forms of a word, in any inflection ("deciding": decision), that have another stem. Most words have none. */
export const otherForms = (typed: string): readonly string[] => {
  const word = foldWord(typed);
  const families = familiesNear(word);
  if (families.length === 0) return [];
  const stem = stemOfWord(word);
  const own = families.filter((family) => family.some((form) => startsAlike(form, word) && stemOfWord(form) === stem));
  return [...new Set(own.flat())].filter((form) => stemOfWord(form) !== stem);
};

/** Whether the word is spelt right, even if no note contains it or another form of it. */
export const isOfFamily = (word: string): boolean => otherForms(word).length > 0;

const stemOfWord = (word: string): number => stemOf(printWordOf(word));

const startsAlike = (one: string, other: string): boolean => one.slice(0, alike) === other.slice(0, alike);

/** A stem begins like its word. Stemming only words with the same beginning saves a millisecond at start-up. */
const alike = 2;

const familiesNear = (word: string): readonly (readonly string[])[] => {
  byBeginning ??= groupByBeginning();
  return byBeginning.get(word.slice(0, alike)) ?? [];
};

/** Filled by the first search. */
let byBeginning: ReadonlyMap<string, readonly (readonly string[])[]> | undefined;

const groupByBeginning = (): ReadonlyMap<string, readonly (readonly string[])[]> => {
  const groups = new Map<string, (readonly string[])[]>();
  for (const family of wordFamilies()) {
    for (const beginning of new Set(family.map((form) => form.slice(0, alike)))) {
      const group = groups.get(beginning);
      if (group === undefined) groups.set(beginning, [family]);
      else group.push(family);
    }
  }
  return groups;
};
/**
 * Folded forms, of which few are words: look them up in the notes. Made with endings that the stemmer leaves alone, or
 * removes without turning the y before them into an i: "deploy" has another stem than "deployment".
 */
export const likelyForms = (word: string): readonly string[] => {
  const folded = foldWord(word);
  if (!/^[a-zß]{3,32}$/.test(folded)) return [];
  swaps ??= readSwaps();
  const forms = new Set<string>();
  for (const base of basesOf(folded))
    for (const { from, to, least } of swaps) {
      const left = base.length - from.length;
      if (left < least || !base.endsWith(from)) continue;
      const made = base.slice(0, left) + to;
      if (unrelated.has(base) || unrelated.has(made)) continue;
      for (const form of ofEnglish.test(from) ? inflect(made) : [made, `${made}s`]) forms.add(form);
    }
  for (const form of germanForms(folded)) forms.add(form);
  return [...forms];
};

/** `gemahnt`, `mahnen`, `Mahnung`; `abgerechnet`, `abrechnen`. Leaves out strong verbs (`geschrieben`). */
const germanForms = (word: string): readonly string[] => {
  const [, before = '', stem] = participle.exec(word) ?? [];
  if (stem !== undefined) return verbForms(before + stem);
  const [, prefix = '', root] = verbOrNoun.exec(word) ?? [];
  if (root === undefined) return [];
  return [...verbForms(prefix + root), `${prefix}ge${root}t`, `${prefix}ge${root}et`].filter((form) => form !== word);
};

const verbForms = (stem: string): readonly string[] => [`${stem}en`, `${stem}n`, `${stem}ung`, `${stem}ungen`];

const prefixes = '(ab|an|auf|aus|bei|durch|ein|fest|frei|her|hin|los|mit|nach|vor|weg|zu|zuruck)?';
const participle = new RegExp(`^${prefixes}ge([a-z]{3,}?)e?t$`);
const verbOrNoun = new RegExp(`^${prefixes}([a-z]{3,}?)(?:ungen|ung|en|(?<=[lr])n)$`);

/** Pairs of endings, `-` for none: English, German, and Romance plurals that take more than an s. Without marks. */
const endings = `
  - ment, - ly, y ily, tle tly, mple mply, ay ayer, ay ayal, ay ayable, ey eyor, ey eyance, oy oyer, oy oyee, oy oyable,
  - en, e en, er ern, el eln, nis nisse, nis nissen, in innen, s se, s sen, s ser, s ses,
  bild bilder, blatt blatter, buch bucher, fach facher, feld felder, glied glieder, haus hauser, kind kinder, land lander,
  wort worter, al aux, au aux, eu eux, z ces, ao oes, er eur`;

/** English endings, whose results may be inflected; the German "committen" does not come from "committed". */
const ofEnglish = /ment|.y|y./;

/** Words that only look as if they had such an ending: a statement is not a form of "state". */
const unrelated = new Set(['basement', 'fasten', 'hardly', 'intern', 'linen', 'listen', 'statement']);

type Swap = { readonly from: string; readonly to: string; readonly least: number };

/** The less of a word is replaced, the more letters must remain before it. */
const readSwaps = (): readonly Swap[] =>
  endings.split(',').flatMap((pair) => {
    const [short = '', long = ''] = pair.trim().replace('-', '').split(' ');
    const least = Math.max(0, 4 - short.length);
    return [
      { from: short, to: long, least },
      { from: long, to: short, least },
    ];
  });

let swaps: readonly Swap[] | undefined;

/** The words that it may be an inflection of, itself first. */
const basesOf = (word: string): readonly string[] => {
  const [, begin = '', ending = ''] = /^(.{3,}?)(s|ed|ing)$/.exec(word) ?? [];
  if (begin === '') return [word];
  return ending === 's' ? [word, begin] : [word, begin, `${begin}e`, begin.replace(/(.)\1$/, '$1')];
};

const inflect = (base: string): readonly string[] => {
  const begin = base.endsWith('e') ? base.slice(0, -1) : base;
  return [base, `${base}s`, `${begin}ed`, `${begin}ing`];
};
