/** Parses a judge's answer into lessons. Pure; drops what it can't use and never throws. */

import { contentWordsOf } from '../../events/note/likeness.js';
import { redact } from '../../events/note/redact.js';
import { splitSentences } from '../../events/sentences.js';
import { fieldOf } from '../../http/json-field.js';
import { clip, oneLine } from '../transcript/clip.js';
import { findJson } from './json-answer.js';
import {
  type LearnedKind,
  type Lesson,
  learnedKinds,
  maxLessonChars,
  maxLessons,
  maxLessonTitleChars,
  maxModelConfidence,
  shallowKinds,
} from './learned.js';

export type AnswerContext = {
  readonly deep: boolean;
  readonly noteByLabel: ReadonlyMap<string, string>;
  readonly turnByNumber: ReadonlyMap<number, string>;
  /** The conversation as the judge was shown it: a lesson that shares nothing with it is made up. */
  readonly said: string;
};

/** A model's word for it: what it read may have told it what to say. */
export type JudgedLesson = Omit<Lesson, 'judge' | 'isPlain'>;

/** Undefined for a text that doesn't answer what was asked; an empty list is an answer. */
export const parseLessons = (text: string, context: AnswerContext): readonly JudgedLesson[] | undefined => {
  const list = listIn(findJson(text));
  if (list === undefined || (list.length > 0 && !list.some(isEntry))) return undefined;
  const saidWords = contentWordsOf(context.said);
  return list
    .slice(0, maxEntries)
    .flatMap((entry): readonly JudgedLesson[] => parseLesson(entry, context, saidWords))
    .filter((lesson, at, all) => all.findIndex(({ text: other }) => other === lesson.text) === at)
    .slice(0, maxLessons);
};

const maxEntries = 50;
const minLessonChars = 15;
const maxKeywords = 12;
const maxKeywordChars = 60;
/** A lesson that the judge itself doubts is not worth a note. */
const leastConfidence = 0.3;
const usualConfidence = 0.7;

/** Returns the list of lessons that a JSON value means: small models leave out the frame. */
const listIn = (value: unknown): readonly unknown[] | undefined => {
  const list = isEntry(value) ? [value] : Array.isArray(value) ? value : fieldOf(value, 'lessons');
  return Array.isArray(list) ? list : undefined;
};

const isEntry = (value: unknown): boolean =>
  typeof fieldOf(value, 'kind') === 'string' && typeof fieldOf(value, 'text') === 'string';

const parseLesson = (
  entry: unknown,
  context: AnswerContext,
  saidWords: ReadonlySet<string>,
): readonly JudgedLesson[] => {
  const kind = parseKind(fieldOf(entry, 'kind'), context.deep);
  const confidence = parseConfidence(fieldOf(entry, 'confidence'));
  const text = parseText(fieldOf(entry, 'text'));
  if (kind === undefined || confidence === undefined || text === undefined || !isGrounded(text, saidWords)) return [];
  const title =
    parseLine(fieldOf(entry, 'title'), maxLessonTitleChars) ??
    clip(oneLine(splitSentences(text)[0] ?? text), maxLessonTitleChars);
  return [
    {
      kind,
      title,
      text,
      keywords: parseKeywords(fieldOf(entry, 'keywords')),
      confidence,
      replaces: findReplaced(fieldOf(entry, 'replaces'), context.noteByLabel),
      turn: findTurn(fieldOf(entry, 'exchange'), context.turnByNumber),
    },
  ];
};

const parseKind = (value: unknown, deep: boolean): LearnedKind | undefined => {
  const name = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return (deep ? learnedKinds : shallowKinds).find((kind) => kind === name);
};

/** Returns undefined for a text of the wrong length, and for little more than masks or the prompt's placeholder. */
const parseText = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const text = redact(value.replace(/\r\n?/g, '\n').replace(unprintable, '').trim()).text;
  const chars = [...text.slice(0, 2 * maxLessonChars + 2)].length;
  if (chars < minLessonChars || chars > maxLessonChars) return undefined;
  const bare = text.replace(/\[REDACTED:[a-z-]*\]/g, '');
  const isHollow = bare !== text && contentWordsOf(bare).size < 4;
  return isHollow || /^[<"'[]?(?:string|text|…|\.{3})/i.test(text) ? undefined : text;
};

/** Control characters except tabs and line breaks, and half surrogate pairs. */
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/gu;

/** Judges make things up. A lesson from the conversation shares some of its words, even in another language. */
export const isGrounded = (text: string, saidWords: ReadonlySet<string>): boolean => {
  const words = [...contentWordsOf(text)];
  const known = words.filter((word) => saidWords.has(word)).length;
  return words.length === 0 || known >= Math.min(2, words.length) || known / words.length >= 0.25;
};

const parseLine = (value: unknown, most: number): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const line = clip(oneLine(redact(value.replace(unprintable, '')).text), most);
  return line === '' ? undefined : line;
};

/** Accepts a number or text from 0 to 1, else assumes the usual one. Undefined for a lesson that the judge doubts. */
const parseConfidence = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return usualConfidence;
  if (number < leastConfidence) return undefined;
  return Math.round(Math.min(number, maxModelConfidence) * 100) / 100;
};

const parseKeywords = (value: unknown): readonly string[] => {
  const lines = (Array.isArray(value) ? value : []).map((word: unknown) => parseLine(word, maxKeywordChars));
  const words = lines.filter((word) => word !== undefined);
  const isFirst = (word: string, at: number): boolean =>
    words.findIndex((other) => other.toLowerCase() === word.toLowerCase()) === at;
  return words.filter(isFirst).slice(0, maxKeywords);
};

const findReplaced = (value: unknown, noteByLabel: ReadonlyMap<string, string>): string | undefined => {
  const label: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof label !== 'string') return undefined;
  const name = label.trim().toUpperCase();
  return noteByLabel.get(name) ?? [...noteByLabel.values()].find((id) => id === name);
};

const findTurn = (value: unknown, turnByNumber: ReadonlyMap<number, string>): string | undefined =>
  turnByNumber.get(Number(value)) ?? (turnByNumber.size === 1 ? [...turnByNumber.values()][0] : undefined);
