/** One note file as a row of the index: a pure function of its bytes, journal and path. */

import type { BlobId, JournalName } from '../events/note/note.js';
import { shownTitle } from '../events/note/note.js';
import type { NoteFile, ParsedFile } from '../events/note/note-file.js';
import { conflictsWith } from '../events/note/note-links.js';
import { parseTime } from '../events/time.js';
import { type ListedWords, readNoteWords, type WordList } from './prints/print.js';
import { wordParts } from './word-parts.js';

/** Plain data, because it crosses threads. Times are in epoch seconds; an unreadable time is 0. */
export type NoteRow = {
  readonly journal: JournalName;
  readonly path: string;
  readonly blob: BlobId;
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly project: string;
  readonly machineId: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly source: string;
  readonly confidence: number;
  readonly model: string | null;
  readonly session: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number | null;
  readonly agent: string | null;
  readonly importance: number | null;
  readonly sensitive: number;
  readonly untrusted: number;
  readonly sourceKey: string | null;
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  readonly supersedes: readonly string[];
  readonly proposes: readonly string[];
  /** Id of the note that a conflict copy conflicts with. */
  readonly conflictsWith: string | null;
  readonly body: string;
} & WordsOfRow;

/** All of any text that a person wrote. A synced note may repeat a word for 32 MiB; searches read each position. */
export const searchedPart = (body: string): string => body.slice(0, maxSearchedUnits);
const maxSearchedUnits = 1024 * 1024;

/** Computed with the row, not by each projection: reading a text's words takes longer than the rest of a replay. */
export type WordsOfRow = {
  /** The words in order, as the table `prints` stores them. */
  readonly print: Uint8Array;
  /** Distinct words for the vocabulary. */
  readonly words: ListedWords;
  /** Other forms by which the words are found, separated by spaces. */
  readonly parts: string;
};

export const wordsOfRow = (
  { title, body, tags, keywords }: Pick<NoteRow, 'title' | 'body' | 'tags' | 'keywords'>,
  list: WordList = [],
): WordsOfRow => {
  const texts = [title, searchedPart(body), [...tags, ...keywords].join(' ')];
  const { print, words } = readNoteWords(texts, list);
  return { print, words, parts: wordParts(texts.join('\n')).join(' ') };
};

export type SkippedRow = {
  readonly journal: JournalName;
  readonly path: string;
  readonly blob: BlobId;
  readonly code: string;
  readonly line: number;
  readonly key: string | null;
  readonly message: string;
};

export type ProjectedNote = { readonly note: NoteRow } | { readonly skipped: SkippedRow };

/** All notes that are projected together share one `list`. */
export const projectNote = (
  parsed: ParsedFile,
  journal: JournalName,
  path: string,
  blob: BlobId,
  list: WordList = [],
): ProjectedNote => {
  if (!parsed.ok) {
    const { code, line, key, message } = parsed.problem;
    return { skipped: { journal, path, blob, code, line, key: key ?? null, message } };
  }
  return { note: rowOfNote(parsed.file, journal, path, blob, list) };
};

const rowOfNote = (file: NoteFile, journal: JournalName, path: string, blob: BlobId, list: WordList): NoteRow => {
  const { note } = file;
  const { tags, keywords } = note;
  const title = shownTitle(note);
  return {
    journal,
    path,
    blob,
    id: note.id,
    type: note.type,
    title,
    project: note.project,
    machineId: note.machineId,
    userId: note.userId,
    workspaceId: note.workspaceId,
    source: note.source,
    confidence: note.confidence,
    model: note.model ?? null,
    session: note.session ?? null,
    createdAt: seconds(note.createdAt),
    updatedAt: seconds(note.updatedAt),
    expiresAt: note.expiresAt === undefined ? null : seconds(note.expiresAt),
    agent: note.agent ?? null,
    importance: note.importance ?? null,
    sensitive: note.sensitive ? 1 : 0,
    untrusted: note.untrusted === true ? 1 : 0,
    sourceKey: note.sourceKey ?? null,
    tags,
    keywords,
    supersedes: note.supersedes,
    proposes: note.proposes,
    conflictsWith: conflictsWith(file) ?? null,
    body: note.body,
    ...wordsOfRow({ title, body: note.body, tags, keywords }, list),
  };
};

const seconds = (time: string): number => Math.floor((parseTime(time) ?? 0) / 1000);
