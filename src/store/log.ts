/** The log file of a store: one line per message, rotated by size. A log that can't be written is not worth failing for. */
import { closeSync, constants, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.js';

const maxBytes = 1024 * 1024;

const { O_APPEND, O_CREAT, O_NONBLOCK = 0, O_WRONLY } = constants;
/** Not waiting for the reader of a pipe that somebody put there. */
const appending = O_APPEND | O_CREAT | O_WRONLY | O_NONBLOCK;

export const openLog =
  (folder: string) =>
  (line: string): void => {
    const file = join(folder, 'anamnesis.log');
    try {
      makeFolder(folder);
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(file, `${file}.1`);
      const handle = openSync(file, appending, 0o600);
      try {
        writeSync(handle, `${new Date().toISOString()} ${process.pid} ${line}\n`);
      } finally {
        closeSync(handle);
      }
    } catch {
      // Nothing is left to tell it to.
    }
  };
