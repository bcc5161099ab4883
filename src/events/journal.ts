/** The interface of a journal: a git repository (git/git-journal.ts) or memory, held to one contract suite. Pure. */
import type { JournalEvent } from './event.js';
import type { Fault } from './faults.js';
import type { LoggedEvent } from './logged-event.js';
import type { BlobId, JournalName } from './note/note.js';

/** The difference between two commits of one journal, with the contents that were added. */
export type Difference = {
  readonly journal: JournalName;
  readonly from: string | undefined;
  readonly to: string;
  readonly changes: readonly PathChange[];
  readonly bytes: ReadonlyMap<BlobId, Buffer>;
  /** Sizes of contents that are too large for a note and therefore not in `bytes`. */
  readonly tooLarge?: ReadonlyMap<BlobId, number> | undefined;
  readonly events: readonly LoggedEvent[];
  /** Events of `from` that `to` lacks: their commits were appended again elsewhere, or a person removed them. */
  readonly dropped?: readonly LoggedEvent[] | undefined;
};

export type Journal = {
  readonly name: JournalName;
  /** The head's notes as files, which anyone may edit: use one only if its hash matches the version asked for. */
  readonly folder: string;
  /** False before the journal was created, and where a folder of notes is not a repository yet. */
  exists(): boolean;
  /** Commit id; undefined for a journal without events. Never spawns git. Throws Fault 'journal-damaged' when lost. */
  head(): string | undefined;
  /** Durable when this returns; 'moved' when the head is no longer `parent`. Throws Fault 'head-elsewhere' off main. */
  append(commits: readonly NewCommit[], parent: string | undefined): Promise<readonly string[] | 'moved'>;
  /** Files of the note folders that differ between two commits; `from` undefined is the empty tree. */
  diff(from: string | undefined, to: string): Promise<readonly PathChange[]>;
  /** The difference as a unified diff; undefined on either side is the empty tree. */
  patch(from: string | undefined, to: string | undefined): Promise<string>;
  /** Note files of a commit in path order (by UTF-16 code units). */
  notes(commit: string): Promise<readonly TreeEntry[]>;
  /** All entries of a commit, notes or not. */
  tree(commit: string): Promise<readonly TreeEntry[]>;
  /** By id; without ids that the journal lacks, too large files, and everything after the first `inAll` bytes. */
  blobs(ids: readonly BlobId[], inAll?: number): Promise<ReadonlyMap<BlobId, Buffer>>;
  /** Sizes in bytes of those files that the journal has, however large. */
  sizes(ids: readonly BlobId[]): Promise<ReadonlyMap<BlobId, number>>;
  /** Oldest first, parents before children. `isForward`: `from` is an ancestor of `to`, which saves a git call. */
  events(from: string | undefined, to: string, isForward?: boolean): Promise<readonly LoggedEvent[]>;
  /** These commits read as foreign events, ignoring their trailers. */
  asForeign(commits: readonly string[]): Promise<ReadonlyMap<string, JournalEvent>>;
  /** The commits from `from` to `to`, in one call; undefined if there are more than `most` or they aren't linear. */
  steps(from: string, to: string, most: number): Promise<Steps | undefined>;
  /** The changes of note files in each of these commits, a merge's against its first parent. */
  changesOf(commits: readonly string[]): Promise<ReadonlyMap<string, readonly PathChange[]>>;
  /** Every version that the path had in the history of `commit`. */
  versions(commit: string, path: string): Promise<ReadonlySet<BlobId>>;
  parents(commit: string): Promise<readonly string[]>;
  /** Full commit id for what a person may type: an id, a prefix of one, `HEAD~2`; undefined for anything else. */
  resolve(text: string): Promise<string | undefined>;
  /** Commit time in epoch milliseconds. */
  timeOf(commit: string): Promise<number>;
  /** Newest commit at or before a time, in head order along first parents. */
  commitAt(timeMs: number): Promise<string | undefined>;
  /** True when `ancestor` is `commit` or one of its ancestors. */
  contains(commit: string, ancestor: string): Promise<boolean>;
  /** The fault to throw when the history names a commit that is missing. */
  incomplete(): Fault;
};

/** One path that differs between two commits; undefined means that it doesn't exist on that side. */
export type PathChange = {
  readonly path: string;
  readonly before: BlobId | undefined;
  readonly after: BlobId | undefined;
  readonly afterMode: string;
};

/** Submodules (`gitlink`) and symbolic links are listed so that a reader can name them; they are never followed. */
export type TreeEntry = { readonly mode: string; readonly blob: BlobId; readonly path: string };

/** A path to write with new bytes, to point at an object that git already has, or (without bytes) to remove. */
export type ImportedChange =
  | { readonly path: string; readonly bytes: Buffer | undefined }
  | { readonly path: string; readonly blob: BlobId; readonly mode: string };

export type NewCommit = {
  readonly message: string;
  readonly machine: string;
  readonly epochMs: number;
  /** Another head that the commit joins with its parent; `changes` are against the parent. */
  readonly joins?: string | undefined;
  readonly changes: readonly ImportedChange[];
};

export type Steps = { readonly changes: readonly PathChange[]; readonly events: readonly LoggedEvent[] };
