/** The writer of a note, from its source and agent: other programs know no source for an agent's notes. Pure. */
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

/** `agent claude-code`, `learned by claude-code`; the agent's name is not sanitised. */
export const describeWriter = (note: Pick<Note, 'source' | 'agent' | 'type'>): string => {
  const writer = writerOf(note);
  if (note.agent === undefined) return writer;
  return writer === 'agent' ? `agent ${note.agent}` : `${writer} by ${note.agent}`;
};
