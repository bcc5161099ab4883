/** Joins both texts of a conflict with marks, to be resolved in an editor. Pure. */
import { diffLines } from '../events/note/line-diff.js';

const marks = {
  note: '<<<<<<< the note says',
  copy: '======= the conflicting edit says',
  end: '>>>>>>> end of the conflict',
} as const;

/** Shared lines appear once; differing ones appear between marks, the note's above the copy's. */
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

/** Adds a missing final newline, so that a mark always starts its own line. */
const ended = (lines: readonly string[]): string => {
  const text = lines.join('');
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
};
