/** Builds the lines of a session note's sections, none when there is nothing to say. Pure. */
import { formatTime } from '../../../events/time.js';
import { statementsIn } from '../../learn/explicit.js';
import { clipStart } from '../../transcript/clip.js';
import { commitsOf, filesOf, outcomeOf, type Session, type Turn, workIn } from '../session.js';
import type { Line } from './fit-sections.js';
import { quoteCode, quoteLine } from './note-text.js';
import { openPromptsOf, type Status, statusOf } from './session-status.js';

/** Maximum UTF-16 units of each kind of line. */
export type LineUnits = {
  readonly prompt: number;
  readonly decision: number;
  readonly lesson: number;
  readonly said: number;
  /** 0 names the tasks of all subagents in one line. */
  readonly subagent: number;
};

/** The agent's last words get a line of their own: a guess must not read as the outcome. */
export const statusLines = (session: Session, { said }: LineUnits): readonly Line[] => {
  const status = statusOf(session);
  const words = quoteLine(outcomeOf(session), said);
  const line = { text: `- ${statusText(status)}`, worth: 2 };
  if (words === '') return [line];
  const lead = status.kind === 'done' || status.kind === 'talked' ? 'Last said' : 'Last said, not confirmed';
  return [line, { text: `- ${lead}: “${words}”`, worth: 1 }];
};

export const statusText = (status: Status): string => {
  switch (status.kind) {
    case 'done':
      return 'done';
    case 'talked':
      return 'talked about; nothing was changed or run';
    case 'unverified':
      return `unverified: ${quoteLine(status.why, 260)}`;
    case 'interrupted':
      return `${status.isAnswered ? 'interrupted' : 'ended without an answer'} at “${quoteLine(status.prompt, 160)}”`;
  }
};

/** Lists decisions: what the person stated, and what they agreed to in the client's dialogs. */
export const decidedLines = (session: Session, { decision: units }: LineUnits): readonly Line[] => [
  ...statementsOf(session).map((text) => ({ text: `- “${quoteLine(text, units)}”`, worth: 2 })),
  ...session.choices.map((text) => ({ text: `- agreed: ${quoteLine(text, units)}`, worth: 3 })),
];

export const statementsOf = ({ turns }: Session): readonly string[] =>
  turns.filter(({ isSlashCommand }) => !isSlashCommand).flatMap(({ prompt }) => statementsIn(prompt));

/** Folders with the number of files, then the commits, then the subagents. */
export const changedLines = (session: Session, { subagent: units }: LineUnits): readonly Line[] => {
  const commits = commitsOf(session);
  return [
    ...foldersOf(filesOf(session)).map((text) => ({ text: `- ${text}`, worth: 3 })),
    ...commits.map(({ hash, subject }, at) => ({
      text: `- commit ${hash === '' ? '' : `${quoteCode(hash.slice(0, 7), 12)} `}${quoteLine(subject, 90)}`.trimEnd(),
      worth: 1 + at / commits.length,
    })),
    ...reportOf(session).map((text) => ({ text: `- reported: “${quoteLine(text, 300)}”`, worth: 1.5 })),
    ...subagentsOf(session, units).map((text) => ({ text: `- ${text}`, worth: 1 })),
  ];
};

const subagentsOf = ({ subagents }: Session, units: number): readonly string[] => {
  const told = subagents.filter(({ task }) => task !== '').slice(0, maxSubagents);
  if (told.length === 0) return [];
  if (units === 0) return [`by subagents: ${quoteLine(told.map(({ task }) => quoteLine(task, 50)).join('; '), 240)}`];
  return told.map(({ type, task, outcome }) => {
    const name = type === undefined || type === '' ? 'subagent' : `subagent ${quoteLine(type, 60)}`;
    return `${name}: ${quoteLine(task, 160)}${outcome === '' ? '' : ` → ${quoteLine(outcome, units)}`}`;
  });
};

const maxSubagents = 12;

/** The agent's report on the turn that did the most work, unless that is also its last message. */
const reportOf = (session: Session): readonly string[] => {
  const { turns } = session;
  const last = turns.findLast(({ outcome }) => outcome !== '');
  const busiest = turns.reduce<Turn | undefined>(
    (most, turn) => (most === undefined || workIn(session, turn) >= workIn(session, most) ? turn : most),
    undefined,
  );
  return busiest === undefined || busiest === last || busiest.outcome === '' ? [] : [busiest.outcome];
};

const maxFolders = 4;
/** Up to this many files are named. */
const maxNames = 3;

const counted = (files: number): string => `${files} ${files === 1 ? 'file' : 'files'}`;

/** Returns one line; if there are too many folders, they are counted by their parent folder. */
const foldersOf = (files: readonly string[]): readonly string[] => {
  if (files.length === 0) return [];
  if (files.length <= maxNames)
    return [`${counted(files.length)}: ${files.map((file) => quoteCode(file, 80)).join(', ')}`];
  const count = (depth: number): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const file of files) {
      const folder = file.split('/').slice(0, -1).slice(0, depth).join('/');
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    return counts;
  };
  const counts = [8, 4, 3, 2].map(count).find(({ size }) => size <= maxFolders) ?? count(2);
  const shown = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, maxFolders);
  const left = files.length - shown.reduce((sum, [, number]) => sum + number, 0);
  const list = shown.map(([name, number]) => `${name === '' ? 'top folder' : quoteCode(`${name}/`, 80)} ${number}`);
  return [`${counted(files.length)}: ${list.join(', ')}${left > 0 ? ` and ${left} elsewhere` : ''}`];
};

export const openLines = (session: Session, { lesson: units }: LineUnits): readonly Line[] => [
  ...openPromptsOf(session).map((turn) => ({
    text: `- ${turn.isInterrupted ? 'interrupted' : 'unanswered'}: “${quoteLine(turn.prompt, units)}”`,
    worth: 4,
  })),
  ...session.questions.map((text, at) => ({ text: `- “${quoteLine(text, units)}”`, worth: 2 + at / 10 })),
  ...(session.todos.length === 0
    ? []
    : [{ text: `- on the agent's list: ${quoteLine(session.todos.join('; '), 2 * units)}`, worth: 3 }]),
];

/** Says where the whole session can be read. */
export const referenceLine = ({ cwd, branch, startedAtMs, endedAtMs, file }: Session): Line => {
  // Outside a repository the client reports HEAD.
  const parts = [
    quoteCode(file, 120),
    cwd === undefined ? '' : `in ${quoteCode(clipStart(cwd, 60), 60)}`,
    branch === undefined || branch === 'HEAD' ? '' : `on ${quoteCode(branch, 80)}`,
    startedAtMs === undefined || endedAtMs === undefined ? '' : span(minute(startedAtMs), minute(endedAtMs)),
  ];
  return {
    text: parts
      .filter((part) => part !== '')
      .join(', ')
      .replace(', in ', ' in '),
    worth: 1,
  };
};

/** Names the day once if the session ended on the day it began. */
const span = (from: string, to: string): string =>
  from.slice(0, 10) === to.slice(0, 10) ? `${from.slice(0, -1)} to ${to.slice(11)}` : `${from} to ${to}`;

/** `2026-02-11T20:40Z`. */
const minute = (epochMs: number): string => `${formatTime(epochMs).slice(0, 16)}Z`;
