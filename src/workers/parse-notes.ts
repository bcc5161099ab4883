/** Task: a batch of note files becomes rows of the index. Plain data in and out, because it crosses threads. */

import type { BlobId, JournalName } from '../events/note.js';
import { parseNoteFile } from '../events/note-file.js';
import { readVersion } from '../events/working-tree.js';
import { type Projected, projectNote } from '../projections/index/row.js';

export type ParseTask = {
  readonly task: 'parse';
  readonly journal: JournalName;
  readonly folder: string;
  readonly entries: readonly {
    readonly path: string;
    readonly blob: BlobId;
    readonly bytes?: Uint8Array | undefined;
  }[];
};

/** Rows in the order of the entries; undefined where the working tree does not hold that version. */
export const parseNotes = ({ journal, folder, entries }: ParseTask): (Projected | undefined)[] =>
  entries.map(({ path, blob, bytes }) => {
    const content = bytes === undefined ? readVersion(folder, path, blob) : Buffer.from(bytes);
    return content === undefined ? undefined : projectNote(parseNoteFile(content, journal, path), journal, path, blob);
  });
