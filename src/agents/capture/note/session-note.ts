/** Builds the note of a session by rules: the same session gives the same bytes. Pure. */
import type { CaptureSource } from '../../../commands/source-keys.js';
import { countWords } from '../../../events/sentences.js';
import type { SessionSummary } from '../../learn/summary.js';
import type { ModelAnswer } from '../../models.js';
import { compactionGist } from '../../transcript/compaction.js';
import { commitsOf, filesOf, outcomeOf, promptsOf, type Session } from '../session.js';
import { askedLines } from './asked-lines.js';
import { fitSections, type Pass, type Section } from './fit-sections.js';
import { learnedLines } from './learned-lines.js';
import {
  changedLines,
  decidedLines,
  type LineUnits,
  openLines,
  referenceLine,
  statementsOf,
  statusLines,
} from './note-sections.js';
import { quoteLine } from './note-text.js';
import { maxTitleUnits, titleOf } from './session-title.js';

export type SessionNote = { readonly title: string; readonly body: string; readonly tags: readonly string[] };

/** True if nothing was written, committed or decided, and only a few words were said. */
export const isTrivial = (session: Session): boolean =>
  filesOf(session).length === 0 &&
  commitsOf(session).length === 0 &&
  session.choices.length === 0 &&
  statementsOf(session).length === 0 &&
  !promptsOf(session).some(({ prompt, isSlashCommand }) => !isSlashCommand && countWords(prompt) >= leastPromptWords) &&
  countWords(outcomeOf(session)) < leastOutcomeWords;

/** The body has at most `maxBodyUnits` and no empty sections. */
export const sessionNote = (
  session: Session,
  source: CaptureSource,
  worded?: ModelAnswer<SessionSummary>,
): SessionNote => {
  const body = worded === undefined ? byRules(session) : byModel(session, worded);
  return {
    title: quoteLine(worded?.value.title ?? '', maxTitleUnits) || titleOf(session),
    body,
    tags: ['session', source],
  };
};

/** Returns all that the rules know, for a model to word: the sections of the note with more room. */
export const factsOf = (session: Session): string => {
  const passes = rulePasses.map((pass) => ('units' in pass ? { ...pass, units: 4 * pass.units } : pass));
  return fitSections(sectionsOf(session, roomy, 1600), passes, maxFactUnits);
};

const leastPromptWords = 6;
const leastOutcomeWords = 40;
const maxBodyUnits = 2500;
const maxFactUnits = 9000;

const tight: LineUnits = { prompt: 200, decision: 150, lesson: 200, said: 300, subagent: 0 };
const roomy: LineUnits = { prompt: 600, decision: 300, lesson: 400, said: 600, subagent: 300 };

const byRules = (session: Session): string => fitSections(sectionsOf(session, tight, 400), rulePasses, maxBodyUnits);

const sectionsOf = (session: Session, units: LineUnits, compactionUnits: number): readonly Section[] => [
  { heading: 'Status', lines: statusLines(session, units) },
  { heading: 'Asked', ...askedLines(session, units.prompt) },
  { heading: 'Decided', lines: decidedLines(session, units) },
  { heading: 'Learned', ...learnedLines(session, units.lesson) },
  { heading: 'Changed', lines: changedLines(session, units) },
  { heading: 'Open', lines: openLines(session, units) },
  compactionSection(session, compactionUnits),
  transcriptSection(session),
];

const compactionHeading = 'Summary at the compaction';

/** Every section gets room for its best lines; the rest goes to Decided and Open first. */
const rulePasses: readonly Pass[] = [
  { heading: 'Transcript', units: 560 },
  { heading: 'Status', units: 620 },
  { heading: 'Open', units: 320 },
  { heading: 'Decided', units: 400 },
  { heading: 'Asked', units: 400 },
  { heading: 'Changed', units: 150 },
  { heading: 'Learned', units: 400 },
  { heading: 'Decided', units: 500 },
  { heading: compactionHeading, units: 400 },
  { heading: 'Learned', part: 0.4 },
  ...['Open', 'Asked', 'Learned', 'Decided', 'Changed', compactionHeading].map((heading) => ({ heading, part: 1 })),
];

/** Combines the sections that a model worded with those that are facts. */
const byModel = (session: Session, { value: summary, model }: ModelAnswer<SessionSummary>): string => {
  const [status, ...words] = statusLines(session, tight);
  const outcome = quoteLine(summary.outcome, 320);
  const said = outcome === '' ? words : [{ text: `- ${outcome}`, worth: 1 }];
  const linesOf = (texts: readonly string[]): Section['lines'] =>
    texts.map((text, at) => ({ text: `- ${quoteLine(text, 260)}`, worth: -at }));
  const sections: readonly Section[] = [
    { heading: 'Status', lines: [...(status === undefined ? [] : [status]), ...said] },
    { heading: 'Asked', lines: linesOf(summary.asked) },
    { heading: 'Decided', lines: linesOf(summary.decided) },
    { heading: 'Learned', lines: linesOf(summary.learned) },
    { heading: 'Changed', lines: changedLines(session, tight) },
    { heading: 'Open', lines: linesOf(summary.open) },
    transcriptSection(session, `worded by ${quoteLine(model, 80)}`),
  ];
  return fitSections(sections, rulePasses, maxBodyUnits);
};

/** Empty if the agent went on after the compaction: the summary is then out of date. */
const compactionSection = (session: Session, units: number): Section => {
  const summary = session.endsCompacted ? (session.compactions.at(-1) ?? '') : '';
  const text = quoteLine(compactionGist(summary), units - 60);
  return { heading: compactionHeading, lines: text === '' ? [] : [{ text, worth: 1 }] };
};

const transcriptSection = (session: Session, mark = ''): Section => {
  const { text, worth } = referenceLine(session);
  return { heading: 'Transcript', lines: [{ text: mark === '' ? text : `${text}; ${mark}`, worth }] };
};
