/** The agent's last message: the texts of one API message, which takes several lines of a transcript. Pure. */

import { cleanText, clip } from '../transcript/clip.js';
import type { AssistantEntry } from '../transcript/entry.js';
import { injection } from '../transcript/prompts.js';
import { RawText } from '../transcript/raw-text.js';
import { maxOutcomeUnits } from './session.js';

/** Raw, because a key may begin in one text and end in the next. */
export type Reply = { readonly messageId: string | undefined; readonly texts: readonly RawText[] };

export const noReply: Reply = { messageId: undefined, texts: [] };

/** The reply after one more line: the same where nothing is said, longer within a message, another one after it. */
export const nextReply = (before: Reply, { messageId, texts }: Pick<AssistantEntry, 'messageId' | 'texts'>): Reply => {
  const said = texts.filter(sayingSomething).map(shortened);
  if (said.length === 0) return before;
  const isSameMessage = messageId !== undefined && messageId === before.messageId;
  if (!isSameMessage || before.texts.length === 0) return { messageId, texts: said };
  const isFull = unitsOf(before) >= heldUnits;
  const isAgain = said.length === 1 && said.every((text) => before.texts.at(-1)?.equals(text) === true);
  return isFull || isAgain ? before : { messageId, texts: [...before.texts, ...said] };
};

export const unitsOf = ({ texts }: Reply): number => texts.reduce((sum, text) => sum + text.units, 0);

/** True if a person would see something of it, judged without reading it whole. */
export const sayingSomething = (text: RawText): boolean =>
  !text.isBlank && !text.startsWith('(no content)') && !text.startsWith(injection);

/** Texts of one message, masked and joined. */
export const saidIn = (texts: readonly RawText[]): string =>
  RawText.maskAll(texts)
    .map((text) => cleanText(text, text.length))
    .filter((text) => text !== '')
    .join('\n\n');

export const outcomeOfReply = ({ texts }: Reply): string => clip(cleanText(saidIn(texts), heldUnits), maxOutcomeUnits);

const heldUnits = 2 * maxOutcomeUnits;

/** Hundreds of subagents may speak at the same time: of a long text no more is held than is shown. */
const maxRawUnits = 4096;

const shortened = (text: RawText): RawText =>
  text.units <= maxRawUnits ? text : new RawText([cleanText(text.masked(), heldUnits)]);
