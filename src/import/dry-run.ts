/** Dry run of an import: decides it against the current store and records nothing. */
import type { ImportCounts, KnownNotes } from '../commands/command.js';
import { type ImportNotes, idOfNote, planImport } from '../commands/import-notes.js';
import { countOutcomes, type ImportOutcome, warningsOf } from '../commands/importing/import-outcomes.js';
import { readKnownNotes } from '../commands/write-path/known-notes.js';
import { ulidGenerator } from '../events/ids.js';
import { type JournalName, journalNames, journalOf, type Scope, scopeOf, shownTitle } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import type { Memory } from '../store/memory.js';

export type PlannedNote = {
  readonly id: string;
  readonly title: string;
  readonly project: string;
  /** The scope it has, or would get. */
  readonly scope: Scope;
  /** Left as they are: `edited` (changed here), `forgotten`, and `portable` (the source says machine-local). */
  readonly change: ImportOutcome['kind'];
  /** Its origin, as the source names it. */
  readonly source_key: string;
};

export type PlannedImport = {
  readonly planned: readonly PlannedNote[];
  readonly counts: ImportCounts;
  readonly warnings: readonly string[];
};

/** Returns the notes in the order of the source. Creates no store. */
export const planImportOf = async (memory: Memory, command: ImportNotes): Promise<PlannedImport> => {
  const exists = journalNames.some((name) => memory.journals[name].exists());
  const atMs = Date.now();
  const newUlid = ulidGenerator();
  const stamp = {
    eventId: newUlid(atMs),
    commandId: newUlid(atMs),
    atMs,
    machine: memory.settings.machine,
    user: memory.settings.user,
    agent: undefined,
    session: undefined,
  };
  const decide = (known: KnownNotes): PlannedImport => {
    const taken = planImport(command, known, stamp);
    const takenById = new Map(taken.map((one) => [one.id, one] as const));
    const scopeAt = (id: string, journal: JournalName): Scope => scopeOf(known.find(id)?.place.journal ?? journal);
    const notes = command.notes.flatMap((note): readonly PlannedNote[] => {
      const id = idOfNote(note, known);
      const change = takenById.get(id)?.kind;
      if (change === undefined) return [];
      const { project = 'global', sourceKey } = note;
      const scope = scopeAt(id, journalOf(note.scope ?? 'portable'));
      return [{ id, title: shownTitle(note), project, scope, change, source_key: sourceKey }];
    });
    const files = command.files.flatMap(({ journal, path, bytes }): readonly PlannedNote[] => {
      const parsed = parseNoteFile(bytes, journal, path);
      const change = parsed.ok ? takenById.get(parsed.file.note.id)?.kind : undefined;
      if (!parsed.ok || change === undefined) return [];
      const { id, title, body, project } = parsed.file.note;
      const scope = scopeAt(id, journalOf(command.scope ?? scopeOf(journal)));
      return [{ id, title: shownTitle({ title, body }), project, scope, change, source_key: path }];
    });
    const counts = countOutcomes(taken, command.notes.length + command.files.length);
    return { planned: [...notes, ...files], counts, warnings: warningsOf(taken, command.scope, true) };
  };
  if (!exists) return decide(nothingKnown);
  const store = await memory.store();
  return memory.exclusively(async () => {
    for (const name of journalNames)
      if (store.journals[name].exists()) await store.lookup.catchUp(store.journals[name]);
    return decide(await readKnownNotes(store, [command]));
  });
};

const nothingKnown: KnownNotes = {
  find: () => undefined,
  wasThere: () => false,
  lost: () => undefined,
  noteAt: () => undefined,
  effectsOf: () => ({ notes: [], unreadable: [] }),
  supersedes: () => [],
  withSourceKey: () => undefined,
  newlyTitled: () => [],
  sourceKeyOf: () => undefined,
  editedSinceImport: () => false,
  importWasUndone: () => false,
  lastImported: () => undefined,
};
