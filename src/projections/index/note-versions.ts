/** Every note's version, for what is derived from their texts beside the index. */
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

/** Superseded and expired ones too; second files of one id not. */
export const versionedNotes = (database: Database.Database): readonly VersionedNote[] =>
  selectVersions(database)
    .all()
    .map(({ sensitive, ...note }) => ({ ...note, sensitive: sensitive === 1 }));

/** The same text means the same notes. */
export const reflectedBy = (database: Database.Database): string =>
  journalNames.map((name) => checkpointOf(database, name) ?? '-').join(' ');

type Row = Omit<VersionedNote, 'sensitive'> & { readonly sensitive: number };

const selectVersions = prepared<[], Row>(
  'SELECT journal, path, blob, title, sensitive FROM notes WHERE shadowed = 0 ORDER BY journal, path',
);
