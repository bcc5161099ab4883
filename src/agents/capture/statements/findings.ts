/** Causes that the agent found along the way, and its reaction to each. Pure; expects masked texts. */
import { clip, oneLine } from '../../transcript/clip.js';
import { countWords, sentencesOf } from './sentences-of.js';

/** A cause that the agent named along the way. */
export type Finding = { readonly text: string; readonly weight: number };

/** Tells, before masking, whether a text may name a cause: few do. */
export const mayTellCause =
  /\b(?:because|root cause|turns out|due to|requires?|deprecated|incompatible|unsupported|instead of|rather than|will fail|so that|so it|since|(?:issue|problem|cause|reason|bug) (?:is|was)|(?:does|do|is|are|was|ca|wo)n['’]t|cannot|does not|is not|missing)\b/i;

/** Returns the sentence that names a cause, and the next one if that says what is done; undefined for mere progress. */
export const findingIn = (text: string): Finding | undefined => {
  const sentences = sentencesOf(proseOf(text)).slice(0, maxSentences);
  let best: Finding | undefined;
  for (const [at, sentence] of sentences.entries()) {
    const next = sentences[at + 1] ?? '';
    const isDecided = /^(?:so,? )?(?:i(?:'ll| will| need to| have to| must)|we (?:need|have) to)\b/i.test(next);
    const weight = weigh(sentence, isDecided);
    if (weight === 0 || weight <= (best?.weight ?? 0)) continue;
    const before = /^i(?:'ll| will| need to)\b/i.test(sentence) ? (sentences[at - 1] ?? '') : '';
    const isChange = isDecided || /^(?:let me|i(?:'m| am) going to) (?!check|see|look|read|run|try)/i.test(next);
    best = { text: clip(`${before} ${isChange ? `${sentence} ${next}` : sentence}`.trim(), maxFindingUnits), weight };
  }
  return best;
};

/** True if the reply repeats the finding, as its reason for a proposal. */
export const isNamedIn = ({ text }: Finding, reply: string): boolean =>
  oneLine(reply.replaceAll('**', '')).includes(oneLine(text).slice(0, comparedUnits));

const comparedUnits = 60;

/**
 * Returns the agent's first sentences after a failed command that name a cause, or share a word with the command or its
 * error; others may be about something else. Undefined if there are none: then the error tells more.
 */
export const diagnosisIn = (text: string, failed: Failed): string | undefined => {
  const known = contentWords(`${failed.command} ${failed.error}`);
  const telling = sentencesOf(proseOf(text))
    .slice(0, maxSentences)
    .filter(
      (sentence) =>
        countWords(sentence) >= 4 &&
        !goesOn.test(sentence) &&
        (why.test(sentence) || [...contentWords(sentence)].some((word) => known.has(word))),
    );
  const [first, second = ''] = telling;
  if (first === undefined) return undefined;
  return clip(names.test(first) || !names.test(second) ? first : `${first} ${second}`, maxDiagnosisUnits);
};

type Failed = { readonly command: string; readonly error: string };

/** Returns the words of three letters or more, without their endings: `roles` and `role` are one. */
const contentWords = (text: string): ReadonlySet<string> =>
  new Set(
    (text.match(/[\p{L}\p{N}]{3,60}/gu) ?? [])
      .map((word) => word.toLowerCase())
      .filter((word) => !common.has(word))
      .map((word) => (word.length > 3 ? word.replace(/(?:ing|ed|s)$/, '').replace(/e$/, '') : word)),
  );

/** Words that occur in every failure or every sentence. */
const common: ReadonlySet<string> = new Set(
  'exit code error errors the and for with this that these those from into not but are was were has have had does did its can will would you your all any new now one two too out off run ran use used get got set let see more than then there here what when which who how why before after when also just only been done file files'.split(
    ' ',
  ),
);

const maxSentences = 6;
const maxFindingUnits = 260;
const maxDiagnosisUnits = 160;

const weigh = (sentence: string, isDecided: boolean): number => {
  if (
    countWords(sentence) < 5 ||
    /[?:]$/.test(sentence) ||
    /^(?:let me|now|first|next)\b|\bif\b.{0,100}\b(?:would|we'd|might|could)\b/i.test(sentence) ||
    proposal.test(sentence)
  )
    return 0;
  const isCause = cause.test(sentence);
  const isLack = lack.test(sentence);
  return (isCause ? 2 : 0) + ((isCause || isLack) && isDecided ? 2 : 0) + (isCause && names.test(sentence) ? 1 : 0);
};

/** Says what might be done, without anyone's agreement. */
const proposal =
  /\b(?:i(?:['’]d| would) (?:suggest|recommend|propose|go|use|drop|move|replace|switch|add|remove|delete|prefer|rather)|i (?:suggest|recommend|propose)|my (?:recommendation|suggestion|proposal)|shall i|should i|want me to)\b/i;
const cause =
  /\b(?:because|root cause|turns out|due to|requires?|deprecated|incompatible|unsupported|instead of|rather than|will fail|so that|so it(?:'s|\b)|(?:issue|problem|cause|reason|bug) (?:is|was)|(?:does|do)(?:n['’]t| not) (?:support|allow|work|handle)|can(?:not|['’]t|not be) )|^since\b/i;
const lack = /\b(?:(?:does|do|is|are|was)(?:n['’]t| not)|missing|lacks?|no longer)\b/i;
const why =
  /\b(?:because|since|due to|turns out|causes?d?|problem|issue|reason|mistake|bug|typo|missing|wrong(?:ly)?|broken|invalid|outdated|stale|unknown|unsupported|incompatible|deprecated|conflicts?|mismatch(?:es)?|needs?|needed|requires?d?|lacks?|expects?|fails?|failed|failing|breaks?|refuses?|rejects?|complains?|collides?|depends?|cannot|without|before|never|twice|empty|no longer|instead of|rather than|must|has to|have to|(?:is|are|was|were|do|does|did|has|have|had|can|could|wo|would|should)(?:n['’]t| not| no))\b/i;
/** Code, a path, a name: something that can be found again. */
const names = /`[^`]{2,200}`|\w[./_]\w|[a-z][A-Z]|[A-Z]{2}/;
const goesOn =
  /^(?:let me|let's|now\b|i'll (?:try|check|look|run|see)|next\b|good\b|great\b|ok\b|okay\b|perfect\b|all (?:green|good)|i see\b[.!]?$|still )/i;

/** Removes code, headings, tables and lists, which report and don't explain. */
const proseOf = (text: string): string => {
  const lines: string[] = [];
  let isCode = false;
  for (const line of text.slice(0, maxTextUnits).split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    else if (!isCode && !/^\s*(?:#{1,6}\s|\||❯|\$ |[-*+•]\s|\d{1,2}[.)]\s)/.test(line))
      lines.push(line.replaceAll('**', ''));
  }
  return lines.join('\n');
};

const maxTextUnits = 6000;
