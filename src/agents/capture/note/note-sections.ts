/** Lines of the sections of a session note, none when there is nothing to say. Pure. */
import { formatTime } from '../../../events/time.js';
import { clipStart } from '../../transcript/clip.js';
import { deferralsIn } from '../said/open-ends.js';
import { countWords } from '../said/sentences-of.js';
import {
  commitsOf,
  type Failure,
  filesOf,
  isBareCommand,
  outcomeOf,
  promptsOf,
  type Session,
  type Turn,
} from '../session.js';
import { quoteCode, quoteLine } from './note-text.js';
import { openPromptsOf, type Status, statusOf } from './session-status.js';

/** One that is `told` stands in another section too: nobody misses it. */
export type Line = { readonly text: string; readonly worth: number; readonly told?: boolean };

/** Units of a line of each kind. */
export type LineUnits = {
  readonly prompt: number;
  readonly decision: number;
  readonly lesson: number;
  readonly said: number;
  /** 0: the tasks of subagents are named together. */
  readonly subagent: number;
};

/** One line, and the agent's last words as its own: a guess must not read as the outcome. */
export const statusLines = (session: Session, { said }: LineUnits): readonly Line[] => {
  const status = statusOf(session);
  const words = quoteLine(outcomeOf(session), said);
  const line = { text: `- ${statusText(status)}`, worth: 2 };
  if (words === '') return [line];
  const lead = status.kind === 'done' ? 'Last said' : 'Last said, not confirmed';
  return [line, { text: `- ${lead}: “${words}”`, worth: 1 }];
};

export const statusText = (status: Status): string => {
  switch (status.kind) {
    case 'done':
      return 'done';
    case 'unverified':
      return `unverified: ${quoteLine(status.why, 260)}`;
    case 'interrupted':
      return `${status.isAnswered ? 'interrupted' : 'ended without an answer'} at “${quoteLine(status.prompt, 160)}”`;
  }
};

/** Prompts of six words or more; of a session that has none the first. Those in the middle of very many are only counted. */
export const askedLines = (
  session: Session,
  { prompt: units }: LineUnits,
): { readonly lines: readonly Line[]; readonly unmade: number } => {
  const prompts = promptsOf(session).filter((turn) => !isBareCommand(turn));
  const long = prompts.filter(({ prompt }) => countWords(prompt) >= leastWords);
  const told = long.length === 0 ? prompts.slice(0, 1) : long;
  const made = told.length <= maxFirst + maxLast ? told : [...told.slice(0, maxFirst), ...told.slice(-maxLast)];
  const lines = made.map((turn, at) => {
    const isElsewhere = turn.reported !== '' || isTold(turn);
    return {
      text: `- “${askText(turn, units)}”${turn.isInterrupted ? ' (interrupted)' : ''}`,
      worth: (isElsewhere ? 0 : 4) + (at === 0 ? 2 : 0) + (at === made.length - 1 ? 1 : 0),
      told: isElsewhere,
    };
  });
  return { lines, unmade: told.length - made.length };
};

const maxFirst = 10;
const maxLast = 30;
const leastWords = 6;

/** Pasted output is represented by the error in it. */
const askText = ({ prompt, reported }: Turn, units: number): string =>
  reported === ''
    ? quoteLine(prompt, units)
    : `${quoteLine(firstLine(prompt), 80)} … ${quoteLine(reported, units - 90)}`;

const firstLine = (text: string): string => text.split('\n').find((line) => line.trim() !== '') ?? '';

/** True where the decisions taken from the prompt cover most of it. */
const isTold = ({ prompt, decisions }: Turn): boolean =>
  3 * decisions.filter(({ by }) => by === 'user').reduce((sum, { text }) => sum + text.length, 0) > 2 * prompt.length;

/** The person's decisions in their own words, and plans they agreed to in the agent's. */
export const decidedLines = ({ turns }: Session, { decision: units }: LineUnits): readonly Line[] =>
  turns.flatMap(({ decisions }) =>
    decisions.map(({ by, text, weight }) => {
      const words = quoteLine(text, units);
      return { text: by === 'plan' ? `- agreed: ${words}` : `- “${words}”`, worth: weight };
    }),
  );

/** Commands that failed and how that ended, then what else the agent found out. */
export const learnedLines = (session: Session, { lesson: units }: LineUnits): readonly Line[] => [
  ...failuresOf(session.turns).map((failure) => ({
    text: `- ${failureText(failure, units)}`,
    worth: (failure.ending === 'succeeded-later' ? 3 : 2) + (failure.diagnoses.length > 0 ? 3 : 0),
  })),
  ...session.turns.flatMap(({ findings }) =>
    findings.map(({ text, weight }) => ({ text: `- ${quoteLine(text, units)}`, worth: weight })),
  ),
];

