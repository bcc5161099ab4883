/**
 * Vectors beside the index, of one model, for the passages of every note; it can be lost. Notes are known by path and
 * version, so a row stays valid. Segments hold some hundred notes: reading 200 rows takes a tenth of the time of
 * 100,000. A changed note goes into a new segment; its old place belongs to no note.
 */
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { PackedVectors } from '../embedding/packed-vectors.js';
import type { BlobId, JournalName } from '../events/note/note.js';

export type NoteVersion = { readonly journal: JournalName; readonly path: string; readonly blob: BlobId };

export type NotePlace = { readonly segment: number; readonly place: number };

export type Segment = PackedVectors & {
  readonly id: number;
  /** Number of passages of each note, by place. */
  readonly counts: Uint32Array;
};

export type VectorChange = {
  readonly add?: { readonly notes: readonly NoteVersion[]; readonly vectors: readonly PackedVectors[] } | undefined;
  readonly remove?: readonly NoteVersion[] | undefined;
  /** The state of the index for which all notes have vectors here; undefined while some have none. */
  readonly reflects?: string | undefined;
};

/** Creates the file if there is none, and then removes those of other models. Throws errors of SQLite and the disk. */
export const openVectorFile = (folder: string, identity: string): VectorFile => {
  const known = vectorFileOf(folder, identity);
  return known === undefined ? beginVectorFile(folder, identity) : openAt(known);
};

/** Each name is used once, so that no leftover rollback journal is applied to a file that it does not belong to. */
export const beginVectorFile = (folder: string, identity: string): VectorFile => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const prefix = prefixOf(identity);
  for (;;) {
    const others = filesIn(folder).filter(isVectors);
    const name = nameOf(prefix, Math.max(0, ...others.map((other) => numberOf(other, prefix))) + 1);
    try {
      closeSync(openSync(join(folder, name), 'wx', 0o600));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue;
      throw error;
    }
    for (const other of others) rmSync(join(folder, other), { force: true });
    return openAt(join(folder, name));
  }
};

export const isDamagedVectors = (error: unknown): boolean =>
  error instanceof Database.SqliteError &&
  (/^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code) || /no such (?:table|column)|malformed/.test(error.message));

/** A segment takes a few hundred kB, and is read whole. */
export const notesPerSegment = 512;

const schema = `
  CREATE TABLE IF NOT EXISTS segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT, counts BLOB NOT NULL, scales BLOB NOT NULL, vectors BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS notes (
    journal TEXT NOT NULL, path TEXT NOT NULL, blob TEXT NOT NULL, segment INTEGER NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (journal, path)) WITHOUT ROWID;
  CREATE UNIQUE INDEX IF NOT EXISTS notes_place ON notes (segment, place);
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;`;

const openAt = (file: string): VectorFile => {
  const database = new Database(file, { fileMustExist: true, timeout: 2000 });
  try {
    // A database that is only read needs no file beside it, so it can be opened on a disk that can't be written.
    if (!hasTables(database)) database.exec(schema);
    return new VectorFile(database, file);
  } catch (error) {
    database.close();
    throw error;
  }
};

const hasTables = (database: Database.Database): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() !== undefined;

type PlacedNote = { readonly note: NoteVersion; readonly vectors: PackedVectors | undefined };

type SegmentRow = { readonly id: number; readonly counts: Buffer; readonly scales: Buffer; readonly vectors: Buffer };

export class VectorFile {
  private readonly inode: number | undefined;

  constructor(
    private readonly database: Database.Database,
    readonly file: string,
  ) {
    this.inode = inodeOf(file);
  }

  /** False once the file was replaced or removed. */
  isCurrent(): boolean {
    return inodeOf(this.file) === this.inode;
  }

  reflects(): string | undefined {
    return this.database.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'reflects'").get()?.value;
  }

  notes(): readonly NoteVersion[] {
    return this.database.prepare<[], NoteVersion>('SELECT journal, path, blob FROM notes ORDER BY journal, path').all();
  }

  /** Returns the segments with an id above `after`, by id. */
  segments(after: number): readonly Segment[] {
    const select = 'SELECT * FROM segments WHERE id > ? ORDER BY id';
    return this.database.prepare<[number], SegmentRow>(select).all(after).map(toSegment);
  }

