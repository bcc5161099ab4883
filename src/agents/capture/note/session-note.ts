/** The note of a session, made by rules: the same session gives the same bytes. Pure. */
import type { CaptureSource } from '../../../commands/source-keys.js';
import type { SessionSummary } from '../../learn/summary.js';
import { compactionGist } from '../../transcript/compaction.js';
import { countWords } from '../said/sentences-of.js';
import { commitsOf, decisionsOf, filesOf, outcomeOf, promptsOf, type Session } from '../session.js';
import { fitSections, type Section } from './fit-sections.js';
import {
  askedLines,
  changedLines,
  decidedLines,
  type LineUnits,
  learnedLines,
  openLines,
  referenceLine,
  statusLines,
} from './note-sections.js';
import { quoteLine } from './note-text.js';
import { maxTitleUnits, titleOf } from './session-title.js';
import { withoutOrders } from './without-orders.js';

export type SessionNote = { readonly title: string; readonly body: string; readonly tags: readonly string[] };

/** Nothing was written, nothing decided, and no more than a few words were said. */
export const isTrivial = (session: Session): boolean =>
  filesOf(session).length === 0 &&
  commitsOf(session).length === 0 &&
  decisionsOf(session).length === 0 &&
  !promptsOf(session).some(({ prompt, isSlashCommand }) => !isSlashCommand && countWords(prompt) >= leastPromptWords) &&
  countWords(outcomeOf(session)) < leastOutcomeWords;

/** Body of at most `maxBodyUnits`, sections that would be empty left out. */
export const sessionNote = (
  session: Session,
  source: CaptureSource,
  summary?: SessionSummary & { readonly model: string },
): SessionNote => {
  const body = summary === undefined ? byRules(session) : byModel(session, summary);
  return {
    title: withoutOrders(quoteLine(summary?.title ?? '', maxTitleUnits) || titleOf(session)),
    body: withoutOrders(body),
    tags: ['session', source],
  };
};

/** All that the rules know, for a model that words it: the sections of the note with more room. */
export const factsOf = (session: Session): string =>
  withoutOrders(fitSections(sectionsOf(session, roomy, 4), order, maxFactUnits));

const leastPromptWords = 6;
const leastOutcomeWords = 40;
const maxBodyUnits = 2500;
const maxFactUnits = 9000;

const tight: LineUnits = { prompt: 200, decision: 150, lesson: 200, said: 130, subagent: 0 };
const roomy: LineUnits = { prompt: 600, decision: 300, lesson: 400, said: 600, subagent: 300 };

const order = {
  first: ['Transcript', 'Status', 'Open', 'Asked', 'Changed', 'Learned', 'Decided'],
  spare: ['Decided', 'Learned', 'Open', 'Asked', 'Changed', 'Summary at the compaction'],
} as const;

const byRules = (session: Session): string => fitSections(sectionsOf(session, tight, 1), order, maxBodyUnits);

/** `times` the room of a note. */
const sectionsOf = (session: Session, units: LineUnits, times: number): readonly Section[] => [
  { heading: 'Status', lines: statusLines(session, units), share: 400 * times },
  { heading: 'Asked', ...askedLines(session, units), share: 150 * times },
  { heading: 'Decided', lines: decidedLines(session, units), share: 1300 * times },
  { heading: 'Learned', lines: learnedLines(session, units), share: 200 * times },
  { heading: 'Changed', lines: changedLines(session, units), share: 150 * times },
  { heading: 'Open', lines: openLines(session, units), share: 280 * times },
  compactionSection(session, 400 * times),
  transcriptSection(session),
];

/** The sections that a model may word, and those that are facts. */
const byModel = (session: Session, summary: SessionSummary & { readonly model: string }): string => {
  const [status, ...words] = statusLines(session, tight);
  const outcome = quoteLine(summary.outcome, 320);
  const said = outcome === '' ? words : [{ text: `- ${outcome}`, worth: 1 }];
  const linesOf = (texts: readonly string[]): Section['lines'] =>
    texts.map((text, at) => ({ text: `- ${quoteLine(text, 260)}`, worth: -at }));
  const sections: readonly Section[] = [
    { heading: 'Status', lines: [...(status === undefined ? [] : [status]), ...said], share: 620 },
    { heading: 'Asked', lines: linesOf(summary.asked), share: 400 },
    { heading: 'Decided', lines: linesOf(summary.decided), share: 700 },
    { heading: 'Learned', lines: linesOf(summary.learned), share: 400 },
    { heading: 'Changed', lines: changedLines(session, tight), share: 300 },
    { heading: 'Open', lines: linesOf(summary.open), share: 320 },
    transcriptSection(session, `worded by ${quoteLine(summary.model, 80)}`),
  ];
  return fitSections(sections, order, maxBodyUnits);
};

/** Once the agent goes on, the summary tells of a session that is no more. */
const compactionSection = (session: Session, share: number): Section => {
  const summary = session.endsCompacted ? (session.compactions.at(-1) ?? '') : '';
  const text = quoteLine(compactionGist(summary), share - 60);
  return { heading: 'Summary at the compaction', lines: text === '' ? [] : [{ text, worth: 1 }], share };
};

const transcriptSection = (session: Session, mark = ''): Section => {
  const { text, worth } = referenceLine(session);
  return { heading: 'Transcript', lines: [{ text: mark === '' ? text : `${text}; ${mark}`, worth }], share: 560 };
};
