/** The part of a body that shows why a note was found. Pure; linear in the body. */
import { normalForm } from '../../events/normal-form.js';
import { stemWord } from '../prints/print.js';
import { lowerCase } from '../prints/read-words.js';
import { isSpaceless } from '../word-parts.js';

const snippetUnits = 240;
/** A body of up to this many units is shown whole, with its lines and their indentation. */
const wholeUnits = 300;

/** Position of a word of the query in a text: begin and end, in UTF-16 units. */
export type Mark = readonly [begin: number, end: number];

export type Snippet = { readonly snippet: string; readonly marks: readonly Mark[] };

/**
 * A short body unchanged; of a longer one, the 240 characters with the most distinct words, on one line, `…` for what
 * is left out. FTS5's snippet() has nothing to show, because bodies are in files. Also which words note and body have.
 */
export const showWords = (
  { title, body, lists }: { readonly title: string; readonly body: string; readonly lists: readonly string[] },
  words: readonly string[],
  withMarks = true,
): Snippet & { readonly found: readonly string[]; readonly isInBody: boolean } => {
  const start = title.length + 1;
  const places = findWords(`${title}\n${body}\n${lists.join(' ')}`, words);
  const inBody = places.filter(({ at }) => at >= start && at < start + body.length);
  const found = new Set(places.map(({ word }) => word));
  const snippet =
    wholeOf(body) ??
    densest(
      body,
      inBody.map(({ at, word }) => ({ at: at - start, word })),
    );
  return {
    snippet,
    marks: withMarks && inBody.length > 0 ? marksIn(snippet, words) : [],
    isInBody: inBody.length > 0,
    found: words.filter((_, at) => found.has(at)),
  };
};

/** The stretch of a long body from a position on, for a note that was found by the meaning of that passage. */
export const snippetFrom = (body: string, at: number, words: readonly string[]): Snippet => {
  const snippet = wholeOf(body) ?? cutOut(body, at, at);
  return { snippet, marks: marksIn(snippet, words) };
};

/** In order, without overlap. Words that only begin like a word of the query aren't marked. */
const marksIn = (text: string, words: readonly string[]): readonly Mark[] => {
  const marks: Mark[] = [];
  for (const { at, word } of findWords(text, words)) {
    const sought = words[word] ?? '';
    const end = isSpaceless(sought) ? at + sought.length : endOfForm(text, at, sought);
    if (end > (marks.at(-1)?.[1] ?? 0)) marks.push([Math.max(at, marks.at(-1)?.[1] ?? 0), end]);
  }
  return marks;
};

/** The end of the word, or part of an identifier, that begins at `at`; 0 if it is not a form of `sought`. */
const endOfForm = (text: string, at: number, sought: string): number => {
  const found = partAt(text, at);
  const isForm =
    found.length - beginning(sought).length <= mostEnding || stemWord(found.toLowerCase()) === stemWord(sought);
  return found !== '' && isForm ? at + found.length : 0;
};

/** `Retry` of `RetryRequest`. A word that goes on beyond ASCII is whole: compiling the pattern takes 1.5 ms. */
const partAt = (text: string, at: number): string => {
  asciiPart.lastIndex = at;
  const [part = ''] = asciiPart.exec(text) ?? [];
  const next = text.charCodeAt(at + part.length);
  const goesOn = next >= 0x80 && !(next >= 0x2000 && next <= 0x206f);
  if (!goesOn) return part;
  anyPart.lastIndex = at;
  return anyPart.exec(text)?.[0] ?? '';
};

const asciiPart = /[A-Z]*[a-z]+|[A-Z]+|[0-9]+/y;
const anyPart = /[\p{L}\p{N}\p{M}\p{Co}]+/uy;
/** Maximum number of letters in an ending: `use` is marked in "useful" but not in "username". */
const mostEnding = 3;

const densest = (body: string, places: readonly Place[]): string => {
  let best = 0;
  let bestScore = 0;
  /** Where the last word of the best stretch begins. */
  let end = 0;
  let first = 0;
  const inWindow = new Map<number, number>();
  for (let last = 0; last < places.length; last += 1) {
    const place = places[last];
    if (place === undefined) break;
    inWindow.set(place.word, (inWindow.get(place.word) ?? 0) + 1);
    for (
      let start = places[first];
      start !== undefined && place.at - start.at > snippetUnits - 40;
      start = places[first]
    ) {
      const left = (inWindow.get(start.word) ?? 1) - 1;
      if (left === 0) inWindow.delete(start.word);
      else inWindow.set(start.word, left);
      first += 1;
    }
    if (inWindow.size > bestScore) {
      bestScore = inWindow.size;
      best = places[first]?.at ?? 0;
      end = place.at;
    }
  }
  // A stretch near the beginning is shown from the start, where a text is best understood.
  return cutOut(body, end <= snippetUnits - 40 ? 0 : Math.max(0, best - 20), best);
};

