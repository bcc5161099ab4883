/** Checks command ids: one is committed unmasked, so it must not look like a secret. Pure. */
import { maskText } from '../../events/note/mask-text.js';
import type { Refusal } from '../refusals.js';

/** True if the text may be a command id. Linear in the text. */
export const isCommandId = (text: string): boolean => shape.test(text) && maskText(text) === text;

const shape = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}$/;

/** Doesn't repeat the id. A masked one would name two commands, and the second would be taken for the first. */
export const refuseCommandId = (given: string | undefined): Refusal | undefined => {
  if (given === undefined || isCommandId(given)) return undefined;
  const message = shape.test(given)
    ? 'the command id looks like a secret, and it would be recorded as it is'
    : 'the command id must be at most 200 letters, digits and . _ : / @ -, and begin with a letter or digit';
  return { code: 'command-id-invalid', message, next: 'give another name for the command, such as the id of a job' };
};
