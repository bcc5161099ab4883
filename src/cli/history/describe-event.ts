/** Describes an event to a person: the decision in words, not the recorded verdict. */
import type { EventJson } from '../../app/history.js';

const decisions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'conflict.resolved': {
    ours: "the copy's text was taken",
    theirs: "the note's text was kept",
    both: 'both texts were kept',
    edit: 'the text was rewritten',
  },
  'proposal.settled': {
    accept: 'accepted',
    'keep-both': 'both are kept',
    forget: 'rejected, and the newer one forgotten',
  },
};

/** Returns the event's subject, with the reason or the decision in parentheses. */
export const describeEvent = ({ kind, subject, reason }: Pick<EventJson, 'kind' | 'subject' | 'reason'>): string => {
  const decision = reason === undefined ? undefined : decisions[kind]?.[reason];
  if (decision !== undefined && reason !== undefined) {
    // The subject of a proposal begins with the verdict.
    const about = subject.startsWith(`${reason}: `) ? subject.slice(reason.length + 2) : subject;
    return `${about} (${decision})`;
  }
  return reason === undefined ? subject : `${subject} (${reason})`;
};
