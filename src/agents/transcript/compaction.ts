/** The summary that replaces a conversation when it is compacted. Pure. */

import { cleanText, clipMiddle } from './clip.js';

/** In UTF-16 units. */
export const maxCompactionUnits = 4000;

/** The summary without thinking, code and framing, at most `maxCompactionUnits`; the end, which says what is next. */
export const compactionGist = (text: string): string => {
  const said = cleanText(text, scannedUnits);
  const start = startOfSummary(said);
  const kept = said.slice(start).replace(/<\/?summary>/g, '');
  const end = framing.map((line) => kept.indexOf(line)).filter((at) => at > 0);
  const own = withoutCode(end.length === 0 ? kept : kept.slice(0, Math.min(...end)));
  return clipMiddle(
    own
      .replace(preamble, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    maxCompactionUnits,
  );
};

const scannedUnits = 64 * 1024;

const preamble =
  /^This session is being continued from a previous conversation[^\n]*\s*(?:The conversation is summarized below:\s*)?/;

const framing: readonly string[] = [
  '\nIf you need specific details from before compaction',
  '\nPlease continue the conversation from where we left it',
  '\nPlease continue the conversation from where we left off',
  '\nContinue the conversation from where it left off',
  '\nPlease continue with the last task',
];

const startOfSummary = (text: string): number => {
  const tag = text.indexOf('<summary>');
  if (tag !== -1) return tag;
  const analysis = text.search(/^Analysis:/m);
  const summary = analysis === -1 ? -1 : text.indexOf('\nSummary:', analysis);
  return summary === -1 ? 0 : summary + '\nSummary:'.length;
};

/** Works line by line, so that a fence that is never closed removes only what follows it. */
const withoutCode = (text: string): string => {
  const kept: string[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    else if (!isCode) kept.push(line);
  }
  return kept.join('\n');
};
