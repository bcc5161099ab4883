/** Decides which foreign notes that were removed here stay forgotten, which come back, and which are new notes. */
import type { ForeignNote } from '../commands/foreign-note.js';
import { idOfForeign } from '../commands/import-notes.js';
import { groupBy } from '../events/group-by.js';
import { journalNames, type NoteId } from '../events/note/note.js';
import { redact } from '../events/note/redact.js';
import { importedAndGone, wasTouched } from '../projections/history/query.js';
import { filesOfNote, idOfSourceKey } from '../projections/index/query.js';
import type { Memory } from '../store/memory.js';
import { type GoneNote, readGone } from './gone-texts.js';
import { haveMostLines, haveMuchInCommon } from './text-overlap.js';

export type GoneOptions = {
  /** Every note of the source, including those that need no decision. */
  readonly all: readonly ForeignNote[];
  /** Prefix of the source keys, for a folder, whose forgotten files may have been moved. */
  readonly prefix: string | undefined;
  /** False for an automatic import: an undone import stays undone. */
  readonly isAsked: boolean;
};

/**
 * A note whose import was undone comes back. A forgotten one stays forgotten, even if its file was moved, has other
 * headings or has become long; a file that has little in common with it is a new note, under another id.
 */
export const settleGone = async (
  memory: Memory,
  notes: readonly ForeignNote[],
  { all, prefix, isAsked }: GoneOptions,
): Promise<readonly ForeignNote[]> => {
  if (!journalNames.some((name) => memory.journals[name].exists())) return notes;
  const { fresh, touched } = await memory.liveIndex.ask((database) => {
    const unknown = notes.filter(
      ({ movedFrom, sourceKey }) =>
        movedFrom === undefined && idOfSourceKey(database, redact(sourceKey).text) === undefined,
    );
    const isLive = (id: NoteId): boolean => filesOfNote(database, id).length > 0;
    const idsOf = (note: ForeignNote): readonly NoteId[] =>
      turns.map((turn) => idOfForeign(note, turn)).filter((id) => wasTouched(database, id) && !isLive(id));
    const gone = unknown.flatMap(idsOf);
    return {
      fresh: new Set(unknown),
      touched: new Set(prefix === undefined || unknown.length === 0 ? gone : [...gone, ...importedAndGone(database)]),
    };
  });
  if (fresh.size === 0 || touched.size === 0) return notes;
  const goneById = await readGone(memory, [...touched]);
  const forgotten = [...goneById.values()].filter((one) => !one.isUndone && isOfSource(one, prefix));
  const textByFile = new Map(
    [...groupBy(all, ({ sourceKey }) => fileOf(redact(sourceKey).text))].map(
      ([file, parts]) => [file, parts.map(({ body }) => redact(body).text).join('\n')] as const,
    ),
  );
  return notes.map((note) =>
    fresh.has(note) ? settle(note, { goneById, touched, forgotten, textByFile, isAsked }) : note,
  );
};

/** Up to eight files that were at one path in succession, each of them forgotten; any later file stays forgotten. */
const turns: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8];

type Gone = {
  readonly goneById: ReadonlyMap<NoteId, GoneNote>;
  readonly touched: ReadonlySet<NoteId>;
  readonly forgotten: readonly GoneNote[];
  readonly textByFile: ReadonlyMap<string, string>;
  readonly isAsked: boolean;
};

const settle = (note: ForeignNote, { goneById, touched, forgotten, textByFile, isAsked }: Gone): ForeignNote => {
  const file = fileOf(redact(note.sourceKey).text);
  const text = textByFile.get(file) ?? '';
  for (const turn of turns) {
    const id = idOfForeign(note, turn);
    const gone = goneById.get(id);
    if (gone === undefined) {
      // No event says which note was there, as after a purge.
      if (touched.has(id)) return note;
      if (turn > 1 && note.id !== undefined) return note;
      const same = forgotten.find((one) => isSameMoved(one, note, file, text));
      if (same !== undefined) return { ...note, id: same.id };
      return turn === 1 ? note : { ...note, id };
    }
    if (gone.isUndone) return isAsked ? { ...note, id, comesBack: true } : note;
    if (note.id !== undefined || haveMuchInCommon(gone.text, text)) return { ...note, id };
  }
  return note;
};

/** True for the forgotten note's file under another name, or a part of it under another heading. */
const isSameMoved = (gone: GoneNote, { body, sourceKey }: ForeignNote, file: string, fileText: string): boolean => {
  const text = redact(body).text;
  if (gone.text.trim() !== '' && gone.text.trim() === text.trim()) return true;
  const isInFile = gone.sourceKey !== undefined && fileOf(gone.sourceKey) === file;
  if (isInFile && gone.sourceKey === file && sourceKey !== file) return haveMuchInCommon(gone.text, fileText);
  const isNamedSo = gone.sourceKey !== undefined && nameOf(fileOf(gone.sourceKey)) === nameOf(file);
  return (isInFile || isNamedSo) && haveMostLines(gone.text, text);
};

const isOfSource = ({ sourceKey }: GoneNote, prefix: string | undefined): boolean =>
  prefix !== undefined && sourceKey?.startsWith(prefix) === true;

/** Strips the headings from the key of a part. */
const fileOf = (sourceKey: string): string => /^.*?\.(?:md|markdown|txt)(?=#)/i.exec(sourceKey)?.[0] ?? sourceKey;

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1).toLowerCase();
