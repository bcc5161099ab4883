/** Questions made from a note by rules. Pure. */
import { randomFrom } from '../projections/eval/bootstrap.js';
import { contentWords, dropStopWords, splitWords } from '../projections/search/words.js';
import { withTypo } from './typos.js';

/** Kinds of question that need nothing but the note. */
export const ruleTypes = ['title', 'body', 'identifier', 'error', 'typo'] as const;
export type RuleType = (typeof ruleTypes)[number];

type Asked = { readonly title: string; readonly body: string };

/** Returns undefined if the note allows no question of this type. The same note and seed give the same question. */
export const askByRule = (type: RuleType, note: Asked, seed: number): string | undefined => {
  switch (type) {
    case 'title':
      return askTitle(note, seed);
    case 'body':
      return askBody(note);
    case 'identifier':
      return askIdentifier(note);
    case 'error':
      return askError(note);
    case 'typo': {
      const words = askTitle(note, seed);
      const slipped = words === undefined ? undefined : withTypo(words, seed, note.title.length);
      return slipped === words ? undefined : slipped;
    }
  }
};

/** Uses some of the title's words in their order, as a person remembers them. */
const askTitle = ({ title }: Asked, seed: number): string | undefined => {
  const words = dropStopWords(splitWords(title));
  if (words.length < 3) return undefined;
  const random = randomFrom(seed ^ title.length);
  const left = new Set(words);
  const wanted = Math.min(4, Math.max(2, Math.floor(words.length * 0.7)));
  while (left.size > wanted) left.delete([...left][Math.floor(random() * left.size)] ?? '');
  return [...left].join(' ');
};

/** Uses the words of one sentence that are not in the title; the sentence with the most of them. */
const askBody = ({ title, body }: Asked): string | undefined => {
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

/** A name from code, such as `busy_timeout` or `src/app.ts`: one in backticks, else an unmistakable one. */
const askIdentifier = ({ title, body }: Asked): string | undefined => {
  for (const [, code = ''] of body.matchAll(/`([^`\s]{4,60})`/g)) {
    if (/[a-z][A-Z]|[\w)][_./:-]\w/.test(code) && !title.includes(code)) return code;
  }
  return body
    .split(/[\s"'`()<>[\]{},;=|]+/)
    .filter((token) => token.length >= 4 && token.length <= maxName && !/:\/\/|@/.test(token))
    .flatMap((token) => token.split(':').map((name) => name.replace(/[.!?]$/, '')))
    .find((name) => name.length >= 4 && names.some((form) => form.test(name)) && !title.includes(name));
};

const maxName = 60;

/** `pg_try_lock`, `handleEvent` (not macOS), `HandleOneEvent` (not GitHub), `billing/total.go` (not and/or). */
const names = [
  /^[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+$/,
  /^[a-z][a-z0-9]+[A-Z][a-z]\w*$/,
  /^(?:[A-Z][a-z0-9]+){3,}$/,
  /^[\w.-]+(?:\/[\w-]+)*\/[\w-]+\.[a-z]{1,5}$/,
];

/** A line that reports what went wrong, as it would be pasted. */
const askError = ({ body }: Asked): string | undefined =>
  body
    .split('\n')
    .map((line) => line.replace(/^[\s>*-]+(?:\d+\.\s+)?|[`*]/g, '').trim())
    .find((line) => line.length >= 15 && line.length <= 160 && errorWords.test(line));

const errorWords =
  /\b(?:\w*(?:Error|Exception)\b|error:|failed to|cannot |could not |permission denied|refused|timed out|E[A-Z]{4,})/;
