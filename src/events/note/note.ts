/** The note: what one markdown file of a journal says. Plain data, no I/O. */

export const noteTypes = ['procedural', 'semantic', 'episodic'] as const;
export type NoteType = (typeof noteTypes)[number];

export const scopes = ['portable', 'machine-local'] as const;
export type Scope = (typeof scopes)[number];

/** The portable journal is synced; the local one holds machine-local notes and never has a remote. */
export const journalNames = ['portable', 'local'] as const;
export type JournalName = (typeof journalNames)[number];

/** A journal's name in files and answers: that of its folder, which is older than the names in the code. */
export type JournalFolder = 'memory' | 'local';
export const journalFolder: Readonly<Record<JournalName, JournalFolder>> = { portable: 'memory', local: 'local' };

/** Closed set: a learned note is `session-end`, a conflict copy is `merge`. */
export const sources = ['human', 'session-end', 'reflection', 'import', 'merge'] as const;
export type Source = (typeof sources)[number];

/** A note's id: a ULID in upper case. */
export type NoteId = string;

/** Id of a git blob: the version of a note's file, which every answer carries. */
export type BlobId = string;

export type Note = {
  readonly id: NoteId;
  readonly type: NoteType;
  readonly title: string;
  readonly project: string;
  readonly machineId: string;
  readonly scope: Scope;
  readonly userId: string;
  readonly workspaceId: string;
  readonly source: Source;
  /** 0 to 1; how far the writer trusts the note. */
  readonly confidence: number;
  readonly model: string | undefined;
  readonly session: string | undefined;
  readonly supersedes: readonly NoteId[];
  /** Ids of the notes that it would replace once a person agrees. */
  readonly proposes: readonly NoteId[];
  /** UTC, `2026-06-24T18:33:07+00:00`; the file's own text, which is not rewritten. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly tags: readonly string[];
  readonly agent: string | undefined;
  /** 0 to 1. */
  readonly importance: number | undefined;
  readonly keywords: readonly string[];
  readonly expiresAt: string | undefined;
  readonly sensitive: boolean;
  /** Only true where it is set: the text is not the person's own, and is offered to no agent until it is reviewed. */
  readonly untrusted?: boolean | undefined;
  /** The foreign id of an imported note. */
  readonly sourceKey: string | undefined;
  readonly body: string;
};

/** The user of notes on a machine that names none. */
export const nobodysUser = 'self';

export const journalOf = (scope: Scope): JournalName => (scope === 'portable' ? 'portable' : 'local');
export const scopeOf = (journal: JournalName): Scope => (journal === 'portable' ? 'portable' : 'machine-local');

export const isNoteType = (text: string): text is NoteType => noteTypes.some((type) => type === text);
export const isSource = (text: string): text is Source => sources.some((source) => source === text);

/** If it is empty, the body's first line that isn't blank. Cut, since a synced note may have a megabyte of title. */
export const shownTitle = (note: { readonly title: string; readonly body: string }): string => {
  if (note.title.trim() !== '') return cutLongTitle(note.title);
  const line = note.body.split('\n').find((text) => text.trim() !== '');
  return line === undefined
    ? '(untitled)'
    : line
        .trim()
        .replace(/^#+\s*/, '')
        .slice(0, 300);
};

/** Cuts a title for callers that show the one in the note's file. */
export const cutLongTitle = (title: string): string => cutText(title, maxShownTitle);

/** UTF-16 units. */
const maxShownTitle = 1000;

/** Cuts to `most` UTF-16 units and adds `…` if the text is longer; leaves no half of a surrogate pair. */
export const cutText = (text: string, most: number): string =>
  text.length <= most
    ? text
    : `${text
        .slice(0, most)
        .replace(/[\ud800-\udbff]$/, '')
        .toWellFormed()}…`;

/** A larger file is not read as a note, checked out or indexed; commands refuse a body of more than 256 KiB. */
export const maxFileBytes = 32 * 1024 * 1024;

/** One wording for such a file in git, in the working tree or incoming. */
export const describeTooLarge = (bytes: number): string =>
  `too large for a note: ${bytes} bytes, and at most ${maxFileBytes} are read`;
