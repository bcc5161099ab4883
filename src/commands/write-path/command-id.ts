/** Names of commands. One goes into the commit as it is, so it has to look like a name and like no secret. Pure. */
import { maskText } from '../../events/note/mask-text.js';
import type { Refusal } from '../refusals.js';

/** True for what may name a command. Linear in the text. */
export const isCommandId = (text: string): boolean => shape.test(text) && maskText(text) === text;

const shape = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}$/;

/**
 * A refusal that does not repeat what was given, undefined for a name that may be recorded. It is not masked instead: two
 * commands would then have one name, and the second would be taken for the first.
 */
export const refuseCommandId = (given: string | undefined): Refusal | undefined => {
  if (given === undefined || isCommandId(given)) return undefined;
  const message = shape.test(given)
    ? 'the command id looks like a secret, and it would be recorded as it is'
    : 'the command id must be at most 200 letters, digits and . _ : / @ -, and begin with a letter or digit';
  return { code: 'command-id-invalid', message, next: 'give another name for the command, such as the id of a job' };
};
