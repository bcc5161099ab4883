/** The words of a prompt, and how much each of them says about its subject. Pure. */

import type { CountedForm } from '../search/expression.js';
import { dropStopWords, splitWords } from '../search/words.js';
import { splitSpaceless } from '../spaceless.js';

/** A word of the prompt. Everyday words are those of talking with an agent, which say little about the subject. */
export type PromptWord = {
  readonly kind: 'everyday' | 'topical';
  readonly word: string;
  /** Notes that hold its stem, or that of its commonest other form. */
  readonly notes: number;
  /** Other forms of it that stand in notes, which count as the word itself. */
  readonly forms?: readonly CountedForm[];
};

/** `weight` is 0 for a word of every note and 1 for one of none. */
export type WeighedWord = PromptWord & { readonly weight: number };

/** Words in a row by which a longer prompt is judged: what is asked stands in one place, and the rest may be anything. */
export const stretch = 12;

/**
 * At most 48 distinct words without the stop words, none when there are only stop words. Of a long prompt the beginning
 * and the end count, where people ask; what is pasted between them does not.
 */
export const wordsOfPrompt = (prompt: string): readonly string[] => {
  const text =
    prompt.length <= 2 * maxUnits ? prompt : `${prompt.slice(0, maxUnits)} ${prompt.slice(prompt.length - maxUnits)}`;
  const words = [...new Set(dropStopWords(splitWords(text, text.length)).flatMap(splitSpaceless))];
  return words.length <= maxWords ? words : [...words.slice(0, maxWords - fromTheEnd), ...words.slice(-fromTheEnd)];
};

const maxUnits = 4000;
const maxWords = 48;
const fromTheEnd = 16;

/** `stem` as the index's tokenizer leaves it. */
export const isEveryday = (stem: string): boolean =>
  everydayStems.has(stem) || everydayPairs.has(stem) || /^(?:\p{N}{1,2}|[a-z]|\p{Script=Hiragana}{1,2})$/u.test(stem);

/** Of asking in Chinese; what Japanese asks with is written in hiragana alone. */
const everydayPairs = new Set(
  '怎么 什么 为什 如何 我们 你们 他们 可以 一下 这个 那个 这些 那些 请帮 帮我 给我 需要 应该 能不 不能 是否 是不 没有 现在 之前 之后 然后 但是 因为 所以 时候 问题 哪里 哪个 告诉'.split(
    ' ',
  ),
);

/** `total` is the number of notes in the index. */
export const weighWords = (words: readonly PromptWord[], total: number): readonly WeighedWord[] => {
  const rarity = rarityAmong(total);
  return words.map((word) => ({ ...word, weight: word.kind === 'everyday' ? everydayWeight : rarity(word.notes) }));
};

/** The same in any store: a note is not about something because it says `test` where few others do. */
const everydayWeight = 0.2;

/** BM25's idf over its maximum. In a store of a few notes every word is rare, so that of 1,000 is taken. */
const rarityAmong = (total: number): ((notes: number) => number) => {
  const size = Math.max(total, 1000);
  const idf = (notes: number): number => Math.log(1 + (size - notes + 0.5) / (notes + 0.5));
  return (notes) => idf(notes) / idf(0);
};

/** Words of asking an agent for something, in English, German and French, as Porter's stemmer leaves them. */
const everydayStems = new Set(
  `aber actual add advic ahead ajout all alle alreadi altern although alwai amend andern anderung answer anyth app
  applic approach argument around arrai ask assum auch auf aussi avec avoid back background base basic begin beheb bei
  better bit bitt branch break brief broken bug build bump call care carri case ce cett chang check class clean cleanup
  click close code command comment commit compar complet complic consist continu convert cool correct corrig count
  creat current da dank dann de default defin delet dem den der describ detail dies dieser differ dir directori discuss
  done doubl du duplic edg edit effort ein einem einen einmal els empti encor entri erklar erreur error es est et even
  ever everyon everyth exampl execut expect explain explicit expliqu extra extract fai fail fair fait fast faster
  fehler fewer field file find fine finish first fix folder forget forgot form format full function fur get give go
  good got great gut handl handler happen hei hello help helper hi hide hier ich idea il implement import improv includ
  increas indent inlin input instal instead issu ist it ja je jetzt job kannst keep kind know konnen la lass last later
  latest laufen le left less let librari like line list load local log look loop lot mach machen mai main make mal
  manag mani manual mayb mean merci merg messag method might minim mir miss mit mode modifi modul moi montr move much
  muss must name ne need nein never new next nice nicht noch nochmal non note noth nou now null number nur occur oder
  offici ohn ok okai old on onc open option order oui output overview own pars part path pattern perfect peux pick piec
  place plait plan pleas plu point possibl pour pourquoi prepar prevent previou print prior problem proce process
  progress project proper properli prufe pull push put qualiti que quel quell question qui quick quit quoi random read
  realli rebuild recommend reduc refactor refer reload remov renam repeat repo reproduc request rerun resolv respons
  restart result retri return revert review rewrit right run safe sai said same sampl schreib scratch screen script
  search second see seem select separ set share ship short show side similar simpl simpler simplifi sinc sind singl
  size skip slow small smaller soll sollt someon someth sont soon sorri sort sourc speed spend split squash stai start
  state statement statu step still stop string structur stuff style suggest summar summari support sur sure switch tag
  take task team tell temporari termin test text thank thing think third though three throw time todai toi tool top
  touch track try tu turn two type typo uberprufen un und understand undo unit updat us usag user valu variabl verifi
  view von vou wai wait want warn warum weiter well wenn while whole wie wieso wir wird within without wonder word work
  world wors wrap write wrong ye yeah yep yet zeig zum zur`.split(/\s+/),
);
