/** Reads transcripts of Claude Code sessions, of every version, damaged or not, in constant memory. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Entry, parseEntry } from '../transcript/entry.js';
import { isProgress, parseLine } from '../transcript/json-lines.js';
import { readLines } from '../transcript/lines.js';
import { type Exchange, ExchangeFold } from './exchanges.js';
import type { Session } from './session.js';
import { SessionFold } from './session-fold.js';
import { readSubagentFiles } from './subagent-files.js';

export type { Exchange } from './exchanges.js';

/** With subagents, also from files of their own. Skips unparsable lines. Throws if the transcript can't be read. */
export const readSession = async (file: string): Promise<Session> => {
  const fold = new SessionFold();
  const bytes = await readEntries(file, 0, (entry, offset) => fold.add(entry, offset));
  const stem = basename(file, '.jsonl');
  const ids = fold.sessionIds();
  const traces = await readSubagentFiles(file, ids.length === 0 ? [stem] : ids);
  return fold.finish({ stem, file: basename(file), bytes, traces });
};

/** Oldest first; reads only the end of the file. Of a turn longer than that, the prompt is what is repeated, or ''. */
export const readLastExchanges = async (
  file: string,
  { count, maxChars }: { readonly count: number; readonly maxChars: number },
): Promise<readonly Exchange[]> => {
  if (count < 1) return [];
  const { size } = await stat(file);
  let exchanges: readonly Exchange[] = [];
  for (const window of windows) {
    const fold = new ExchangeFold(count, maxChars);
    await readEntries(file, Math.max(0, size - window), (entry, offset) => fold.add(entry, offset));
    exchanges = fold.finish();
    if (window >= size || exchanges.length >= count) break;
  }
  return exchanges;
};

/** Bytes to read from the end; for most sessions the first is enough. */
const windows: readonly number[] = [512 * 1024, 4 * 1024 * 1024];

/** Returns the offset after the last complete line. Skips a line that begins before `from`. */
const readEntries = async (
  file: string,
  from: number,
  add: (entry: Entry, offset: number) => void,
): Promise<number> => {
  let complete = from;
  // Starts one byte earlier, to see whether a line begins at `from`.
  const start = Math.max(0, from - 1);
  await readLines(file, start, ({ offset, end, hasLineFeed, bytes }) => {
    const isSkipped = offset < from || (hasLineFeed && isProgress(bytes));
    const { objects, isWhole } = isSkipped ? nothing : parseLine(bytes);
    if (!hasLineFeed && !isWhole) return;
    complete = end;
    for (const { at, value } of objects) {
      const entry = parseEntry(value);
      if (entry !== undefined) add(entry, offset + at);
    }
  });
  return complete;
};

const nothing = { objects: [], isWhole: false } as const;
