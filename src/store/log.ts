/** The log file of a store: one line per message, rotated by size. A log that can't be written is not worth failing for. */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.js';

const maxBytes = 1024 * 1024;

export const openLog =
  (folder: string) =>
  (line: string): void => {
    const file = join(folder, 'anamnesis.log');
    try {
      makeFolder(folder);
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(file, `${file}.1`);
      appendFileSync(file, `${new Date().toISOString()} ${process.pid} ${line}\n`, { mode: 0o600 });
    } catch {
      // Nothing is left to tell it to.
    }
  };
