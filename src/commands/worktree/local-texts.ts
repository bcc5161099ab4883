/** Detects whether a portable file was given text from any machine-local version of its note. */
import type { KnownVersion } from '../../events/event.js';
import type { BlobId, JournalName, NoteId } from '../../events/note/note.js';
import { parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';
import type { Store } from './write-store.js';

/** How many of a note's latest local events are compared. */
const maxEvents = 20;

/** True if `lines`, from a note's portable file, contain the text; `known` are the file's lines before the edit. */
export type LocalTexts = (id: NoteId, known: ReadonlySet<string>, lines: ReadonlySet<string>) => boolean;

/**
 * Returns a test for machine-local text of these notes in a portable file. It matches if the file has all lines of a
 * machine-local version that were not portable before: neither in the file, nor in what the note took along when it was
 * made machine-local. A text that was edited, undone or forgotten in `local/` since is still private. Makes up to three
 * git calls, or none if no note was machine-local.
 */
export const readLocalTexts = async (
  { journals, lookup }: Pick<Store, 'journals' | 'lookup'>,
  ids: Iterable<NoteId>,
): Promise<LocalTexts> => {
  const events = new Map(
    [...new Set(ids)].flatMap((id): readonly (readonly [NoteId, readonly string[]])[] => {
      const own = lookup.eventsOfNote(id).filter(({ journal }) => journal === 'local');
      return own.length === 0 ? [] : [[id, own.slice(0, maxEvents).map(({ commit }) => commit)]];
    }),
  );
  if (events.size === 0) return () => false;
  const changesOf = await journals.local.changesOf([...new Set([...events.values()].flat())]);
  const versionsOf = new Map(
    [...events].map(([id, hashes]) => {
      const now = lookup.filesOf(id).filter(({ journal }) => journal === 'local');
      const paths = new Set(now.map(({ path }) => path));
      const changes = hashes.flatMap((hash) => changesOf.get(hash) ?? []);
      const own = changes.filter(({ path }) => paths.has(path) || idOfPath(path) === id);
      const then = own.flatMap(({ path, before, after }) =>
        [before, after].flatMap((blob): readonly Version[] => (blob === undefined ? [] : [{ path, blob }])),
      );
      return [id, [...now, ...then]] as const;
    }),
  );
  const leftOf = (id: NoteId): readonly Version[] => lookup.localEvents(id).flatMap(({ left }) => left ?? []);
  const [texts, left] = await Promise.all([
    journals.local.blobs(blobsOf([...versionsOf.values()].flat())),
    journals.portable.blobs(blobsOf([...events.keys()].flatMap(leftOf))),
  ]);
  const only = new Map(
    [...versionsOf].map(([id, versions]) => {
      const shared = new Set(leftOf(id).flatMap(({ path, blob }) => linesOf(left.get(blob), 'portable', path)));
      const sets = [...new Map(versions.map((one) => [one.blob, one])).values()].map(({ path, blob }) =>
        linesOf(texts.get(blob), 'local', path).filter((line) => !shared.has(line)),
      );
      return [id, sets];
    }),
  );
  return (id, known, lines) =>
    (only.get(id) ?? []).some((own) => {
      const unknown = own.filter((line) => !known.has(line));
      return unknown.length > 0 && unknown.every((line) => lines.has(line));
    });
};

type Version = Pick<KnownVersion, 'path' | 'blob'>;

const blobsOf = (versions: readonly Version[]): readonly BlobId[] => [...new Set(versions.map(({ blob }) => blob))];

/** The trimmed lines of the body that are not blank; none for a file that can't be parsed. */
export const linesOf = (bytes: Buffer | undefined, journal: JournalName, path: string): readonly string[] => {
  const parsed = bytes === undefined ? undefined : parseNoteFile(bytes, journal, path);
  if (parsed?.ok !== true) return [];
  return parsed.file.note.body.split('\n').flatMap((line) => line.trim() || []);
};
