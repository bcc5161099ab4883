/** Folds the entries of a transcript, in file order, into a session. No I/O. */
import { compactionGist } from '../transcript/compaction.js';
import type { AssistantEntry, ConversationLine, Entry, UserEntry } from '../transcript/entry.js';
import { interruption, maxTypedUnits, type Prompt, readPrompt } from '../transcript/prompts.js';
import { startQueuedPrompts } from '../transcript/queued-prompts.js';
import type { RawText } from '../transcript/raw-text.js';
import { pathUnder } from '../transcript/relative-path.js';
import { startUuidSet } from '../transcript/uuid-set.js';
import { maxCompactions, type Session } from './session.js';
import { startSessionFacts } from './session-facts.js';
import { startSidechains } from './sidechains.js';
import { startChoices } from './statements/choices.js';
import { diagnosisIn, findingIn, mayTellCause } from './statements/findings.js';
import { startTodoList } from './statements/todo-list.js';
import { listSubagents, startLaunches, type Trace } from './subagents.js';
import { startToolLog } from './tool-log.js';
import { answerTurn, noticeInTurn, type OpenTurn, startTurnList } from './turn-list.js';

export type SessionFold = {
  /** `offset` is the byte offset of the entry. */
  readonly add: (entry: Entry, offset: number) => void;
  /** Returns the ids of the sessions that the entries name. */
  readonly sessionIds: () => readonly string[];
  /** Call once, after the last entry. */
  readonly finish: (from: ReadFrom) => Session;
};

export type ReadFrom = {
  /** Name of the transcript without its extension. */
  readonly stem: string;
  readonly file: string;
  readonly bytes: number;
  /** Traces of the subagents that have files of their own. */
  readonly traces: readonly Trace[];
};

export const startSessionFold = (): SessionFold => {
  const seen = startUuidSet();
  const log = startToolLog();
  const turns = startTurnList();
  const queued = startQueuedPrompts(maxTypedUnits);
  const sidechains = startSidechains(log);
  const launches = startLaunches();
  const facts = startSessionFacts();
  const todos = startTodoList();
  const choices = startChoices();
  let endsCompacted = false;
  const compactions: { readonly text: string; readonly offset: number }[] = [];

  const addUser = (entry: UserEntry, offset: number): void => {
    for (const result of entry.results) {
      log.result(result);
      launches.result(result, entry);
      todos.result(result);
      const settled = choices.result(result).map((text) => ({ by: 'plan', text, weight: settledWeight }) as const);
      const asked = turns.current();
      if (asked !== undefined) turns.decide(asked, settled);
    }
    if (entry.isCompactSummary) {
      endsCompacted = true;
      compactions.push({ text: compactionGist(entry.text.masked()), offset });
      if (compactions.length > maxCompactions) compactions.shift();
      return;
    }
    const turn = turns.current();
    if (turn !== undefined && saysInterrupted(entry)) turn.isInterrupted = true;
    if (entry.text.isBlank) return;
    const prompt = entry.mayBePrompt ? readPrompt(entry.text.masked(), maxTypedUnits) : undefined;
    if (prompt !== undefined) {
      if (queued.shown(prompt.text, 'line')) turns.open({ uuid: entry.uuid, offset, atMs: entry.atMs }, prompt);
    } else if (turn !== undefined) {
      noticeInTurn(turn);
    }
  };

  /** Records the words after a failure, or a cause named along the way; skips most texts without masking them. */
  const note = (text: RawText, turn: OpenTurn): void => {
    const failed = log.justFailed();
    if (text.isBlank || !(failed !== undefined || text.matches(mayTellCause))) return;
    const said = text.masked();
    const diagnosis = failed === undefined ? undefined : diagnosisIn(said, failed);
    if (diagnosis !== undefined) {
      log.explain(diagnosis);
      return;
    }
    const finding = findingIn(said);
    if (finding !== undefined) turns.find(turn, finding);
  };

  const addAssistant = (entry: AssistantEntry, offset: number): void => {
    for (const prompt of queued.takeUp())
      turns.open({ uuid: undefined, offset: prompt.offset, atMs: prompt.atMs }, prompt);
    if (entry.texts.length === 0 && entry.uses.length === 0) return;
    const turn = turns.current() ?? turns.open({ uuid: undefined, offset, atMs: entry.atMs }, noPrompt);
    endsCompacted = false;
    for (const text of entry.texts) note(text, turn);
    for (const use of entry.uses) {
      log.use(use, turn);
      launches.use(use, entry, turn.uuid);
      todos.use(use);
      choices.use(use);
    }
    answerTurn(turn, entry);
  };

  const addLine = (entry: ConversationLine, offset: number): void => {
    // Most lines are of kind `other`; remembering their ids too would take megabytes.
    if (entry.kind !== 'other' && entry.uuid !== undefined && !seen.add(entry.uuid)) return;
    facts.line(entry);
    if (entry.isSidechain) {
      if (entry.kind === 'user' || entry.kind === 'assistant') sidechains.add(entry);
    } else if (entry.kind === 'user') {
      addUser(entry, offset);
    } else if (entry.kind === 'assistant') {
      addAssistant(entry, offset);
    } else if (entry.kind === 'queued') {
      const prompt = readPrompt(entry.text.masked(), maxTypedUnits);
      if (prompt !== undefined && queued.shown(prompt.text, 'attachment'))
        turns.open({ uuid: entry.uuid, offset, atMs: entry.atMs }, prompt);
    }
  };

  return {
    add: (entry, offset) => {
      switch (entry.kind) {
        case 'title':
          return facts.title(entry.from, entry.title, entry.leafUuid);
        case 'queue':
          return queued.operation(entry.operation, entry.content?.masked(), offset, entry.atMs);
        case 'last-prompt':
          return;
        case 'user':
        case 'assistant':
        case 'queued':
        case 'other':
          return addLine(entry, offset);
      }
    },
    sessionIds: facts.sessionIds,
    finish: ({ stem, file, bytes, traces }) => {
      log.finish();
      const { folders, ...known } = facts.finish(stem, seen.has);
      const shownPath = (path: string): string => pathUnder(folders, path);
      return {
        ...known,
        file,
        turns: turns.list(shownPath),
        compactions: compactions.map(({ text }) => text),
        compactionOffsets: compactions.map(({ offset }) => offset),
        endsCompacted,
        openEnds: turns.openEnds(),
        todos: todos.open(),
        subagents: listSubagents([...traces, ...sidechains.list()], launches.list(), shownPath),
        bytes,
      };
    },
  };
};

/** Weight of a choice that a person made in a dialog. */
const settledWeight = 5;

/** Used when the agent speaks before any prompt, as after a fork. */
const noPrompt: Prompt = { text: '', isSlashCommand: false };

const saysInterrupted = ({ text, results }: UserEntry): boolean =>
  text.startsWith(interruption) || results.some((result) => result.text.startsWith(interruption));
