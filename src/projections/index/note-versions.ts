/** The version of every note, for data that is derived from note texts outside the index. */
import type Database from 'better-sqlite3';
import { type BlobId, type JournalName, journalNames } from '../../events/note/note.js';
import { checkpointOf } from '../checkpoint.js';
import { prepared } from '../prepared.js';

export type VersionedNote = {
  readonly journal: JournalName;
  readonly path: string;
  readonly blob: BlobId;
  readonly title: string;
  readonly sensitive: boolean;
};

/** Includes superseded and expired notes, but not second files of one id. */
export const versionedNotes = (database: Database.Database): readonly VersionedNote[] =>
  selectVersions(database)
    .all()
    .map(({ sensitive, ...note }) => ({ ...note, sensitive: sensitive === 1 }));

/** Names the commits that the index reflects: an equal text means equal notes. */
export const reflectedBy = (database: Database.Database): string =>
  journalNames.map((name) => checkpointOf(database, name) ?? '-').join(' ');

type Row = Omit<VersionedNote, 'sensitive'> & { readonly sensitive: number };

const selectVersions = prepared<[], Row>(
  'SELECT journal, path, blob, title, sensitive FROM notes WHERE shadowed = 0 ORDER BY journal, path',
);
