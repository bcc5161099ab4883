/** Makes foreign markdown safe to quote in a section of a note. Pure. */
import { cleanText, clip, oneLine } from '../../transcript/clip.js';

/** Puts the words on one line, without code, headings or fences: a quotation must not begin or swallow a section. */
export const quoteLine = (text: string, most: number): string => {
  const lines = plainLines(cleanText(text, scannedUnits(most)));
  const prose = lines.filter(({ line, isCode }) => !isCode && !sayingNothing.test(line));
  return clip(joinLines((prose.length === 0 ? lines : prose).map(({ line }) => line.trim())), most);
};

export const quoteCode = (text: string, most: number): string =>
  `\`${clip(oneLine(text).replaceAll('`', "'"), most)}\``;

type PlainLine = { readonly line: string; readonly isCode: boolean };

const scannedUnits = (most: number): number => 4 * most + 400;

const plainLines = (text: string): readonly PlainLine[] => {
  const plain: PlainLine[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (/^\s*(?:`{3,}|~{3,})/.test(line)) isCode = !isCode;
    else if (/[\p{L}\p{N}]/u.test(line))
      plain.push({ line: isCode ? `    ${line.trimEnd()}` : plainLine(line), isCode });
  }
  return plain;
};

const plainLine = (line: string): string => {
  const indent = /^\s*/.exec(line)?.[0].length ?? 0;
  const text = line
    .trim()
    .replace(/^(?:#{1,6}\s+|>\s*)+/, '')
    .replaceAll('**', '')
    .replace(/\s{2,}/g, ' ')
    .trim();
  // Keeps a sub-item below its item.
  return indent >= 2 && listItem.test(text) ? `  ${text}` : text;
};

/** A heading above a report, such as "Summary:". */
const sayingNothing = /^(?:\p{L}+ )?summary:?$/iu;
const listItem = /^(?:[-*+•]|\d+[.)])\s+/;

/** A middle dot replaces the line break after a line that does not end like a sentence. */
const joinLines = (lines: readonly string[]): string =>
  oneLine(
    lines
      .map((line) => line.replace(/^[-*+•]\s+/, ''))
      .reduce((said, line) => (said === '' ? line : `${said}${/[.:;,!?…]$/.test(said) ? ' ' : ' · '}${line}`), ''),
  );
