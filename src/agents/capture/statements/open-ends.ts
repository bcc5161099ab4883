/** Finds sentences in the agent's last message that leave something open. Pure; expects masked text. */
import { clip, oneLine } from '../../transcript/clip.js';
import { countWords, sentencesOf } from './sentences-of.js';

/** Returns sentences about next steps, unfinished work and questions to the person, in the order of the text. */
export const openEndsIn = (reply: string): readonly string[] => {
  const found: string[] = [];
  let isCode = false;
  let below = 0;
  for (const line of reply.slice(-maxReplyUnits).split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      isCode = !isCode;
      continue;
    }
    if (isCode || !/\p{L}{2}/u.test(line)) continue;
    if (heading.test(line)) {
      below = maxBelow;
    } else if (listItem.test(line) && below > 0) {
      found.push(line);
      below -= 1;
    } else {
      if (!listItem.test(line)) below = 0;
      found.push(...sentencesOf(line).filter((sentence) => countWords(sentence) >= 4 && leavesOpen(sentence)));
    }
  }
  return [...new Set(found.map(shown))].slice(-maxOpenEnds);
};

const maxReplyUnits = 12_000;
const maxBelow = 4;
const maxOpenEnds = 5;
const maxOpenUnits = 220;

const listItem = /^\s*(?:[-*+•]|\d{1,2}[.)])\s/;
/** "Next steps:", "## Remaining", alone on its line. */
const heading =
  /^\s*(?:#{1,6}\s+|\*\*)?[^\p{L}\p{N}]{0,6}(?:(?:the |possible |suggested )?next steps?|remaining(?: \w+)?|to-?dos?|still open|open (?:points|questions|ends|issues)|what(?:'s| is) left|follow-?ups?|not (?:yet )?done|nächste schritte|offen)\b[^.!?]{0,40}$/iu;

const leavesOpen = (sentence: string): boolean =>
  next.test(sentence) || announced.test(sentence) || (/\?["'”)\]*]*$/.test(sentence) && !rhetorical.test(sentence));

const next =
  /\b(?:next steps?|next,? (?:we|you|i)\b|still (?:needs?|have to|has to|to do|fails?|failing|open|missing|broken|pending)|not yet|remaining|remains to|left to do|if (?:this|that|it) (?:still )?(?:fails|doesn['’]t|does not)|want me to|would you like|should i|shall i|do you want|you(?:'ll| will)? (?:still )?(?:need|have) to|(?:still )?needs? to be|follow-?up|blocked (?:by|on)|waiting (?:for|on)|untested|haven['’]t (?:tested|run|verified|pushed|committed)|not (?:tested|verified|committed|pushed)|try (?:again|running)|might see an error|if you (?:hit|see|get) an[y]?\b|noch (?:nicht|offen)|soll ich)\b/i;
/** "Next: run the backfill." */
const announced = /^\s*(?:[-*+•]\s+|\d{1,2}[.)]\s+)?(?:\*\*|__)?(?:next(?: up)?|als nächstes)(?:\*\*|__)?\s*:/i;
const rhetorical = /^(?:why|what happened|how come)\b/i;

const shown = (line: string): string =>
  clip(oneLine(line.replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/, '').replace(/\*\*|__/g, '')), maxOpenUnits);
