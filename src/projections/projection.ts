/** The type of a projection: tables that are a fold of both journals, and how their rows come and go. */
import type Database from 'better-sqlite3';
import type { JournalEvent, RecordedEvent } from '../events/event.js';
import type { JournalName } from '../events/note/note.js';
import type { Projected } from './note-row.js';

export type Projection = {
  readonly name: string;
  /** Raised when the same journals would give other rows, or the tables change; never lowered. */
  readonly version: number;
  /** SQL that makes the tables, empty. */
  readonly tables: string;
  /** SQL, run after the rows of a replay are in: building a B-tree once is cheaper than keeping it while inserting. */
  readonly indexes: string;
  readonly digest: DigestQueries;
  /** Begins one transaction on the tables; asks no other projection's. */
  readonly begin: (database: Database.Database, way: Way) => ProjectionWriter;
};

/** Replay fills empty tables without indexes, memory's rows before local's; catching up applies what changed. */
export type Way = 'replay' | 'catch-up';

/** A part that is missing means that the projection doesn't look at it. */
export type ProjectionWriter = {
  /** The note file at a path that has no row, readable or not. */
  insert?(projected: Projected): void;
  /** Nothing is at the path any more, whether something was or not. */
  remove?(journal: JournalName, path: string): void;
  /** Oldest first. An id may come again in the other journal. */
  addEvent?(event: ProjectedEvent): void;
  /** Its commit is not part of the history any more; it may be added again in another one. */
  removeEvent?(event: DroppedEvent): void;
  /** Once, after all rows and, in a replay, the indexes: what depends on several rows. May throw NeedsReplay. */
  finish?(): void;
};

/** `repeats` is the id that its commit claims, where another commit is that event. */
export type ProjectedEvent = RecordedEvent & { readonly repeats?: string };

export type DroppedEvent = JournalEvent & { readonly journal: JournalName; readonly commit: string };

/**
 * Each row, or many of them, as one text, or only bytes whose lengths another query gives; in an order that depends on
 * content alone, since a rowid tells the order of arrival.
 */
export type DigestQueries = {
  /** Take the name of a journal. */
  readonly perJournal: readonly string[];
  /** Rows that both journals make together. */
  readonly shared: readonly string[];
};

/** Thrown in a transaction of catching up, to take it back: these rows can't be brought up to date one by one. */
export class NeedsReplay extends Error {}
