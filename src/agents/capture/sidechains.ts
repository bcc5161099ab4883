/** Subagents whose lines are mixed with the session's own, as in 1.0.x: told apart by the line each one answers. */

import type { ConversationEntry } from '../transcript/entry.js';
import { maxSubagents, newTrace, type Trace, traceEntry } from './subagents.js';
import type { ToolLog } from './tool-log.js';

export type Sidechains = {
  readonly add: (entry: ConversationEntry) => void;
  readonly list: () => readonly Trace[];
};

/** Lines of several subagents alternate; one that answers a line older than this counts for the last that spoke. */
const maxRemembered = 2000;

export const startSidechains = (log: ToolLog): Sidechains => {
  const traceById = new Map<string, Trace>();
  const traceByUuid = new Map<string, Trace>();
  let last: Trace | undefined;

  const open = (id: string): Trace | undefined => {
    const known = traceById.get(id);
    if (known !== undefined || traceById.size >= maxSubagents) return known ?? last;
    const trace = newTrace(id);
    traceById.set(id, trace);
    return trace;
  };
  const find = (entry: ConversationEntry): Trace | undefined => {
    if (entry.agentId !== undefined) return open(entry.agentId);
    const parent = entry.parentUuid === undefined ? undefined : traceByUuid.get(entry.parentUuid);
    if (parent !== undefined) return parent;
    const isFirst = entry.kind === 'user' && entry.mayBePrompt && entry.parentUuid === undefined;
    return isFirst || last === undefined ? open(entry.uuid ?? `sidechain-${traceById.size + 1}`) : last;
  };

  return {
    add: (entry) => {
      const trace = find(entry);
      if (trace === undefined) return;
      last = trace;
      if (entry.uuid !== undefined) traceByUuid.set(entry.uuid, trace);
      if (traceByUuid.size > maxRemembered) {
        for (const oldest of traceByUuid.keys()) {
          traceByUuid.delete(oldest);
          break;
        }
      }
      traceEntry(trace, entry, log);
    },
    list: () => [...traceById.values()],
  };
};