/** Each command once, whatever the turns. Those that say nothing of themselves are left out. */
const failuresOf = (turns: readonly Turn[]): readonly Failure[] => {
  const byCommand = new Map<string, Failure>();
  for (const failure of turns.flatMap(({ failures }) => failures)) {
    const before = byCommand.get(failure.command);
    byCommand.set(failure.command, {
      ...failure,
      times: failure.times + (before?.times ?? 0),
      diagnoses: [...new Set([...(before?.diagnoses ?? []), ...failure.diagnoses])],
      changed: [...new Set([...(before?.changed ?? []), ...failure.changed])],
    });
  }
  return [...byCommand.values()]
    .filter(({ error, diagnoses }) => diagnoses.length > 0 || !/^(?:error|exit code \d+)?$/i.test(error))
    .slice(-maxFailures);
};

const maxFailures = 20;

const failureText = ({ command, error, ending, times, diagnoses, changed }: Failure, units: number): string => {
  const count = times === 1 ? 'failed' : `failed ${times} times`;
  const said =
    diagnoses.length === 0
      ? quoteLine(error, ending === 'failed' ? units : Math.ceil(units * 0.6))
      : quoteLine(diagnoses.join('\n'), units + 80 * (diagnoses.length - 1));
  const files = changed.slice(0, 2).map((file) => quoteCode(nameOf(file), 60));
  const change = files.length === 0 ? '' : `after a change to ${files.join(', ')} `;
  const end = ending === 'succeeded-later' ? `${change}it passed` : 'no later run worked';
  return `${quoteCode(command, 80)} ${count}: ${said} → ${end}`;
};

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Folders with the number of files, then the commits, then the subagents. */
export const changedLines = (session: Session, { subagent: units }: LineUnits): readonly Line[] => {
  const commits = commitsOf(session);
  return [
    ...foldersOf(filesOf(session)).map((text) => ({ text: `- ${text}`, worth: 3 })),
    ...commits.map(({ hash, subject }, at) => ({
      text: `- commit ${hash === '' ? '' : `${quoteCode(hash.slice(0, 7), 12)} `}${quoteLine(subject, 90)}`,
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

/** The agent's report on the turn that changed the most files, unless that is also its last message. */
const reportOf = ({ turns, subagents }: Session): readonly string[] => {
  const workIn = (turn: Turn | undefined): number => {
    if (turn === undefined) return 0;
    const theirs = subagents.filter(({ startedIn }) => startedIn !== undefined && startedIn === turn.uuid);
    return turn.files.length + turn.commits.length + theirs.reduce((sum, { files }) => sum + files.length, 0);
  };
  const last = turns.findLast(({ outcome }) => outcome !== '');
  const busiest = turns.reduce<Turn | undefined>(
    (most, turn) => (workIn(turn) >= workIn(most) ? turn : most),
    undefined,
  );
  return busiest === undefined || busiest === last || busiest.outcome === '' ? [] : [busiest.outcome];
};

const maxFolders = 4;
/** So few are named. */
const maxNames = 3;

const counted = (files: number): string => `${files} ${files === 1 ? 'file' : 'files'}`;

/** On one line; folders that are too many are taken together by the folder that they lie in. */
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
  ...session.turns
    .flatMap(({ prompt }) => deferralsIn(prompt))
    .slice(-maxDeferrals)
    .map((text) => ({ text: `- put off: “${quoteLine(text, units)}”`, worth: 3.5 })),
  ...session.openEnds.map((text, at) => ({ text: `- “${quoteLine(text, units)}”`, worth: 2 + at / 10 })),
  ...(session.todos.length === 0
    ? []
    : [{ text: `- on the agent's list: ${quoteLine(session.todos.join('; '), 2 * units)}`, worth: 3 }]),
];

const maxDeferrals = 4;

/** Where all of it can be read. */
export const referenceLine = ({ cwd, branch, startedAtMs, endedAtMs, file }: Session): Line => {
  // Outside a repository the client calls it HEAD.
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

/** The day once, if it ended on the day it began. */
const span = (from: string, to: string): string =>
  from.slice(0, 10) === to.slice(0, 10) ? `${from.slice(0, -1)} to ${to.slice(11)}` : `${from} to ${to}`;

/** `2026-02-11T20:40Z`. */
const minute = (epochMs: number): string => `${formatTime(epochMs).slice(0, 16)}Z`;
