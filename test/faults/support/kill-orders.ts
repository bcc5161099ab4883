/** Orders for a process that will be killed, and the reports that it sends back. Plain data. */
import type { Command } from '../../../src/commands/handlers.js';
import type { Scope } from '../../../src/events/note/note.js';

/** A command with the id that it keeps when it is sent again. */
export type Sent = { readonly command: Command; readonly commandId: string };

export type Asked =
  /** Submitted together, so that they share a commit call. */
  | { readonly do: 'perform'; readonly sent: readonly Sent[] }
  | { readonly do: 'import'; readonly folder: string }
  | { readonly do: 'capture'; readonly transcript: string }
  | { readonly do: 'adopt' }
  | { readonly do: 'undo' }
  | { readonly do: 'replay' }
  | { readonly do: 'compact'; readonly full: boolean }
  | { readonly do: 'backup'; readonly file: string }
  | { readonly do: 'search'; readonly text: string }
  | { readonly do: 'remote'; readonly url: string }
  | { readonly do: 'sync' }
  | { readonly do: 'purge'; readonly id: string }
  /** To the other journal: a new note, and the old one forgotten. */
  | { readonly do: 'move'; readonly id: string; readonly scope: Scope; readonly commandId: string }
  /** Reports all that the store shows; `settled` if an earlier command has settled the store. */
  | { readonly do: 'look'; readonly settled: boolean }
  /** Reports whether journals, index and git agree. */
  | { readonly do: 'check' };

export type AskedKind = Asked['do'];

export type Order = {
  readonly home: string;
  readonly userHome: string;
  readonly machine: string;
  readonly asked: readonly Asked[];
  /** Dies at the `point`th point from the start of item `at`; with `group`, its git children die too. */
  readonly kill?: { readonly at: number; readonly point: number; readonly group: boolean } | undefined;
};

export type SeenNote = {
  readonly id: string;
  readonly scope: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly body: string;
  readonly version: string;
  readonly supersedes: readonly string[];
  readonly source: string;
};

export type CheckReport = {
  readonly problems: readonly string[];
  readonly verified: boolean;
  /** Digest of the portable notes. */
  readonly digest: string;
  readonly notes: number;
  readonly events: number;
  /** Events that record what a person did to the files. */
  readonly adopted: number;
  /** Command-Ids that are in more than one event of a journal. */
  readonly repeated: readonly string[];
};

/** Reported in order, one per line, each before anything else happens. */
export type Told =
  | { readonly tell: 'began'; readonly at: number }
  /** One command of a `perform`, acknowledged. */
  | {
      readonly tell: 'answered';
      readonly at: number;
      readonly part: number;
      readonly status: 'recorded' | 'unchanged' | 'refused';
      readonly code?: string | undefined;
      readonly note?: string | undefined;
    }
  /** An import that a file blocks. */
  | { readonly tell: 'blocked'; readonly at: number; readonly message: string }
  | { readonly tell: 'imported'; readonly at: number; readonly imported: number; readonly updated: number }
  | {
      readonly tell: 'captured';
      readonly at: number;
      readonly status: string;
      readonly note?: string | undefined;
      readonly body?: string | undefined;
    }
  | { readonly tell: 'synced'; readonly at: number; readonly outcome: string; readonly detail: string }
  | {
      readonly tell: 'purged';
      readonly at: number;
      readonly status: 'purged' | 'unchanged' | 'refused';
      readonly why: string;
      readonly clean: boolean;
    }
  | {
      readonly tell: 'moved';
      readonly at: number;
      readonly status: 'recorded' | 'unchanged' | 'refused';
      readonly code?: string | undefined;
      readonly note?: string | undefined;
    }
  | {
      readonly tell: 'seen';
      readonly at: number;
      readonly settled: boolean;
      readonly notes: readonly SeenNote[];
      /** How many undo events named a note, by note id. */
      readonly undone: Readonly<Record<string, number>>;
    }
  | { readonly tell: 'checked'; readonly at: number; readonly report: CheckReport }
  /** The whole item is acknowledged. */
  | { readonly tell: 'done'; readonly at: number; readonly points: number }
  | { readonly tell: 'failed'; readonly at: number; readonly why: string }
  /** A git child that leads its own process group. */
  | { readonly tell: 'group'; readonly pid: number }
  /** The last report: the point at which it kills itself. */
  | { readonly tell: 'dying'; readonly point: string }
  | { readonly tell: 'ended' };
