/** Subagents whose lines are mixed with the session's own, as in 1.0.x: told apart by the line each one answers. */

import type { ConversationEntry } from '../transcript/entry.js';
import { maxSubagents, newTrace, type Trace, traceEntry } from './subagents.js';
import type { ToolLog } from './tool-log.js';

/** Lines of several subagents alternate; one that answers a line older than this counts for the last that spoke. */
const maxRemembered = 2000;

export class Sidechains {
  readonly #log: ToolLog;
  readonly #traceById = new Map<string, Trace>();
  readonly #traceByUuid = new Map<string, Trace>();
  #last: Trace | undefined;

  constructor(log: ToolLog) {
    this.#log = log;
  }

  add(entry: ConversationEntry): void {
    const trace = this.#find(entry);
    if (trace === undefined) return;
    this.#last = trace;
    if (entry.uuid !== undefined) this.#traceByUuid.set(entry.uuid, trace);
    const [oldest] = this.#traceByUuid.size > maxRemembered ? this.#traceByUuid.keys() : [];
    if (oldest !== undefined) this.#traceByUuid.delete(oldest);
    traceEntry(trace, entry, this.#log);
  }

  list(): readonly Trace[] {
    return [...this.#traceById.values()];
  }

  #find(entry: ConversationEntry): Trace | undefined {
    if (entry.agentId !== undefined) return this.#open(entry.agentId);
    const parent = entry.parentUuid === undefined ? undefined : this.#traceByUuid.get(entry.parentUuid);
    if (parent !== undefined) return parent;
    const isFirst = entry.kind === 'user' && entry.mayBePrompt && entry.parentUuid === undefined;
    if (!isFirst && this.#last !== undefined) return this.#last;
    return this.#open(entry.uuid ?? `sidechain-${this.#traceById.size + 1}`);
  }

  #open(id: string): Trace | undefined {
    const known = this.#traceById.get(id);
    if (known !== undefined || this.#traceById.size >= maxSubagents) return known ?? this.#last;
    const trace = newTrace(id);
    this.#traceById.set(id, trace);
    return trace;
  }
}
