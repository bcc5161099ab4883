/** The log file of a store: one line per message, rotated by size. Failing to write it is not an error. */
import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
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
      const handle = openSync(file, 'a', 0o600);
      try {
        writeSync(handle, `${new Date().toISOString()} ${process.pid} ${line}\n`);
      } finally {
        closeSync(handle);
      }
    } catch {
      // There is nowhere left to report it.
    }
  };
