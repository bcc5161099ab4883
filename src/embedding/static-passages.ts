/** A note's passages: as text, and as vectors of a static model, with a query's vector. Pure; linear. */
import type { NoteText } from './closeness.js';
import { type PackedVectors, packVectors } from './packed-vectors.js';
import { type StaticModel, sumVectors, toLengthOne, unitVector } from './static-model.js';

/** Part of the vectors' identity. Raise its number whenever a change here makes other passages from the same texts. */
export const textRecipe = 'passages-1';

/** Words per passage, about 128 word pieces of English; a character of a script without spaces counts as one. */
const words = 96;
/** Characters of a word; a longer one was not written by hand and counts as several. */
const maxWord = 64;
const maxPassages = 32;
const maxTitleChars = 200;

/** Each passage includes the title; a note without text has one passage. */
export const textPassages = ({ title, body }: NoteText): readonly string[] => {
  const head = title.slice(0, maxTitleChars);
  const starts = partStarts(body, words, maxPassages + 1);
  return starts.slice(0, maxPassages).map((from, at) => {
    const text = body.slice(from, Math.min(starts[at + 1] ?? body.length, from + words * maxWord));
    return `${head}\n${text}`.trim();
  });
};

/** Where the passages of a body begin, in the order in which `textPassages` gives them. */
export const passageStarts = (body: string): readonly number[] => partStarts(body, words, maxPassages);

/** Returns where a text's parts of `wordsOfPart` words begin, at most `most` of them; the first begins at 0. */
const partStarts = (text: string, wordsOfPart: number, most: number): readonly number[] => {
  const starts = [0];
  let count = 0;
  for (const { 0: word, index } of text.matchAll(aWord)) {
    if (count === wordsOfPart) {
      if (starts.length === most) break;
      starts.push(index);
      count = 0;
    }
    count = Math.min(wordsOfPart, count + Math.ceil(word.length / maxWord));
  }
  return starts;
};

const aWord =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;
/** Identity of the vectors. Raise its number whenever a change here makes other vectors from the same texts. */
export const staticIdentity = ({ id }: Pick<StaticModel, 'id'>): string => `static-1 ${id}`;

/** Tokens per passage. Passages follow each other without overlapping, and each includes the title. */
const passage = 32;
const maxTitle = 32;
/** A longer note is read only this far: 128 passages. */
const maxBody = 4096;
const maxQuery = 64;

export const staticPassages = (model: StaticModel, { title, body }: NoteText): PackedVectors => {
  const head = sumVectors(model, model.tokensOf(title, maxTitle), 0, maxTitle);
  const rows = model.tokensOf(body, maxBody);
  const vectors: Float64Array[] = [];
  for (let from = 0; from === 0 || from < rows.length; from += passage) {
    const own = sumVectors(model, rows, from, from + passage);
    vectors.push(toLengthOne(own.map((value, at) => value + (head[at] ?? 0))));
  }
  return packVectors(vectors, model.dimension);
};

/** Returns zeros if the model knows no word of the text. */
export const staticQuery = (model: StaticModel, text: string): Float32Array =>
  unitVector(model, model.tokensOf(text, maxQuery));

/** Where the text's part nearest to a query begins, at a word; 0 if the model knows none of its words. */
export const nearestPart = (model: StaticModel, asked: string, text: string): number => {
  const query = staticQuery(model, asked);
  const starts = partStarts(text, wordsOfPart, maxBody / passage);
  let nearest = 0;
  let greatest = 0;
  for (const [at, from] of starts.entries()) {
    const vector = unitVector(model, model.tokensOf(text.slice(from, starts[at + 1]), passage));
    const cosine = vector.reduce((sum, value, place) => sum + value * (query[place] ?? 0), 0);
    if (cosine <= greatest) continue;
    greatest = cosine;
    nearest = from;
  }
  return nearest;
};

const wordsOfPart = 24;