  /** The id of the first segment, which changes when all are packed anew; 0 if there is none. */
  firstSegment(): number {
    return this.database.prepare<[], { id: number | null }>('SELECT min(id) AS id FROM segments').get()?.id ?? 0;
  }

  /** Returns the notes in the order of `places`; undefined for a place that no longer belongs to a note. */
  readonly notesAt = (places: readonly NotePlace[]): readonly (NoteVersion | undefined)[] => {
    const select = this.database.prepare<[string], NoteVersion & { at: number }>(
      `SELECT j.key AS at, n.journal, n.path, n.blob FROM json_each(?) j CROSS JOIN notes n
       ON n.segment = j.value ->> 0 AND n.place = j.value ->> 1`,
    );
    const given = JSON.stringify(places.map(({ segment, place }) => [segment, place]));
    const found = new Map(select.all(given).map(({ at, ...note }) => [at, note]));
    return places.map((_, at) => found.get(at));
  };

  /** Returns the places in the order of `notes`; undefined for a version without vectors. */
  readonly placesOf = (
    notes: readonly Readonly<Record<keyof NoteVersion, string>>[],
  ): readonly (NotePlace | undefined)[] => {
    const select = this.database.prepare<[string], NotePlace & { at: number }>(
      `SELECT j.key AS at, n.segment, n.place FROM json_each(?) j CROSS JOIN notes n
       ON n.journal = j.value ->> 0 AND n.path = j.value ->> 1 AND n.blob = j.value ->> 2`,
    );
    const given = JSON.stringify(notes.map(({ journal, path, blob }) => [journal, path, blob]));
    const found = new Map(select.all(given).map(({ at, ...place }) => [at, place]));
    return notes.map((_, at) => found.get(at));
  };

  /** The dimension of all vectors; undefined if there are none. */
  dimension(): number | undefined {
    const select =
      'SELECT length(vectors) * 4 / length(scales) AS dimension FROM segments WHERE length(scales) > 0 LIMIT 1';
    return this.database.prepare<[], { dimension: number }>(select).get()?.dimension;
  }

  /** Counts places that no longer belong to a note, notes and segments, to tell when packing is worthwhile. */
  waste(): { readonly places: number; readonly notes: number; readonly segments: number } {
    const select = this.database.prepare<[], { places: number; notes: number; segments: number }>(
      `SELECT (SELECT coalesce(sum(length(counts)), 0) / 4 FROM segments) - (SELECT count(*) FROM notes) AS places,
         (SELECT count(*) FROM notes) AS notes, (SELECT count(*) FROM segments) AS segments`,
    );
    return select.get() ?? { places: 0, notes: 0, segments: 0 };
  }

  /** SHA-256 of all notes and their vectors in path order, however they are spread over segments. */
  digest(): string {
    const hash = createHash('sha256');
    for (const { note, vectors } of this.placed()) {
      hash.update(`${note.journal} ${note.path} ${note.blob} ${vectors?.count}\n`);
      if (vectors !== undefined) hash.update(bytesOf(vectors.scales)).update(bytesOf(vectors.values));
    }
    return hash.digest('hex');
  }

  /** Applies the change in one transaction. */
  change({ add, remove = [], reflects }: VectorChange): void {
    const { database } = this;
    const drop = database.prepare<string[]>('DELETE FROM notes WHERE journal = ? AND path = ? AND blob = ?');
    const setMeta = database.prepare<string[]>("INSERT OR REPLACE INTO meta (key, value) VALUES ('reflects', ?)");
    database
      .transaction(() => {
        for (const { journal, path, blob } of remove) drop.run(journal, path, blob);
        if (add !== undefined) this.add(add.notes, add.vectors);
        if (reflects === undefined) database.exec("DELETE FROM meta WHERE key = 'reflects'");
        else setMeta.run(reflects);
      })
      .immediate();
  }

  /** Packs all notes into new segments, in path order. */
  pack(): void {
    this.database
      .transaction(() => {
        const kept = this.placed().flatMap(({ note, vectors }) => (vectors === undefined ? [] : [{ note, vectors }]));
        this.database.exec('DELETE FROM notes; DELETE FROM segments');
        this.add(
          kept.map(({ note }) => note),
          kept.map(({ vectors }) => vectors),
        );
      })
      .immediate();
  }

