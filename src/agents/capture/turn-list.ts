/** The turns of a session while it is read: the last one open, the others closed. Filled in file order. */

import { splitSentences } from '../../events/sentences.js';
import { clip, oneLine } from '../transcript/clip.js';
import type { AssistantEntry } from '../transcript/entry.js';
import { maxPromptUnits, type Prompt } from '../transcript/prompts.js';
import { reportedError } from './failures.js';
import { nextReply, noReply, outcomeOfText, type Reply, saidIn, unitsOf } from './reply.js';
import type { Turn } from './session.js';
import { type Deeds, newDeeds } from './tool-log.js';

/** More of its effects may become known after it is closed. */
export type OpenTurn = Deeds &
  Pick<Turn, 'number' | 'uuid' | 'offset' | 'atMs' | 'prompt' | 'isSlashCommand' | 'reported'> & {
    outcome: string;
    reply: Reply;
    isInterrupted: boolean;
    endsWithText: boolean;
    /** Files written when the program spoke after the agent's answer; undefined while a person waits for the answer. */
    filesAtNotice: number | undefined;
  };

/** Limits for a session that has more turns than anyone reads. */
const maxFirstTurns = 200;
const maxLastTurns = 800;
/** Questions are at the end of a reply, beyond the part that is shown. */
const maxReplyUnits = 12_000;

export class TurnList {
  readonly #first: OpenTurn[] = [];
  #last: OpenTurn[] = [];
  #current: OpenTurn | undefined;
  #lastSaid = '';
  /** Whether a person has spoken since the last reply. */
  #isAnswered = false;

  get current(): OpenTurn | undefined {
    return this.#current;
  }

  /** The prompt may be longer than the part that is kept. */
  open(from: Pick<Turn, 'uuid' | 'offset' | 'atMs'>, { text, isSlashCommand }: Prompt): OpenTurn {
    this.#close();
    const turn: OpenTurn = {
      number: (this.#current?.number ?? 0) + 1,
      ...from,
      prompt: clip(text, maxPromptUnits),
      isSlashCommand,
      outcome: '',
      reply: noReply,
      isInterrupted: false,
      endsWithText: false,
      filesAtNotice: undefined,
      ...newDeeds(),
      reported: reportedError(text),
    };
    this.#isAnswered ||= !isSlashCommand;
    this.#current = turn;
    if (turn.number <= maxFirstTurns) this.#first.push(turn);
    else this.#last.push(turn);
    if (this.#last.length >= 2 * maxLastTurns) this.#last = this.#last.slice(-maxLastTurns);
    return turn;
  }

  /** Returns the questions of the last reply, if no person has spoken since. Closes the last turn. */
  questions(): readonly string[] {
    this.#close();
    return this.#isAnswered ? [] : questionsIn(this.#lastSaid);
  }

  /** Returns all turns. Closes the last one. */
  list(shownPath: (path: string) => string): readonly Turn[] {
    this.#close();
    return [...this.#first, ...this.#last.slice(-maxLastTurns)].map((turn) => ({
      number: turn.number,
      uuid: turn.uuid,
      offset: turn.offset,
      atMs: turn.atMs,
      prompt: turn.prompt,
      isSlashCommand: turn.isSlashCommand,
      outcome: turn.outcome,
      isInterrupted: turn.isInterrupted,
      files: [...new Set(turn.files.map(shownPath))].toSorted(),
      failures: turn.failures.map(({ command, error, ending, times, changed }) => {
        return { command, error, ending, times, changed: [...new Set(changed.map(shownPath))] };
      }),
      commits: turn.commits,
      lastRun: turn.lastRun,
      lastCheck: turn.lastCheck,
      untried: turn.untried.map(shownPath),
      reported: turn.reported,
    }));
  }

  #close(): void {
    const turn = this.#current;
    if (turn === undefined || turn.reply === noReply) return;
    this.#lastSaid = saidIn(turn.reply.texts);
    this.#isAnswered = false;
    turn.outcome = outcomeOfText(this.#lastSaid);
    turn.reply = noReply;
  }
}

const questionsIn = (reply: string): readonly string[] =>
  splitSentences(reply.slice(-maxReplyUnits))
    .filter((sentence) => /[?？]["'”’)\]*_]*$/.test(sentence))
    .slice(-maxQuestions)
    .map((sentence) => clip(oneLine(sentence.replaceAll('**', '')), maxQuestionUnits));

const maxQuestions = 3;
const maxQuestionUnits = 220;

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
