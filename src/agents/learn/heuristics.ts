/** Finds lessons by phrases alone, when no model can be asked. Pure. English; misses much rather than keep junk. */
import { redact } from '../../events/note/redact.js';
import { clipLine } from './clip.js';
import { type Exchange, type Lesson, maxHeuristicConfidence, maxLessons, maxLessonTitleChars } from './learned.js';
import { findCue } from './phrases.js';
import { isPoisoned } from './poison.js';
import { extractProse } from './prose.js';
import { splitSentences } from './sentences.js';
import { contentWordsOf, normaliseText } from './statement.js';
import { isReported } from './typed-part.js';
import { negations, stopWords } from './words.js';

/** Reads only what the user wrote: an agent that says "always" has decided nothing. Newest exchanges first. */
export const judgeByPhrases = (exchanges: readonly Exchange[]): readonly Lesson[] => {
  const found = exchanges.toReversed().flatMap(learnFromPrompt);
  const isFirst = ({ text }: Lesson, at: number): boolean =>
    found.findIndex((other) => normaliseText(other.text) === normaliseText(text)) === at;
  return found.filter(isFirst).slice(0, maxLessons);
};

const minChars = 15;
const maxChars = 300;
const maxWords = 50;
const maxPerPrompt = 3;
const maxKeywords = 8;

const learnFromPrompt = ({ prompt, uuid }: Exchange): readonly Lesson[] =>
  splitSentences(extractProse(prompt))
    .flatMap((sentence): readonly Lesson[] => {
      const lesson = learnFromSentence(sentence);
      return lesson === undefined ? [] : [{ ...lesson, turn: uuid }];
    })
    .slice(0, maxPerPrompt);

const learnFromSentence = (sentence: string): Lesson | undefined => {
  if (sentence.length > maxChars || sentence.split(/\s+/).length > maxWords) return undefined;
  if (isReported(sentence)) return undefined;
  const cue = findCue(sentence);
  if (cue === undefined || cue.text.length < minChars || isPoisoned(cue.text)) return undefined;
  // Phrases can't tell whether the rest of a sentence with a secret in it is worth keeping.
  if (redact(cue.text).text !== cue.text) return undefined;
  const words = contentWordsOf(cue.text);
  if (words.length < cue.leastWords) return undefined;
  const text = formatSentence(cue.text);
  return {
    kind: cue.kind,
    title: clipLine(text.replace(/\.$/, ''), maxLessonTitleChars),
    text,
    keywords: words.slice(0, maxKeywords),
    confidence: Math.min(cue.confidence, maxHeuristicConfidence),
    replaces: undefined,
  };
};

/** Capitalises only a function word: `pnpm` and `iOS` keep their form. */
const formatSentence = (text: string): string => {
  const first = /^[a-z']+/.exec(text)?.[0] ?? '';
  const isPlain = stopWords.has(first) || negations.has(first) || first.includes("'");
  const begun = isPlain ? first.slice(0, 1).toUpperCase() + text.slice(1) : text;
  return /[.!…]$/.test(begun) ? begun : `${begun}.`;
};
