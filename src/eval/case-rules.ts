/** Questions made from a note by rules. Pure. */
import { randomFrom } from '../projections/eval/compare.js';
import { contentWords, dropStopWords, splitWords } from '../projections/search/words.js';
import { withTypo } from './typos.js';

/** Kinds of question that need nothing but the note. */
export const ruleTypes = ['title', 'body', 'typo'] as const;
export type RuleType = (typeof ruleTypes)[number];

type NoteText = { readonly title: string; readonly body: string };

/** Returns undefined if the note allows no question of this type. The same note and seed give the same question. */
export const askByRule = (type: RuleType, note: NoteText, seed: number): string | undefined => {
  switch (type) {
    case 'title':
      return askTitle(note, seed);
    case 'body':
      return askBody(note);
    case 'typo': {
      const words = askTitle(note, seed);
      const slipped = words === undefined ? undefined : withTypo(words, seed, note.title.length);
      return slipped === words ? undefined : slipped;
    }
  }
};

/** Uses some of the title's words in their order, as a person remembers them. */
const askTitle = ({ title }: NoteText, seed: number): string | undefined => {
  const words = dropStopWords(splitWords(title));
  if (words.length < 3) return undefined;
  const random = randomFrom(seed ^ title.length);
  const left = new Set(words);
  const wanted = Math.min(4, Math.max(2, Math.floor(words.length * 0.7)));
  while (left.size > wanted) left.delete([...left][Math.floor(random() * left.size)] ?? '');
  return [...left].join(' ');
};

/** Uses the words of one sentence that are not in the title; the sentence with the most of them. */
const askBody = ({ title, body }: NoteText): string | undefined => {
  const known = new Set(splitWords(title));
  const [best] = prose(body)
    .split(/(?<=[.!?])\s+|\n+/)
    .slice(0, maxSentences)
    .map((sentence) => contentWords(splitWords(sentence)).filter((word) => !known.has(word)))
    .filter((words) => words.length >= 4)
    .toSorted((a, b) => b.length - a.length);
  return best?.slice(0, 7).join(' ');
};

const maxSentences = 200;

/** Removes code, tables, quotes and addresses. */
const prose = (body: string): string =>
  body
    .split(/^(?:```|~~~).*$/m)
    .filter((_, at) => at % 2 === 0)
    .join('\n')
    .replace(/^[ \t]*[|>].*$/gm, '')
    .replace(/`[^`\n]*`|\bhttps?:\S+/g, ' ');
