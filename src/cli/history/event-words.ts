/** An event in the words of a person: what was decided, not the word that is recorded for it. */
import type { EventJson } from '../../app/history.js';

const decisions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'conflict.resolved': {
    ours: "the copy's text was taken",
    theirs: "the note's text was kept",
    both: 'both texts were kept',
    edit: 'the text was written anew',
  },
  'proposal.settled': {
    accept: 'accepted',
    'keep-both': 'both are kept',
    forget: 'rejected, and the newer one forgotten',
  },
};

/** The subject of the event, with the reason or the decision in brackets. */
export const describeEvent = ({ kind, subject, reason }: Pick<EventJson, 'kind' | 'subject' | 'reason'>): string => {
  const decision = reason === undefined ? undefined : decisions[kind]?.[reason];
  if (decision !== undefined && reason !== undefined) {
    // The subject of a proposal begins with the same word.
    const about = subject.startsWith(`${reason}: `) ? subject.slice(reason.length + 2) : subject;
    return `${about} (${decision})`;
  }
  return reason === undefined ? subject : `${subject} (${reason})`;
};
