/** Reads the transcript of a session of Claude Code: every version's, damaged or not, in constant memory. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Entry, parseEntry } from '../transcript/entry.js';
import { isProgress, parseLine } from '../transcript/json-lines.js';
import { readLines } from '../transcript/lines.js';
import { type Exchange, startExchanges } from './exchanges.js';
import type { Session } from './session.js';
import { startSessionFold } from './session-fold.js';
import { readSubagentFiles } from './subagent-files.js';

export type { Exchange } from './exchanges.js';

/**
 * The session with its subagents, also those that have files of their own. What cannot be parsed is passed over; a last
 * line without line feed counts when it is whole. Throws when the transcript itself cannot be read.
 */
export const readSession = async (file: string): Promise<Session> => {
  const fold = startSessionFold();
  const bytes = await readEntries(file, 0, fold.add);
  const stem = basename(file, '.jsonl');
  const ids = fold.sessionIds();
  const traces = await readSubagentFiles(file, ids.length === 0 ? [stem] : ids);
  return fold.finish({ stem, file: basename(file), bytes, traces });
};

/**
 * The last exchanges, oldest first. Reads the end of the file only, and more of it when too few prompts stand there: of
 * a turn longer than that the prompt is what the transcript repeats of it, or ''.
 */
export const readLastExchanges = async (
  file: string,
  { count, maxChars }: { readonly count: number; readonly maxChars: number },
): Promise<readonly Exchange[]> => {
  if (count < 1) return [];
  const { size } = await stat(file);
  let exchanges: readonly Exchange[] = [];
  for (const window of windows) {
    const fold = startExchanges(count, maxChars);
    await readEntries(file, Math.max(0, size - window), fold.add);
    exchanges = fold.finish();
    if (window >= size || exchanges.length >= count) break;
  }
  return exchanges;
};

/** Bytes from the end. Most sessions need the first alone. */
const windows: readonly number[] = [512 * 1024, 4 * 1024 * 1024];

/** Answers the offset behind the last complete line. A line that `from` lies within is left out. */
const readEntries = async (
  file: string,
  from: number,
  add: (entry: Entry, offset: number) => void,
): Promise<number> => {
  let complete = from;
  // From one byte before, to see whether a line begins here.
  const start = Math.max(0, from - 1);
  await readLines(file, start, ({ offset, end, hasLineFeed, bytes }) => {
    if (offset < from) {
      if (hasLineFeed) complete = end;
      return;
    }
    if (hasLineFeed && isProgress(bytes)) {
      complete = end;
      return;
    }
    const { objects, isWhole } = parseLine(bytes);
    if (!hasLineFeed && !isWhole) return;
    complete = end;
    for (const { at, value } of objects) {
      const entry = parseEntry(value);
      if (entry !== undefined) add(entry, offset + at);
    }
  });
  return complete;
};
