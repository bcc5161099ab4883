/** What the agent said last: the texts of one API message, which stands in the transcript over several lines. Pure. */
import { cleanText, clip } from './clip.js';
import type { AssistantEntry } from './entry.js';
import { isInjected } from './prompts.js';
import { maxOutcomeUnits } from './session.js';

export type Reply = { readonly messageId: string | undefined; readonly text: string };

export const noReply: Reply = { messageId: undefined, text: '' };

/** The reply after one more line: the same where nothing is said, longer within a message, another one after it. */
export const nextReply = (before: Reply, { messageId, texts }: Pick<AssistantEntry, 'messageId' | 'texts'>): Reply => {
  const said = saidIn(texts);
  if (said === '') return before;
  const isSameMessage = messageId !== undefined && messageId === before.messageId;
  if (!isSameMessage || before.text === '') return { messageId, text: said };
  return before.text.length >= heldUnits || before.text.endsWith(said)
    ? before
    : { messageId, text: `${before.text}\n\n${said}` };
};

/** Texts of a line, joined; at most `most` units of each. */
export const saidIn = (texts: readonly string[], most: number = heldUnits): string =>
  texts
    .filter((text) => !isInjected(text))
    .map((text) => cleanText(text, most))
    .filter((text) => text !== '' && text !== '(no content)')
    .join('\n\n');

export const outcomeOfReply = ({ text }: Reply): string => clip(text, maxOutcomeUnits);

/** More than is kept in the end, because masking comes before cutting. */
const heldUnits = 2 * maxOutcomeUnits;
