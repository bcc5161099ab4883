/** Finds notes whose file is no longer where an earlier import of the folder found it: moved, or missing. */

import type { ForeignNote, ImportProblem } from '../commands/foreign-note.js';
import { groupBy } from '../events/group-by.js';
import { journalNames } from '../events/note/note.js';
import { redact } from '../events/note/redact.js';
import { type NoteOfSource, notesOfSource } from '../projections/index/titles.js';
import type { Memory } from '../store/memory.js';

/** A live note and the path where the last import found its file. */
export type MissingFile = { readonly id: string; readonly title: string; readonly path: string };
export type MovedFile = { readonly id: string; readonly title: string; readonly from: string; readonly to: string };

export type FollowedFiles = {
  /** The same notes; one whose file was moved has the id of its note. */
  readonly notes: readonly ForeignNote[];
  readonly moved: readonly MovedFile[];
  readonly missing: readonly MissingFile[];
};

export type FolderRead = {
  /** Prefix of the source keys of its notes. */
  readonly prefix: string;
  /** True when the rest of a source key is the file's path; otherwise the note of an unreadable file is unknown. */
  readonly keysArePaths: boolean;
  readonly notes: readonly ForeignNote[];
  readonly problems: readonly ImportProblem[];
};

/**
 * A file is gone when the folder was read and no file has its key. A new file with the text of a gone one is that file,
 * moved. If all earlier notes lost theirs, none is called missing: the folder may be another, or not mounted.
 */
export const matchMovedFiles = async (memory: Memory, read: FolderRead): Promise<FollowedFiles> => {
  const { prefix, keysArePaths, notes, problems } = read;
  const nothing = { notes, moved: [], missing: [] };
  if (!journalNames.some((name) => memory.journals[name].exists())) return nothing;
  const known = await memory.liveIndex.ask((database) => notesOfSource(database, prefix));
  const keys = new Set(notes.map(({ sourceKey }) => sourceKey));
  const projects = new Set(notes.map(({ project }) => project));
  const gone = known.filter(
    ({ sourceKey, supersededBy, project }) =>
      !keys.has(sourceKey) &&
      supersededBy === undefined &&
      projects.has(project) &&
      !isHidden(sourceKey.slice(prefix.length), problems),
  );
  if (gone.length === 0) return nothing;
  const knownKeys = new Set(known.map(({ sourceKey }) => sourceKey));
  const fresh = notes.filter(({ sourceKey }) => !knownKeys.has(sourceKey));
  const pairs = await pairUp(memory, gone, fresh);
  const noteBySource = new Map([...pairs].map(([note, fresher]) => [fresher, note] as const));
  const isSameFolder = knownKeys.size > gone.length || pairs.size > 0;
  const canTell = isSameFolder && (keysArePaths || problems.length === 0);
  return {
    notes: notes.map((note) => {
      const before = noteBySource.get(note);
      return before === undefined ? note : { ...note, id: before.id, movedFrom: before.sourceKey };
    }),
    moved: [...pairs].map(([{ id, title, sourceKey }, to]) => ({
      id,
      title,
      from: sourceKey.slice(prefix.length),
      to: to.sourceKey.slice(prefix.length),
    })),
    missing: canTell
      ? gone
          .filter((note) => !pairs.has(note))
          .map(({ id, title, sourceKey }) => ({ id, title, path: sourceKey.slice(prefix.length) }))
      : [],
  };
};

/** True if a problem covers the path: its `where` is a file with a line, a file, or a folder. */
const isHidden = (path: string, problems: readonly ImportProblem[]): boolean =>
  problems.some(({ where }) => {
    const file = where.replace(/:\d+$/, '');
    return path === file || path.startsWith(`${file}#`) || path.startsWith(`${file}/`);
  });

/** Pairs the gone notes, in order, with new files of the same text; each new file is paired at most once. */
const pairUp = async (
  memory: Memory,
  gone: readonly NoteOfSource[],
  fresh: readonly ForeignNote[],
): Promise<ReadonlyMap<NoteOfSource, ForeignNote>> => {
  const pairs = new Map<NoteOfSource, ForeignNote>();
  if (fresh.length === 0) return pairs;
  const freshByText = groupBy(fresh, ({ body }) => redact(body).text.trim());
  const taken = new Set<ForeignNote>();
  const read = await memory.texts.read(gone);
  for (const [at, note] of gone.entries()) {
    const text = read[at]?.body.trim() ?? '';
    const same = text === '' ? undefined : freshByText.get(text)?.find((one) => !taken.has(one));
    if (same === undefined) continue;
    pairs.set(note, same);
    taken.add(same);
  }
  return pairs;
};
