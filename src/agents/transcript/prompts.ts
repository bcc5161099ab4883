/** Finds the texts that a person wrote: many of a transcript's user entries come from the program itself. */

import { cleanText, clip, oneLine } from './clip.js';
import { isWrittenByMachine, withoutMachineText } from './prose.js';

/** In UTF-16 units, like all limits here. */
export const maxPromptUnits = 600;
/** Units read of a prompt: a long one may end with a decision. */
export const maxTypedUnits = 4000;

export type Prompt = { readonly text: string; readonly isSlashCommand: boolean };

/** Without what an editor or a hook added; undefined when no person typed it. Expects masked text. */
export const readPrompt = (text: string, most: number = maxPromptUnits): Prompt | undefined => {
  if (/^\s*<command-(?:name|message)>/.test(text)) return readSlashCommand(text, most);
  const typed = withoutMachineText(text).trim();
  if (typed === '' || isWrittenByMachine(typed)) return undefined;
  const cleaned = clip(cleanText(typed, scannedUnits(most)), most);
  return cleaned === '' ? undefined : { text: cleaned, isSlashCommand: false };
};

/** Begins injected memory, which must not be captured as something new. */
export const injection = '# Anamnesis memory (auto-injected)';

/** Begins the program's message when a person interrupts a turn. */
export const interruption = '[Request interrupted';

/** Enough for a clipped text, even if half of it is terminal codes. */
const scannedUnits = (most: number): number => 8 * most;

const readSlashCommand = (text: string, most: number): Prompt | undefined => {
  const name = oneLine(cleanText(textInTag(text, 'command-name'), 200)).replace(/^\/+/, '');
  if (name === '') return undefined;
  const args = cleanText(textInTag(text, 'command-args'), scannedUnits(most));
  return { text: clip(`/${name} ${args}`.trim(), most), isSlashCommand: true };
};

const textInTag = (text: string, tag: string): string => {
  const start = text.indexOf(`<${tag}>`);
  if (start === -1) return '';
  const end = text.indexOf(`</${tag}>`, start);
  return text.slice(start + tag.length + 2, end === -1 ? text.length : end);
};
