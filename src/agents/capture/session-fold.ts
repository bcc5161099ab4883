/** Folds the entries of a transcript, in file order, into a session. No I/O. */
import { compactionGist } from '../transcript/compaction.js';
import type { AssistantEntry, ConversationLine, Entry, UserEntry } from '../transcript/entry.js';
import { interruption, maxTypedUnits, type Prompt, readPrompt } from '../transcript/prompts.js';
import { pathUnder } from '../transcript/relative-path.js';
import { UuidSet } from '../transcript/uuid-set.js';
import { Choices, TodoList } from './client-dialogs.js';
import { maxCompactions, type Session } from './session.js';
import { FactCollector } from './session-facts.js';
import { Sidechains } from './sidechains.js';
import { Launches, listSubagents, type Trace } from './subagents.js';
import { ToolLog } from './tool-log.js';
import { answerTurn, noticeInTurn, TurnList } from './turn-list.js';

export type ReadFrom = {
  /** Name of the transcript without its extension. */
  readonly stem: string;
  readonly file: string;
  readonly bytes: number;
  /** Traces of the subagents that have files of their own. */
  readonly traces: readonly Trace[];
};

export class SessionFold {
  readonly #seen = new UuidSet();
  readonly #log = new ToolLog();
  readonly #turns = new TurnList();
  readonly #sidechains = new Sidechains(this.#log);
  readonly #launches = new Launches();
  readonly #facts = new FactCollector();
  readonly #todos = new TodoList();
  readonly #choices = new Choices();
  readonly #compactions: { readonly text: string; readonly offset: number }[] = [];
  #endsCompacted = false;

  /** `offset` is the byte offset of the entry. */
  add(entry: Entry, offset: number): void {
    switch (entry.kind) {
      case 'title':
        this.#facts.title(entry.from, entry.title, entry.leafUuid);
        break;
      case 'last-prompt':
        break;
      case 'user':
      case 'assistant':
      case 'queued':
      case 'other':
        this.#addLine(entry, offset);
    }
  }

  sessionIds(): readonly string[] {
    return this.#facts.sessionIds();
  }

  /** Call once, after the last entry. */
  finish({ stem, file, bytes, traces }: ReadFrom): Session {
    this.#log.finish();
    const { folders, ...known } = this.#facts.finish(stem, (uuid) => this.#seen.has(uuid));
    const shownPath = (path: string): string => pathUnder(folders, path);
    return {
      ...known,
      file,
      turns: this.#turns.list(shownPath),
      compactions: this.#compactions.map(({ text }) => text),
      compactionOffsets: this.#compactions.map(({ offset }) => offset),
      endsCompacted: this.#endsCompacted,
      choices: this.#choices.list(),
      questions: this.#turns.questions(),
      todos: this.#todos.open(),
      subagents: listSubagents([...traces, ...this.#sidechains.list()], this.#launches.list(), shownPath),
      bytes,
    };
  }

  #addLine(entry: ConversationLine, offset: number): void {
    // Most lines are of kind `other`; remembering their ids too would take megabytes.
    if (entry.kind !== 'other' && entry.uuid !== undefined && !this.#seen.add(entry.uuid)) return;
    this.#facts.line(entry);
    if (entry.isSidechain) {
      if (entry.kind === 'user' || entry.kind === 'assistant') this.#sidechains.add(entry);
    } else if (entry.kind === 'user') {
      this.#addUser(entry, offset);
    } else if (entry.kind === 'assistant') {
      this.#addAssistant(entry, offset);
    } else if (entry.kind === 'queued') {
      const prompt = readPrompt(entry.text.masked(), maxTypedUnits);
      if (prompt !== undefined) this.#turns.open({ uuid: entry.uuid, offset, atMs: entry.atMs }, prompt);
    }
  }

  #addUser(entry: UserEntry, offset: number): void {
    for (const result of entry.results) {
      this.#log.result(result);
      this.#launches.result(result, entry);
      this.#todos.result(result);
      this.#choices.result(result);
    }
    if (entry.isCompactSummary) {
      this.#endsCompacted = true;
      this.#compactions.push({ text: compactionGist(entry.text.masked()), offset });
      if (this.#compactions.length > maxCompactions) this.#compactions.shift();
      return;
    }
    const turn = this.#turns.current;
    if (turn !== undefined && saysInterrupted(entry)) turn.isInterrupted = true;
    if (entry.text.isBlank) return;
    const prompt = entry.mayBePrompt ? readPrompt(entry.text.masked(), maxTypedUnits) : undefined;
    if (prompt !== undefined) this.#turns.open({ uuid: entry.uuid, offset, atMs: entry.atMs }, prompt);
    else if (turn !== undefined) noticeInTurn(turn);
  }

  #addAssistant(entry: AssistantEntry, offset: number): void {
    if (entry.texts.length === 0 && entry.uses.length === 0) return;
    const turn = this.#turns.current ?? this.#turns.open({ uuid: undefined, offset, atMs: entry.atMs }, noPrompt);
    this.#endsCompacted = false;
    for (const use of entry.uses) {
      this.#log.use(use, turn);
      this.#launches.use(use, entry, turn.uuid);
      this.#todos.use(use);
      this.#choices.use(use);
    }
    answerTurn(turn, entry);
  }
}

/** Used when the agent speaks before any prompt, as after a fork. */
const noPrompt: Prompt = { text: '', isSlashCommand: false };

const saysInterrupted = ({ text, results }: UserEntry): boolean =>
  text.startsWith(interruption) || results.some((result) => result.text.startsWith(interruption));
