/** The turns of a session while it is read: the last one open, the others closed. Filled in file order. */

import { clip } from '../transcript/clip.js';
import type { AssistantEntry } from '../transcript/entry.js';
import { maxPromptUnits, type Prompt } from '../transcript/prompts.js';
import { startTextSlots } from '../transcript/text-slots.js';
import { reportedError } from './failures.js';
import { nextReply, noReply, outcomeOfText, type Reply, saidIn, unitsOf } from './reply.js';
import { maxOutcomeUnits, type Turn } from './session.js';
import { agreedIn, refusedIn } from './statements/agreement.js';
import { type Decision, decisionsIn } from './statements/decisions.js';
import { type Finding, isNamedIn } from './statements/findings.js';
import { openEndsIn } from './statements/open-ends.js';
import { type Deeds, newDeeds } from './tool-log.js';
import { startWeightedLimit } from './weighted-limit.js';

/** More of its effects may become known after it is closed. Its prompt and outcome are kept in text slots. */
export type OpenTurn = Deeds &
  Pick<Turn, 'number' | 'uuid' | 'offset' | 'atMs' | 'isSlashCommand'> & {
    reply: Reply;
    isInterrupted: boolean;
    endsWithText: boolean;
    /** Files written when the program spoke after the agent's answer; undefined while a person waits for the answer. */
    filesAtNotice: number | undefined;
    readonly reported: string;
    readonly decisions: Decision[];
    readonly findings: Finding[];
  };

export type TurnList = {
  /** The prompt may be longer than the part that is kept. */
  readonly open: (from: Pick<Turn, 'uuid' | 'offset' | 'atMs'>, prompt: Prompt) => OpenTurn;
  readonly current: () => OpenTurn | undefined;
  readonly decide: (turn: OpenTurn, decisions: readonly Decision[]) => void;
  readonly find: (turn: OpenTurn, finding: Finding) => void;
  /** Returns the open ends of the last reply. Closes the last turn. */
  readonly openEnds: () => readonly string[];
  /** Returns all turns. Closes the last one. */
  readonly list: (shownPath: (path: string) => string) => readonly Turn[];
};

/** Limits for a session that has more turns than anyone reads. */
const maxFirstTurns = 200;
const maxLastTurns = 800;
const maxDecisions = 64;
const maxFindings = 32;
/** A plan is searched for what was agreed to, beyond the part that is shown. */
const maxReplyUnits = 12_000;

export const startTurnList = (): TurnList => {
  const slots = maxFirstTurns + maxLastTurns;
  const prompts = startTextSlots(slots, maxPromptUnits);
  const outcomes = startTextSlots(slots, maxOutcomeUnits);
  const first: OpenTurn[] = [];
  let last: OpenTurn[] = [];
  let current: OpenTurn | undefined;
  let lastSaid = '';
  let saidBefore = '';
  /** Whether a person has spoken since the last reply. */
  let isAnswered = false;
  const decisionLimit = startWeightedLimit<Decision>(maxDecisions);
  const findingLimit = startWeightedLimit<Finding>(maxFindings);

  const close = (): void => {
    if (current === undefined || current.reply === noReply) return;
    saidBefore = lastSaid;
    lastSaid = saidIn(current.reply.texts);
    isAnswered = false;
    outcomes.put(slotOf(current.number), outcomeOfText(lastSaid));
    current.reply = noReply;
  };
  const decide = (turn: OpenTurn, decisions: readonly Decision[]): void => {
    for (const one of decisions) decisionLimit.put(turn.decisions, one, one.weight);
  };

  return {
    open: (from, prompt) => {
      close();
      const refused = prompt.isSlashCommand ? undefined : refusedIn(prompt.text, lastSaid);
      // The reasons for a proposal that was turned down are not what the session learned.
      if (refused !== undefined) dropNamed(current?.findings, lastSaid);
      const number = (current?.number ?? 0) + 1;
      const kept = clip(prompt.text, maxPromptUnits);
      prompts.put(slotOf(number), kept);
      // The slot may still hold the outcome of another turn.
      outcomes.put(slotOf(number), '');
      current = {
        number,
        ...from,
        isSlashCommand: prompt.isSlashCommand,
        reply: noReply,
        isInterrupted: false,
        endsWithText: false,
        filesAtNotice: undefined,
        ...newDeeds(),
        reported: reportedError(prompt.text),
        decisions: [],
        findings: [],
      };
      isAnswered ||= !prompt.isSlashCommand;
      const agreed = agreedIn(prompt.text, lastSaid, saidBefore);
      const said = prompt.isSlashCommand ? [] : decisionsIn(prompt.text);
      decide(current, refused === undefined ? [...agreed, ...said] : [refused]);
      if (number <= maxFirstTurns) first.push(current);
      else last.push(current);
      if (last.length >= 2 * maxLastTurns) last = last.slice(-maxLastTurns);
      return current;
    },
    current: () => current,
    decide,
    find: (turn, finding) => findingLimit.put(turn.findings, finding, finding.weight),
    openEnds: () => {
      close();
      return isAnswered ? [] : openEndsIn(lastSaid);
    },
    list: (shownPath) => {
      close();
      return [...first, ...last.slice(-maxLastTurns)].map((turn) => ({
        number: turn.number,
        uuid: turn.uuid,
        offset: turn.offset,
        atMs: turn.atMs,
        prompt: prompts.get(slotOf(turn.number)),
        isSlashCommand: turn.isSlashCommand,
        outcome: outcomes.get(slotOf(turn.number)),
        isInterrupted: turn.isInterrupted,
        files: [...new Set(turn.files.map(shownPath))].toSorted(),
        failures: turn.failures.map(({ command, error, ending, times, diagnoses, changed }) => {
          return { command, error, ending, times, diagnoses, changed: [...new Set(changed.map(shownPath))] };
        }),
        decisions: turn.decisions,
        findings: turn.findings,
        commits: turn.commits,
        lastRun: turn.lastRun,
        lastCheck: turn.lastCheck,
        untried: turn.untried.map(shownPath),
        reported: turn.reported,
      }));
    },
  };
};

const dropNamed = (findings: Finding[] = [], reply: string): void => {
  const kept = findings.filter((one) => !isNamedIn(one, reply));
  findings.splice(0, findings.length, ...kept);
};

/** After a notice the answer stays, unless the agent then says more than that or has written files. */
export const answerTurn = (turn: OpenTurn, entry: AssistantEntry): void => {
  const reply = nextReply(turn.reply, entry, maxReplyUnits);
  if (turn.filesAtNotice !== undefined && turn.files.length > turn.filesAtNotice) turn.filesAtNotice = undefined;
  if (turn.filesAtNotice === undefined || unitsOf(reply) >= unitsOf(turn.reply)) turn.reply = reply;
  turn.isInterrupted = false;
  turn.endsWithText = entry.endsWithText;
};

/** Records that the program spoke: the agent's reply to that is not what it told the person. */
export const noticeInTurn = (turn: OpenTurn): void => {
  if (turn.endsWithText) turn.filesAtNotice ??= turn.files.length;
};

const slotOf = (number: number): number =>
  number <= maxFirstTurns ? number - 1 : maxFirstTurns + ((number - maxFirstTurns - 1) % maxLastTurns);
