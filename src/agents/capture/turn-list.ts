/** The turns of a session while it is read: the last one open, the others closed. Filled in the file's order. */
import type { AssistantEntry } from '../transcript/entry.js';
import { maxPromptUnits, type Prompt } from '../transcript/prompts.js';
import { startTextSlots } from '../transcript/text-slots.js';
import { nextReply, noReply, outcomeOfReply, type Reply, unitsOf } from './reply.js';
import { maxOutcomeUnits, type Turn } from './session.js';
import type { Deeds } from './tool-log.js';

/** More of its effects may become known after it is closed. Its texts are kept elsewhere. */
export type OpenTurn = Deeds &
  Pick<Turn, 'number' | 'uuid' | 'offset' | 'atMs' | 'isSlashCommand'> & {
    reply: Reply;
    isInterrupted: boolean;
    endsWithText: boolean;
    /** Files when the agent had answered and the program spoke next; undefined while a person waits for the answer. */
    filesAtNotice: number | undefined;
  };

export type TurnList = {
  readonly open: (from: Pick<Turn, 'uuid' | 'offset' | 'atMs'>, prompt: Prompt) => OpenTurn;
  readonly current: () => OpenTurn | undefined;
  /** Closes the last turn too. */
  readonly list: (shownPath: (path: string) => string) => readonly Turn[];
};

/** Limits for a session that has more turns than anybody reads. */
const maxFirstTurns = 200;
const maxLastTurns = 800;

export const startTurnList = (): TurnList => {
  const slots = maxFirstTurns + maxLastTurns;
  const prompts = startTextSlots(slots, maxPromptUnits);
  const outcomes = startTextSlots(slots, maxOutcomeUnits);
  const first: OpenTurn[] = [];
  let last: OpenTurn[] = [];
  let current: OpenTurn | undefined;

  const close = (): void => {
    if (current === undefined) return;
    outcomes.put(slotOf(current.number), outcomeOfReply(current.reply));
    current.reply = noReply;
  };

  return {
    open: (from, prompt) => {
      close();
      const number = (current?.number ?? 0) + 1;
      prompts.put(slotOf(number), prompt.text);
      current = {
        number,
        ...from,
        isSlashCommand: prompt.isSlashCommand,
        reply: noReply,
        isInterrupted: false,
        endsWithText: false,
        filesAtNotice: undefined,
        files: [],
        failures: [],
      };
      if (number <= maxFirstTurns) first.push(current);
      else last.push(current);
      if (last.length >= 2 * maxLastTurns) last = last.slice(-maxLastTurns);
      return current;
    },
    current: () => current,
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
        failures: turn.failures.map(({ command, error, ending, times }) => ({ command, error, ending, times })),
      }));
    },
  };
};

/** After a notice the answer stays, unless the agent has more to say than that or wrote files. */
export const answerTurn = (turn: OpenTurn, entry: AssistantEntry): void => {
  const reply = nextReply(turn.reply, entry);
  if (turn.filesAtNotice !== undefined && turn.files.length > turn.filesAtNotice) turn.filesAtNotice = undefined;
  if (turn.filesAtNotice === undefined || unitsOf(reply) >= unitsOf(turn.reply)) turn.reply = reply;
  turn.isInterrupted = false;
  turn.endsWithText = entry.endsWithText;
};

/** The program spoke: what the agent answers to that is not what the person was told. */
export const noticeInTurn = (turn: OpenTurn): void => {
  if (turn.endsWithText) turn.filesAtNotice ??= turn.files.length;
};

const slotOf = (number: number): number =>
  number <= maxFirstTurns ? number - 1 : maxFirstTurns + ((number - maxFirstTurns - 1) % maxLastTurns);
