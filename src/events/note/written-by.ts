/**
 * The writer of a note, told from its source and agent: the set of sources is closed, and other programs refuse any further
 * value. A note that an agent wrote over MCP has the same source as a person's. Pure.
 */
import type { Note } from './note.js';

export const writers = ['person', 'agent', 'learned', 'captured', 'import', 'reflection', 'merge'] as const;
export type Writer = (typeof writers)[number];

export const writerOf = ({ source, agent, type }: Pick<Note, 'source' | 'agent' | 'type'>): Writer => {
  switch (source) {
    case 'human':
      return agent === undefined ? 'person' : 'agent';
    case 'session-end':
      return type === 'episodic' ? 'captured' : 'learned';
    case 'reflection':
    case 'import':
    case 'merge':
      return source;
  }
};

/** `agent claude-code`, `learned by claude-code`; what an agent's name holds is not cleaned. */
export const describeWriter = (note: Pick<Note, 'source' | 'agent' | 'type'>): string => {
  const writer = writerOf(note);
  if (note.agent === undefined) return writer;
  return writer === 'agent' ? `agent ${note.agent}` : `${writer} by ${note.agent}`;
};
