/** Files that grow by lines, such as the log of a store: rotated by size. */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../files/folders.js';

const maxBytes = 1024 * 1024;
const names = { current: 'anamnesis.log', previous: 'anamnesis.log.1' };

/** Failing to write it is not an error. */
export const openLog =
  (folder: string) =>
  (line: string): void => {
    try {
      appendLine(folder, names, `${new Date().toISOString()} ${process.pid} ${line}`, maxBytes);
    } catch {
      // There is nowhere left to report it.
    }
  };

/** Appends in one write, so that lines of several processes don't mix. */
export const appendLine = (
  folder: string,
  { current, previous }: { readonly current: string; readonly previous: string },
  line: string,
  mostBytes: number,
): void => {
  const file = join(folder, current);
  makeFolder(folder);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > mostBytes) renameSync(file, join(folder, previous));
  appendFileSync(file, `${line}\n`, { mode: 0o600 });
};
