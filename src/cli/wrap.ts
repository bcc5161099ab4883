/** Breaks lines between words, for a terminal. */
import stringWidth from 'fast-string-width';

/** Returns lines of whole words, none wider than `width` unless a word is: a path stays in one piece, to be copied. */
export const wrapWords = (text: string, width: number): readonly string[] => {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of piecesOf(text, width)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
};

/** Wraps each line of a text that is too wide, keeping its indentation and its line break. */
export const wrapLines = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => {
      if (widthOf(line) <= width) return line;
      const indent = /^ */.exec(line)?.[0] ?? '';
      const room = Math.max(narrowest, width - indent.length);
      return wrapWords(line.slice(indent.length), room)
        .map((part) => indent + part)
        .join('\n');
    })
    .join('\n');

const narrowest = 20;

/** Splits text into words, and commands to type, which stay in one piece if a line has room for them. */
const piecesOf = (text: string, width: number): readonly string[] => {
  const joined = text.replace(command, (typed) => (widthOf(typed) > width ? typed : typed.replaceAll(' ', joint)));
  return joined.split(' ').map((piece) => piece.replaceAll(joint, ' '));
};

/** No printed text contains it. */
const joint = '\0';

/** Matches `anamnesis`, its subcommands, and what looks like arguments: the sentence may continue after them. */
const command =
  /\banamnesis [a-z][a-z-]*(?:(?<= (?:config|eval|model|project|remote)) [a-z][a-z-]*)?(?: (?:--?[A-Za-z][\w-]*(?: [\w./:-]+)?|'[^']*'|"[^"]*"|[A-Z0-9~/.][^\s;,]*))*/g;

/**
 * Columns of a terminal, about right: terminals differ on emoji. Vowel signs beside their letter, as in Hindi, count
 * one each, so that no row is too long. Not string-width, whose Intl.Segmenter and patterns took 15 times the time.
 */
export const widthOf = (text: string): number => {
  if (isAscii(text)) return text.length;
  const composed = text.normalize('NFC').replaceAll('\u200c', '');
  return stringWidth(composed.replace(spacingSigns, '')) + (composed.match(spacingSigns)?.length ?? 0);
};

const spacingSigns = /\p{Mc}/gu;

export const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