export const snippetAt = (body: string, at: number): string => {
  const whole = wholeOf(body);
  if (whole !== undefined) return whole;
  return cutOut(body, at <= snippetUnits - 40 ? 0 : at - 60, at);
};

/** Undefined if it is too long, without reading all of it; one that only white space makes too long is one line. */
const wholeOf = (body: string): string | undefined => {
  if (body.length > 100 * wholeUnits) return undefined;
  const asItIs = body.trimEnd().replace(/^(?:[^\S\n]*\n)+/, '');
  if (asItIs.length <= wholeUnits) return asItIs;
  // The beginning of most bodies shows that they are too long.
  if (onOneLine(body.slice(0, 4 * wholeUnits)).length > wholeUnits) return undefined;
  const inOneLine = onOneLine(body);
  return inOneLine.length <= wholeUnits ? inOneLine : undefined;
};

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

type Place = { readonly at: number; readonly word: number };

/** Finds words by the beginnings of their stems, in the order of the text. */
const findWords = (text: string, words: readonly string[]): readonly Place[] => {
  const beginnings = words.map(beginning);
  const lower = lowerCase(text);
  // If lower-casing, or composing a letter with its mark, changes the length, positions would no longer match the text.
  const places =
    lower.length === text.length && (onlyAscii.test(lower) || normalForm(lower) === lower)
      ? findBeginnings(lower, beginnings)
      : compareWords(text, beginnings);
  if (onlyAscii.test(text)) return places;
  // In a script without spaces, a word may begin anywhere.
  words.forEach((sought, word) => {
    if (!isSpaceless(sought)) return;
    let at = text.indexOf(sought);
    for (let found = 0; at !== -1 && found < maxFound; found += 1) {
      places.push({ at, word });
      at = text.indexOf(sought, at + sought.length);
    }
  });
  return places.sort((a, b) => a.at - b.at);
};

/** Searching for each is ten times as fast as reading every word of the text. */
const findBeginnings = (lower: string, beginnings: readonly string[]): Place[] => {
  const places: Place[] = [];
  beginnings.forEach((start, word) => {
    if (start === '') return;
    for (let at = lower.indexOf(start); at !== -1; at = lower.indexOf(start, at + start.length))
      if (!goesOnBefore(lower, at)) places.push({ at, word });
  });
  return places.sort((a, b) => a.at - b.at);
};

/** Whether the position is inside a word. */
const goesOnBefore = (text: string, at: number): boolean => {
  if (at === 0) return false;
  const before = text.slice(Math.max(0, at - 2), at);
  return onlyAscii.test(before) ? /[a-z0-9]$/.test(before) : /[\p{L}\p{N}\p{M}\p{Co}]$/u.test(before);
};

/** Reads the text itself, not a lower-case copy, which may be longer: the positions are used to cut the body. */
const compareWords = (text: string, beginnings: readonly string[]): Place[] => {
  const places: Place[] = [];
  for (const found of text.matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)) {
    const lower = normalForm(lowerCase(found[0]));
    beginnings.forEach((start, word) => {
      if (lower.startsWith(start)) places.push({ at: found.index, word });
    });
  }
  return places;
};

const maxFound = 64;
const onlyAscii = /^[\x00-\x7f]*$/;

/** Word endings differ (query, queries); what is left after cutting them usually identifies the word. */
const beginning = (word: string): string => {
  const stem = word.replace(/(?:ings?|ies|ied|edly|ed|es|s|ly|y)$/, '');
  return stem.length >= 3 ? stem : word;
};

/** Cuts from the first word that begins between `start` and `word`; the latter is shown in any case. */
const cutOut = (body: string, start: number, word: number): string => {
  const wordStart = start === 0 ? 0 : start + body.slice(start, word).search(/\s/) + 1;
  const end = Math.min(body.length, wordStart + snippetUnits);
  const text = body.slice(wordStart, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${wordStart > 0 ? '…' : ''}${onOneLine(text)}${end < body.length ? '…' : ''}`;
};
