/** Explains what it means to let a model read sessions, in the same words wherever it is said. Pure. */
import type { Config } from './settings.js';

/** Some 5,000 tokens: a judge gets at most 8,000 characters of a session and 8 notes, a summary 12,000 characters. */
const perCall = 'about 5,000 tokens each';

/** Says what a model would add, what it is sent and how many calls a day it may take. */
export const modelOffer = (dailyCalls: number): string =>
  'a model would word session notes and propose lessons that the rules miss; it is sent excerpts of your sessions and ' +
  `related notes, with secrets masked, at most ${dailyCalls} times a day, ${perCall}`;

/** Which models read sessions on this machine. */
export const describeModels = ({ learn, learnJudges, learnDailyCalls }: Config): string =>
  !learn || learnJudges.length === 0
    ? 'no model is asked: session notes and lessons are made by rules'
    : `${learnJudges.join(', then ')}: sent excerpts of sessions and related notes, with secrets masked, ` +
      `at most ${learnDailyCalls} times a day, ${perCall}`;

/** Told once where an earlier version asked `claude` without being told to. */
export const modelsByChoice =
  'no model is asked any more unless you name one: session notes and lessons are made by rules; ' +
  'to have claude word them again: anamnesis config set learn_judges claude';
