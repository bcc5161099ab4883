/** Builds the note of a session by rules: the same session gives the same bytes. Pure. */
import type { CaptureSource } from '../../../commands/source-keys.js';
import type { SessionSummary } from '../../learn/summary.js';
import { compactionGist } from '../../transcript/compaction.js';
import { commitsOf, decisionsOf, filesOf, outcomeOf, promptsOf, type Session } from '../session.js';
import { countWords } from '../statements/sentences-of.js';
import { askedLines } from './asked-lines.js';
import { fitSections, type Pass, type Section } from './fit-sections.js';
import { learnedLines } from './learned-lines.js';
import { changedLines, decidedLines, type LineUnits, openLines, referenceLine, statusLines } from './note-sections.js';
import { quoteLine } from './note-text.js';
import { maxTitleUnits, titleOf } from './session-title.js';

export type SessionNote = { readonly title: string; readonly body: string; readonly tags: readonly string[] };

/** True if nothing was written, committed or decided, and only a few words were said. */
export const isTrivial = (session: Session): boolean =>
  filesOf(session).length === 0 &&
  commitsOf(session).length === 0 &&
  decisionsOf(session).length === 0 &&
  !promptsOf(session).some(({ prompt, isSlashCommand }) => !isSlashCommand && countWords(prompt) >= leastPromptWords) &&
  countWords(outcomeOf(session)) < leastOutcomeWords;

/** The body has at most `maxBodyUnits` and no empty sections. */
export const sessionNote = (
  session: Session,
  source: CaptureSource,
  summary?: SessionSummary & { readonly model: string },
): SessionNote => {
  const body = summary === undefined ? byRules(session) : byModel(session, summary);
  return {
    title: quoteLine(summary?.title ?? '', maxTitleUnits) || titleOf(session),
    body,
    tags: ['session', source],
  };
};

/** Returns all that the rules know, for a model to word: the sections of the note with more room. */
export const factsOf = (session: Session): string => {
  const sections = sectionsOf(session, roomy, 1600);
  return fitSections(sections, passesOf(sections, 4), maxFactUnits);
};

const leastPromptWords = 6;
const leastOutcomeWords = 40;
const maxBodyUnits = 2500;
const maxFactUnits = 9000;

const tight: LineUnits = { prompt: 200, decision: 150, lesson: 200, said: 130, subagent: 0 };
const roomy: LineUnits = { prompt: 600, decision: 300, lesson: 400, said: 600, subagent: 300 };

const byRules = (session: Session): string => {
  const sections = sectionsOf(session, tight, 400);
  return fitSections(sections, passesOf(sections, 1), maxBodyUnits);
};

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

/**
 * Open and Decided always get room for their first lines. Long sessions ask and learn much, so Asked and Learned get
 * more room the more they have. The rest goes to Decided, then to Open, then to Learned and Asked.
 */
const passesOf = (sections: readonly Section[], times: number): readonly Pass[] => {
  const count = (heading: string): number => {
    const section = sections.find((one) => one.heading === heading);
    return (section?.lines.filter(({ told }) => told !== true).length ?? 0) + (section?.unmade ?? 0);
  };
  const asked = Math.max(150, Math.min(270, 90 * count('Asked')), Math.min(400, 8 * count('Asked')));
  const learned = Math.min(400, Math.max(200, 16 * count('Learned')));
  const shares: readonly (readonly [heading: string, units: number])[] = [
    ['Transcript', 560],
    ['Status', 400],
    ['Open', 280],
    ['Decided', 400],
    ['Asked', asked],
    ['Changed', 150],
    ['Learned', learned],
    ['Decided', 900],
    [compactionHeading, 400],
  ];
  return [
    ...shares.map(([heading, units]) => ({ heading, units: units * times })),
    { heading: 'Decided', part: 1 },
    { heading: 'Open', part: 1 },
    { heading: 'Learned', part: 0.5 },
    ...['Asked', 'Learned', 'Changed', compactionHeading].map((heading) => ({ heading, part: 1 })),
  ];
};

/** Combines the sections that a model worded with those that are facts. */
const byModel = (session: Session, summary: SessionSummary & { readonly model: string }): string => {
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
    transcriptSection(session, `worded by ${quoteLine(summary.model, 80)}`),
  ];
  return fitSections(sections, passesOfModel, maxBodyUnits);
};

const passesOfModel: readonly Pass[] = [
  { heading: 'Transcript', units: 560 },
  { heading: 'Status', units: 620 },
  { heading: 'Open', units: 320 },
  { heading: 'Decided', units: 400 },
  { heading: 'Asked', units: 400 },
  { heading: 'Changed', units: 300 },
  { heading: 'Learned', units: 400 },
  ...['Decided', 'Learned', 'Open', 'Asked', 'Changed'].map((heading) => ({ heading, part: 1 })),
];

/** Empty if the agent went on after the compaction: the summary is then out of date. */
const compactionSection = (session: Session, units: number): Section => {
  const summary = session.endsCompacted ? (session.compactions.at(-1) ?? '') : '';
  const text = quoteLine(compactionGist(summary), units - 60);
  return { heading: compactionHeading, lines: text === '' ? [] : [{ text, worth: 1 }] };
};

const compactionHeading = 'Summary at the compaction';

const transcriptSection = (session: Session, mark = ''): Section => {
  const { text, worth } = referenceLine(session);
  return { heading: 'Transcript', lines: [{ text: mark === '' ? text : `${text}; ${mark}`, worth }] };
};
