/** Both texts of a conflict in one, for a person to decide in an editor. Pure. */
import { diffLines } from '../events/note/line-diff.js';

const marks = {
  note: '<<<<<<< the note says',
  copy: '======= the conflicting edit says',
  end: '>>>>>>> end of the conflict',
} as const;

/** Lines that both share stand once; where they differ, one stands above the other between marks. */
export const markConflict = (note: string, copy: string): string => {
  const texts = diffLines(note, copy).map((part) =>
    part.kind === 'same'
      ? part.lines.join('')
      : `${marks.note}\n${ended(part.before)}${marks.copy}\n${ended(part.after)}${marks.end}\n`,
  );
  return texts.join('');
};

/** True while a line of the text is one of the marks. */
export const hasMarks = (text: string): boolean =>
  text.split(/\r?\n/).some((line) => Object.values(marks).some((mark) => mark === line.trimEnd()));

/** A mark stands on a line of its own also after a text without a line end. */
const ended = (lines: readonly string[]): string => {
  const text = lines.join('');
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
};
