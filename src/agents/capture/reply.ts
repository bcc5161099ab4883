/** The agent's last message: the texts of one API message, which spans several lines of a transcript. Pure. */

import { cleanText, clip } from '../transcript/clip.js';
import type { AssistantEntry } from '../transcript/entry.js';
import { injection } from '../transcript/prompts.js';
import { RawText } from '../transcript/raw-text.js';
import { maxOutcomeUnits } from './session.js';

/** Raw, because a key may begin in one text and end in the next. */
export type Reply = { readonly messageId: string | undefined; readonly texts: readonly RawText[] };

export const noReply: Reply = { messageId: undefined, texts: [] };

/** The reply after one more line. Holds about `mostUnits` at most: hundreds of subagents may speak at once. */
export const nextReply = (
  before: Reply,
  { messageId, texts }: Pick<AssistantEntry, 'messageId' | 'texts'>,
  mostUnits = heldUnits,
): Reply => {
  const said = texts.filter(sayingSomething).map((text) => shortened(text, mostUnits));
  if (said.length === 0) return before;
  const isSameMessage = messageId !== undefined && messageId === before.messageId;
  if (!isSameMessage || before.texts.length === 0) return { messageId, texts: said };
  const isFull = unitsOf(before) >= mostUnits;
  const isAgain = said.length === 1 && said.every((text) => before.texts.at(-1)?.equals(text) === true);
  return isFull || isAgain ? before : { messageId, texts: [...before.texts, ...said] };
};

export const unitsOf = ({ texts }: Reply): number => texts.reduce((sum, text) => sum + text.units, 0);

/** True if a person would see any of it; decided without masking it. */
export const sayingSomething = (text: RawText): boolean =>
  !text.isBlank && !text.startsWith('(no content)') && !text.startsWith(injection);

/** Masks and joins the texts of one message. */
export const saidIn = (texts: readonly RawText[]): string =>
  RawText.maskAll(texts)
    .map((text) => cleanText(text, text.length))
    .filter((text) => text !== '')
    .join('\n\n');

export const outcomeOfReply = ({ texts }: Reply): string => outcomeOfText(saidIn(texts));

/** Expects masked text. */
export const outcomeOfText = (said: string): string => clip(cleanText(said, heldUnits), maxOutcomeUnits);

const heldUnits = 2 * maxOutcomeUnits;

/** Up to this length, holding a text costs less than masking it. */
const maxRawUnits = 4096;

const shortened = (text: RawText, mostUnits: number): RawText =>
  text.units <= Math.max(maxRawUnits, mostUnits) ? text : new RawText([cleanText(text.masked(), mostUnits)]);
