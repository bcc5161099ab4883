/** Use case: records what a person changed in the files by hand, and tells what became of each. */
import type { NoteChange } from '../answers/history-schema.js';
import type { AdoptedChange, Adoption } from '../answers/note-schema.js';
import type { ReconcileOptions, ReconcileResult } from '../commands/worktree/reconcile.js';
import { type JournalFolder, journalFolder, journalNames, type NoteId } from '../events/note/note.js';
import { listEvents } from '../projections/history/query.js';
import type { Memory } from '../store/memory.js';
import type { Lookup } from '../store/reading.js';

/** Creates the store if there is none. */
export const adoptEdits = async (memory: Memory, deletions: ReconcileOptions['deletions']): Promise<Adoption> => {
  // A folder of notes that isn't a repository yet is adopted while the journals are created.
  const made = await memory.initialise();
  const before = made
    ? await memory.liveIndex.ask((database) => listEvents(database, { kind: 'hand.adopted' }, journalNames.length))
    : [];
  const reconciled = await memory.adopt(deletions);
  const inEach = <Item>(of: (one: ReconcileResult, journal: JournalFolder) => readonly Item[]): readonly Item[] =>
    journalNames.flatMap((name) => of(reconciled[name], journalFolder[name]));
  const events = [...before, ...inEach(({ event }) => (event === undefined ? [] : [event]))].map(({ id }) => id);
  // Loads the YAML parser, which takes longer than finding nothing to adopt.
  const changes = events.length === 0 ? [] : await (await import('./store-diff.js')).changesOfEvents(memory, events);
  return {
    event_ids: events,
    changes: changes.map(describeChange),
    merged: inEach(({ merged }, journal) => merged.map((path) => ({ journal, path }))),
    masked: inEach(({ masked }) => masked),
    left: inEach(({ left }, journal) => left.map(({ path, reason }) => ({ journal, path, reason }))),
    held_deletions: inEach(({ heldDeletions }, journal) => heldDeletions.map((path) => ({ journal, path }))),
    put_back: inEach(({ putBack }, journal) => putBack.map((path) => ({ journal, path }))),
    warnings: warnOfMoved(changes),
  };
};

/** Gives a file of memory/ that was left for this id an id of its own: the next `adoptEdits` makes a new note of it. */
export const publishLeftFile = async (memory: Memory, given: string): Promise<Lookup<NoteId>> => {
  const id = await memory.resolveId(given);
  if (!id.ok) return id;
  const { publishLeft } = await import('../commands/worktree/private-files.js');
  const store = await memory.store();
  const refusal = await memory.exclusively(() => publishLeft(store, id.answer));
  return refusal === undefined ? id : { ok: false, refusal };
};

/** If the version before equals the one after, the file was renamed. */
const describeChange = ({ change, before, after, id, short_id, title }: NoteChange): AdoptedChange => {
  if (change === 'removed') return { id, short_id, title, change: 'forgotten' };
  return { id, short_id, title, change: change === 'added' ? 'added' : before === after ? 'renamed' : 'edited' };
};

/** Warns of each note whose file moved from memory/ to local/: its text stays in the history of memory/. */
const warnOfMoved = (changes: readonly NoteChange[]): readonly string[] => {
  const came = new Set(
    changes.flatMap(({ id, journal, before, after }) =>
      journal === 'local' && before === null && after !== null ? [id] : [],
    ),
  );
  return changes.flatMap(({ id, journal, before, after }) =>
    journal === 'memory' && before !== null && after === null && came.has(id)
      ? [
          `note ${id} is machine-local now: the history of memory/ still holds the text; to remove it everywhere: anamnesis purge ${id}`,
        ]
      : [],
  );
};