  close(): void {
    this.database.close();
  }

  private add(notes: readonly NoteVersion[], vectors: readonly PackedVectors[]): void {
    const insertSegment = this.database.prepare<Buffer[]>(
      'INSERT INTO segments (counts, scales, vectors) VALUES (?, ?, ?)',
    );
    const insertNote = this.database.prepare<[string, string, string, number | bigint, number]>(
      'INSERT OR REPLACE INTO notes (journal, path, blob, segment, place) VALUES (?, ?, ?, ?, ?)',
    );
    for (let from = 0; from < notes.length; from += notesPerSegment) {
      const part = vectors.slice(from, from + notesPerSegment);
      const id = insertSegment.run(
        bytesOf(Uint32Array.from(part, ({ count }) => count)),
        Buffer.concat(part.map(({ scales }) => bytesOf(scales))),
        Buffer.concat(part.map(({ values }) => bytesOf(values))),
      ).lastInsertRowid;
      notes.slice(from, from + notesPerSegment).forEach(({ journal, path, blob }, place) => {
        insertNote.run(journal, path, blob, id, place);
      });
    }
  }

  /** Returns the notes in path order; one without its vectors is from a damaged file. */
  private placed(): readonly PlacedNote[] {
    const bySegment = new Map(this.segments(0).map((segment) => [segment.id, splitSegment(segment)]));
    const select = 'SELECT journal, path, blob, segment, place FROM notes ORDER BY journal, path';
    return this.database
      .prepare<[], NoteVersion & NotePlace>(select)
      .all()
      .map(({ segment, place, ...note }) => ({ note, vectors: bySegment.get(segment)?.[place] }));
  }
}

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;

const bytesOf = (numbers: Uint32Array | Float32Array | Int8Array): Buffer =>
  Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);

/** SQLite's bytes may start at any address, so four-byte numbers are copied to be aligned. */
const toSegment = ({ id, counts, scales, vectors }: SegmentRow): Segment => ({
  id,
  count: scales.length >> 2,
  counts: new Uint32Array(Uint8Array.from(counts).buffer, 0, counts.length >> 2),
  scales: new Float32Array(Uint8Array.from(scales).buffer, 0, scales.length >> 2),
  values: new Int8Array(vectors.buffer, vectors.byteOffset, vectors.length),
});

/** Splits a segment into the vectors of each note, by place. */
const splitSegment = ({ counts, scales, values, count }: Segment): readonly PackedVectors[] => {
  const dimension = count === 0 ? 0 : values.length / count;
  let at = 0;
  return Array.from(counts, (own) => {
    const from = at;
    at += own;
    return {
      count: own,
      scales: scales.slice(from, at),
      values: values.slice(from * dimension, at * dimension),
    };
  });
};

/** Names files by all that vectors depend on besides notes: the model with its version, and how passages are cut. */
export const prefixOf = (identity: string): string =>
  `vectors-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}-`;

export const isVectors = (name: string): boolean => /^vectors-[0-9a-f]{16}-\d{6}\.db/.test(name);

export const numberOf = (name: string, prefix: string): number =>
  name.startsWith(prefix) && name.endsWith('.db') ? Number(name.slice(prefix.length, -3)) : 0;

/** The file with the model's vectors; undefined if there is none. */
export const vectorFileOf = (folder: string, identity: string): string | undefined => {
  const prefix = prefixOf(identity);
  const last = Math.max(0, ...filesIn(folder).map((name) => numberOf(name, prefix)));
  return last === 0 ? undefined : join(folder, nameOf(prefix, last));
};

export const hasVectors = (folder: string): boolean => filesIn(folder).some(isVectors);

/** A process that has one of them open keeps what it has read. */
export const removeVectors = (folder: string): void => {
  for (const name of filesIn(folder).filter(isVectors)) rmSync(join(folder, name), { force: true });
};

export const nameOf = (prefix: string, number: number): string => `${prefix}${String(number).padStart(6, '0')}.db`;

export const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
