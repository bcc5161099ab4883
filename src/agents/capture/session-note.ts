/** The note of a session, made by rules: the same session gives the same bytes. Pure. */
import type { CaptureSource } from '../../commands/source-keys.js';
import { compactionGist } from '../transcript/compaction.js';
import {
  formatAnchors,
  formatEarlier,
  formatFailures,
  formatFiles,
  formatSubagents,
  formatWhere,
} from './note-sections.js';
import { quoteBothEnds, quoteLine, quoteText } from './note-text.js';
import { filesOf, outcomeOf, promptsOf, type Session, type Turn } from './session.js';
import { withoutOrders } from './without-orders.js';

/** A model's summary of a session: it replaces the words of the first prompt and of the last answer. */
export type SessionSummary = { readonly title: string; readonly ask: string; readonly outcome: string };

export type SessionNote = { readonly title: string; readonly body: string; readonly tags: readonly string[] };

/** Nothing was written, and what was said is no more than a greeting or a command of the program itself. */
export const isTrivial = (session: Session): boolean => {
  if (filesOf(session).length > 0) return false;
  const prompts = promptsOf(session);
  const says = [...outcomeOf(session)].length;
  if (prompts.length === 0) return says < leastOutcome;
  return prompts.length === 1 && prompts[0]?.isSlashCommand === true && says < leastOutcome;
};

/** Body under `maxBodyUnits`, sections that would be empty left out. */
export const sessionNote = (session: Session, source: CaptureSource, summary?: SessionSummary): SessionNote => {
  const ask = askOf(session);
  const texts = summary ?? { ask: ask?.prompt ?? '', outcome: outcomeOf(session) };
  const bodies = roomiestFirst.map((room) => formatBody(session, texts, room));
  const body = bodies.find((text) => text.length <= maxBodyUnits) ?? bodies.at(-1) ?? '';
  return {
    title: withoutOrders(quoteLine(summary?.title ?? '', maxTitleUnits) || titleOf(session, ask)),
    body,
    tags: ['session', source],
  };
};

const leastOutcome = 40;
const maxTitleUnits = 80;
const maxTextUnits = 600;
const maxBodyUnits = 8000;

/** How many of each, or how many units; what is least missed shrinks first. */
export type Room = {
  readonly turns: number;
  readonly earlier: number;
  readonly files: number;
  readonly failures: number;
  readonly subagents: number;
  readonly summaryUnits: number;
};

const roomiestFirst: readonly Room[] = [
  { turns: 40, earlier: 8, files: 25, failures: 8, subagents: 8, summaryUnits: 1800 },
  { turns: 24, earlier: 6, files: 20, failures: 6, subagents: 6, summaryUnits: 1500 },
  { turns: 16, earlier: 5, files: 15, failures: 5, subagents: 5, summaryUnits: 1200 },
  { turns: 10, earlier: 4, files: 10, failures: 4, subagents: 4, summaryUnits: 900 },
  { turns: 6, earlier: 2, files: 6, failures: 2, subagents: 2, summaryUnits: 600 },
];

const formatBody = (session: Session, texts: Pick<SessionSummary, 'ask' | 'outcome'>, room: Room): string => {
  const summary = session.compactions.at(-1);
  const sections: readonly (readonly [heading: string, text: string])[] = [
    ['Ask', quoteText(texts.ask, maxTextUnits)],
    ['Outcome', formatOutcome(session, quoteText(texts.outcome, maxTextUnits))],
    ['Earlier in the session', formatEarlier(session.turns, room.earlier)],
    ['Where', formatWhere(session)],
    ['Files touched', formatFiles(filesOf(session), room.files)],
    ['Commands that failed', formatFailures(session.turns, room.failures)],
    ['Subagents', formatSubagents(session.subagents, room.subagents)],
    [
      'Summary at the last compaction',
      summary === undefined ? '' : quoteBothEnds(compactionGist(summary), room.summaryUnits),
    ],
    ['Turns', formatAnchors(session, room.turns)],
  ];
  const said = sections.filter(([, text]) => text !== '').map(([heading, text]) => `### ${heading}\n\n${text}\n`);
  return withoutOrders(said.join('\n'));
};

/** The outcome, and what was left open: a reader must not take an answer to something else for the last word. */
const formatOutcome = (session: Session, outcome: string): string => {
  const last = session.turns.findLast((turn) => turn.prompt !== '' && !isBareCommand(turn));
  if (last === undefined || last.outcome !== '') return outcome;
  const how = last.isInterrupted ? 'was interrupted' : 'has no answer in the transcript';
  const open = `The last prompt ${how}: “${quoteLine(last.prompt, 200)}”`;
  return outcome === '' ? open : `${outcome}\n\n${open}`;
};

/** The first thing that was asked; commands of the program itself, such as `/clear`, only when nothing else was. */
const askOf = (session: Session): Turn | undefined => {
  const prompts = promptsOf(session);
  return prompts.find((turn) => !isBareCommand(turn)) ?? prompts[0];
};

const isBareCommand = (turn: Turn): boolean =>
  turn.isSlashCommand && turn.outcome === '' && turn.files.length === 0 && turn.failures.length === 0;

const titleOf = (session: Session, ask: Turn | undefined): string => {
  const said = [session.title, firstLine(ask?.prompt ?? ''), outcomeOf(session), session.subagents[0]?.task];
  const gist = said.map((text) => quoteLine(text ?? '', maxTitleUnits)).find((text) => text !== '');
  return gist ?? quoteLine(`Session ${session.id}`, maxTitleUnits);
};

/** Of a prompt that explains itself in its first line, what was pasted below it is no part of the gist. */
const firstLine = (prompt: string): string => {
  const [first = ''] = prompt.split('\n');
  return first.length >= 20 ? first : prompt;
};
