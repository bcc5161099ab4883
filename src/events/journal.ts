/**
 * The journal, as everything sees it that only reads and appends events: what stores them is behind it. The one
 * implementation is a git repository (git/git-journal.ts). Pure.
 */
import type { JournalEvent } from './event.js';
import type { Fault } from './faults.js';
import type { LoggedEvent } from './logged-event.js';
import type { BlobId, JournalName } from './note/note.js';

/** The difference of two commits of one journal, with the bytes of what was added. */
export type Difference = {
  readonly journal: JournalName;
  readonly from: string | undefined;
  readonly to: string;
  readonly changes: readonly PathChange[];
  readonly bytes: ReadonlyMap<BlobId, Buffer>;
  /** Sizes of contents that are too large for a note and so not in `bytes`. */
  readonly tooLarge?: ReadonlyMap<BlobId, number> | undefined;
  readonly events: readonly LoggedEvent[];
  /** Events of `from` that are not of `to`: their commits were appended again elsewhere, or a person took them back. */
  readonly dropped?: readonly LoggedEvent[] | undefined;
};

export type Journal = {
  readonly name: JournalName;
  /**
   * Folder in which the notes of the head lie as files too; undefined where there is none. They are copies that anybody may
   * edit: one counts only where its hash is the version that was asked for.
   */
  readonly workingTree: string | undefined;
  /** False before the journal was created, and where a folder of notes is not a repository yet. */
  exists(): boolean;
  /** Commit id, undefined for a journal without events. Never spawns. Throws Fault 'journal-damaged' where it is lost. */
  head(): string | undefined;
  /**
   * Appends commits on `parent`; they are durable when this returns. Answers their ids, or 'moved' when the head is
   * not `parent` any more: decide again and retry. Throws Fault 'head-elsewhere' when HEAD is not on main.
   */
  append(commits: readonly NewCommit[], parent: string | undefined): Promise<readonly string[] | 'moved'>;
  /** Files of the note folders that differ between two commits; `from` undefined is the empty tree. */
  diff(from: string | undefined, to: string): Promise<readonly PathChange[]>;
  /** The same as a text for people, in unified form; here undefined on either side is the empty tree. */
  patch(from: string | undefined, to: string | undefined): Promise<string>;
  /** Note files of a commit in path order (by UTF-16 code units). */
  notes(commit: string): Promise<readonly TreeEntry[]>;
  /** All entries of a commit, notes or not. */
  tree(commit: string): Promise<readonly TreeEntry[]>;
  /**
   * Contents by id; an id that it does not have, or whose file is too large for a note, is left out, and so is what comes
   * after the first `inAll` bytes.
   */
  blobs(ids: readonly BlobId[], inAll?: number): Promise<ReadonlyMap<BlobId, Buffer>>;
  /** Sizes in bytes of the files that it has among these ids, however large. */
  sizes(ids: readonly BlobId[]): Promise<ReadonlyMap<BlobId, number>>;
  /**
   * Events oldest first, parents before children, of `to` and not of `from`. Where `from` is known to be an ancestor,
   * `isForward` saves a look.
   */
  events(from: string | undefined, to: string, isForward?: boolean): Promise<readonly LoggedEvent[]>;
  /** These commits as events when their trailers are not believed. */
  asForeign(commits: readonly string[]): Promise<ReadonlyMap<string, JournalEvent>>;
  /** The few commits that `to` is ahead of `from` in one call; undefined when there are more, or they are no line. */
  steps(from: string, to: string, most: number): Promise<Steps | undefined>;
  /** The changes of note files in each of these commits, a merge's against its first parent. */
  changesOf(commits: readonly string[]): Promise<ReadonlyMap<string, readonly PathChange[]>>;
  /** Every version that the path ever had in the history of `commit`. */
  versions(commit: string, path: string): Promise<ReadonlySet<BlobId>>;
  parents(commit: string): Promise<readonly string[]>;
  /** Whole commit id of what a person may call a commit of it: an id, the beginning of one, `HEAD~2`, undefined for anything else. */
  resolve(text: string): Promise<string | undefined>;
  /** Commit time in epoch milliseconds. */
  timeOf(commit: string): Promise<number>;
  /** Newest commit at or before a time, in head order along first parents. */
  commitAt(timeMs: number): Promise<string | undefined>;
  /** True when `ancestor` is `commit` or one of its ancestors. */
  contains(commit: string, ancestor: string): Promise<boolean>;
  /** Says how to go on where the history names a commit that is not there. */
  incomplete(): Fault;
};

/** One path that differs between two commits; undefined means it is not there. */
export type PathChange = {
  readonly path: string;
  readonly before: BlobId | undefined;
  readonly after: BlobId | undefined;
  readonly afterMode: string;
};

/** `gitlink` entries (submodules) and links are listed, so that a reader can name them; they are never followed. */
export type TreeEntry = { readonly mode: string; readonly blob: BlobId; readonly path: string };

/** A path with new bytes, with an object that git has already, or (without bytes) removed. */
export type ImportedChange =
  | { readonly path: string; readonly bytes: Buffer | undefined }
  | { readonly path: string; readonly blob: BlobId; readonly mode: string };

export type NewCommit = {
  readonly message: string;
  readonly machine: string;
  readonly epochMs: number;
  readonly changes: readonly ImportedChange[];
};

export type Steps = { readonly changes: readonly PathChange[]; readonly events: readonly LoggedEvent[] };
