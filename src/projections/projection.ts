/** The type of a projection: tables that are a fold of both journals, and how their rows are added and removed. */
import type Database from 'better-sqlite3';
import type { JournalEvent, RecordedEvent } from '../events/event.js';
import type { JournalName } from '../events/note/note.js';
import type { ProjectedNote } from './note-row.js';

export type Projection = {
  readonly name: string;
  /** Raised when the same journals would give other rows, or when the tables change; never lowered. */
  readonly version: number;
  readonly tables: string;
  /** SQL that runs after a replay has inserted its rows: building a B-tree once is cheaper than maintaining it. */
  readonly indexes: string;
  readonly digest: DigestQueries;
  /** Begins writing in the caller's transaction; queries no other projection's tables. */
  readonly begin: (database: Database.Database, way: Way) => ProjectionWriter;
};

/** A replay fills tables without indexes, the portable journal's rows first; a catch-up applies the changes. */
export type Way = 'replay' | 'catch-up';

/** A projection leaves out the methods that it does not need. */
export type ProjectionWriter = {
  /** Adds the file at a path that has no row, whether or not it is a readable note. */
  insert?(projected: ProjectedNote): void;
  remove?(journal: JournalName, path: string): void;
  /** Called for the oldest event first. The same id may occur again in the other journal. */
  addEvent?(event: ProjectedEvent): void;
  /** The event's commit is no longer in the history; another commit may add the event again. */
  removeEvent?(event: DroppedEvent): void;
  /** Called once after all rows (and indexes): derives what depends on several rows. May throw NeedsReplay. */
  finish?(): void;
};

/** `repeats` is the id that the commit claims although another commit is that event. */
export type ProjectedEvent = RecordedEvent & { readonly repeats?: string };

export type DroppedEvent = JournalEvent & { readonly journal: JournalName; readonly commit: string };

/** Rows as text, or bytes whose lengths another query returns; ordered by content, since rowids follow arrival. */
export type DigestQueries = {
  /** Have one parameter, the name of a journal. */
  readonly perJournal: readonly string[];
  /** Cover rows that depend on both journals together. */
  readonly shared: readonly string[];
};

/** Thrown to roll back a catch-up: these rows can't be brought up to date one by one. */
export class NeedsReplay extends Error {}
