/** Finds what a person states explicitly: rules, choices, corrections, in the forms of `forms.ts`. Pure. */

import { contentWordsOf, normaliseText } from '../../events/note/likeness.js';
import { redact } from '../../events/note/redact.js';
import { splitSentences } from '../../events/sentences.js';
import { clip, oneLine } from '../transcript/clip.js';
import { extractProse, withoutMachineText } from '../transcript/prose.js';
import { type LanguageForms, languages } from './forms.js';
import {
  type Exchange,
  type LearnedKind,
  type Lesson,
  maxFormConfidence,
  maxLessons,
  maxLessonTitleChars,
} from './learned.js';

/** Reads only what the person wrote: an agent that says "always" has decided nothing. Newest exchanges first. */
export const lessonsByForms = (exchanges: readonly Exchange[]): readonly Lesson[] => {
  const found = exchanges.toReversed().flatMap(learnFromPrompt);
  const isFirst = ({ text }: Lesson, at: number): boolean =>
    found.findIndex((other) => normaliseText(other.text) === normaliseText(text)) === at;
  return found.filter(isFirst).slice(0, maxLessons);
};

/**
 * Returns the sentences of a prompt that state something lasting, as a session's note quotes them: as decided only if
 * a person plainly typed them, like a lesson that needs no acceptance.
 */
export const statementsIn = (prompt: string): readonly string[] =>
  isPlainlyTyped(prompt)
    ? splitSentences(extractProse(prompt))
        .flatMap((sentence) => findForm(sentence)?.text ?? [])
        .filter((text) => !holdsCommand(text))
        .slice(0, maxPerPrompt)
    : [];

/** True for a prompt that a person typed as it stands. All else is proposed: a pasted page must not speak for them. */
export const isPlainlyTyped = (prompt: string): boolean => {
  const typed = withoutMachineText(prompt).trim();
  return typed.length <= maxPlainUnits && typed.split(/\r\n?|\n/).length <= maxPlainLines && !quoted.test(typed);
};

/** True for a text that could be carried out, fetched or opened: a command, an address, a path outside the project. */
export const holdsCommand = (text: string): boolean =>
  commandForms.some((form) => form.test(text)) ||
  [...text.matchAll(/`([^`]*)`/g)].some(([, code = '']) => /\S\s+\S/.test(code));

const maxPlainUnits = 300;
const maxPlainLines = 2;
/** Fences, quotes, and what a client puts in the place of a paste. */
const quoted = /```|~~~|["“”„«»「」『』]|^\s{0,3}>|\[Pasted /m;

const commandForms: readonly RegExp[] = [
  /[|<>\\]|&&|\$[({\w]|(?:^|\s)[$%#] |\s--?[a-z]/i,
  /\b[a-z][a-z+.-]{1,20}:\/\/|\bwww\.|[\w-]@[\w-]{1,63}\.\w|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[a-z0-9-]{1,63}\.[a-z]{2,12}\/\w|\b[a-z0-9-]{1,63}\.[a-z0-9-]{1,63}\.[a-z]{2,12}\b/i,
  /(?:^|[\s"'`(=:,、，])(?:~|\/(?=\w)|\.\.\/|[A-Z]:[\\/])/,
];

const maxPerPrompt = 3;
const maxSentenceUnits = 300;
const maxKeywords = 8;
const leastWords = 2;

const learnFromPrompt = ({ prompt, uuid }: Exchange): readonly Lesson[] => {
  const isPlain = isPlainlyTyped(prompt);
  return splitSentences(extractProse(prompt))
    .flatMap((sentence): readonly Lesson[] => {
      const lesson = learnFromSentence(sentence);
      return lesson === undefined
        ? []
        : [{ ...lesson, turn: uuid, isPlain: isPlain && !holdsCommand(lesson.text), judge: 'heuristic' }];
    })
    .slice(0, maxPerPrompt);
};

const learnFromSentence = (sentence: string): Omit<Lesson, 'turn' | 'isPlain' | 'judge'> | undefined => {
  const found = findForm(sentence);
  // Forms can't tell whether the rest of a sentence with a secret in it is worth keeping.
  if (found === undefined || redact(found.text).text !== found.text) return undefined;
  const words = [...contentWordsOf(found.text)];
  if (words.length < leastWords) return undefined;
  return {
    kind: found.kind,
    title: clip(oneLine(found.text.replace(/[.。!！]$/, '')), maxLessonTitleChars),
    text: /[.!。！…]$/.test(found.text) ? found.text : `${found.text}.`,
    keywords: words.slice(0, maxKeywords),
    confidence: maxFormConfidence,
    replaces: undefined,
  };
};

/** Questions, and sentences that introduce what comes after them. */
const open = /[?？]|[:：,，、]$|\.\.\.$|…$/;

const findForm = (sentence: string): { readonly kind: LearnedKind; readonly text: string } | undefined => {
  if (sentence.length > maxSentenceUnits) return undefined;
  const said = sentence.replace(/[’‘]/g, "'").replace(/\s+/g, ' ').trim();
  if (open.test(said)) return undefined;
  for (const { lead, denial, correction, forms, once } of compiled) {
    const text = said.slice(lead.exec(said)?.[0].length ?? 0);
    const denied = denial.exec(text)?.[0].length ?? 0;
    const stated = text.slice(denied);
    for (const { kind, form } of denied > 0 ? [correction, ...forms] : forms) {
      const found = form.exec(stated);
      if (found === null) continue;
      if (once.test(stated)) break;
      return { kind, text: stated.slice(found.groups?.['drop']?.length ?? 0) };
    }
  }
  return undefined;
};

const compile = ({ lead, rule, keep, choice, reason, denial, correction, once }: LanguageForms) => {
  const form = (kind: LearnedKind, source: string) => ({ kind, form: new RegExp(`^(?:${source})`, 'iu') });
  return {
    lead: new RegExp(`^(?:${lead})+`, 'iu'),
    denial: new RegExp(`^${denial}`, 'iu'),
    correction: form('correction', correction),
    forms: [form('fact', keep), form('decision', choice), form('decision', reason), form('preference', rule)],
    once: new RegExp(`(?<!\\p{Script=Latin})(?:${once})(?!\\p{Script=Latin})`, 'iu'),
  };
};

const compiled = languages.map(compile);
