/** Orders of the parent to a process that is to be killed, and what it hears of it. Plain data. */
import type { Command } from '../../../src/commands/handlers.js';

/** A command with the name that it keeps when it is sent again. */
export type Sent = { readonly command: Command; readonly commandId: string };

export type Asked =
  /** Given at once, so that they share a commit call. */
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
  /** Tells all that the store shows; `settled` when a command before it has settled the store. */
  | { readonly do: 'look'; readonly settled: boolean }
  /** Tells whether journals, index and git agree. */
  | { readonly do: 'check' };

export type AskedKind = Asked['do'];

export type Order = {
  readonly home: string;
  readonly userHome: string;
  readonly machine: string;
  readonly asked: readonly Asked[];
  /** Dies at the `point`th point from the beginning of what is asked at `at`; with `group` its git children die too. */
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
  /** Of the portable notes. */
  readonly digest: string;
  readonly notes: number;
  readonly events: number;
  /** Events that record what a person did to the files. */
  readonly adopted: number;
  /** Command-Ids that a journal has more than one event of. */
  readonly repeated: readonly string[];
};

/** Told in this order, each on a line of its own, before anything else happens. */
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
  /** An import that a file stands in the way of. */
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
      readonly tell: 'seen';
      readonly at: number;
      readonly settled: boolean;
      readonly notes: readonly SeenNote[];
      /** How many undoings named a note, by its id. */
      readonly undone: Readonly<Record<string, number>>;
    }
  | { readonly tell: 'checked'; readonly at: number; readonly report: CheckReport }
  /** All of it is acknowledged. */
  | { readonly tell: 'done'; readonly at: number; readonly points: number }
  | { readonly tell: 'failed'; readonly at: number; readonly why: string }
  /** A git child that is the leader of a process group of its own. */
  | { readonly tell: 'group'; readonly pid: number }
  /** The last words: the point where it kills itself. */
  | { readonly tell: 'dying'; readonly point: string }
  | { readonly tell: 'ended' };
