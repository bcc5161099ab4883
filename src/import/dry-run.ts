/** A dry run: an import decided against the present store, and recorded nowhere. */
import type { ImportCounts, KnownNotes } from '../commands/command.js';
import { countTaken, type ImportNotes, idOfNote, planImport, type Taken } from '../commands/import-notes.js';
import { readWorkspace } from '../commands/write-path/known-notes.js';
import { ulidGenerator } from '../events/ids.js';
import { journalNames, shownTitle } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import type { Memory } from '../store/memory.js';

export type PlannedNote = {
  readonly id: string;
  readonly title: string;
  readonly project: string;
  /** `edited` was changed here since, and `forgotten` removed here: both are left as they are. */
  readonly change: Taken['kind'];
  /** Where it comes from, as the source names it. */
  readonly source_key: string;
};

export type PlannedImport = { readonly planned: readonly PlannedNote[]; readonly counts: ImportCounts };

/** In the order of the source. Makes no store. */
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
    const notes = command.notes.flatMap((note): readonly PlannedNote[] => {
      const id = idOfNote(note, known);
      const change = takenById.get(id)?.kind;
      if (change === undefined) return [];
      const { project = 'global', sourceKey } = note;
      return [{ id, title: shownTitle(note), project, change, source_key: sourceKey }];
    });
    const files = command.files.flatMap(({ journal, path, bytes }): readonly PlannedNote[] => {
      const parsed = parseNoteFile(bytes, journal, path);
      const change = parsed.ok ? takenById.get(parsed.file.note.id)?.kind : undefined;
      if (!parsed.ok || change === undefined) return [];
      const { id, title, body, project } = parsed.file.note;
      return [{ id, title: shownTitle({ title, body }), project, change, source_key: path }];
    });
    return { planned: [...notes, ...files], counts: countTaken(taken, command) };
  };
  if (!exists) return decide(nothingKnown);
  const store = await memory.store();
  return memory.exclusively(async () => {
    for (const name of journalNames)
      if (store.journals[name].exists()) await store.lookup.catchUp(store.journals[name]);
    return decide(await readWorkspace(store, [command]));
  });
};

const nothingKnown: KnownNotes = {
  find: () => undefined,
  holderOf: () => undefined,
  wasThere: () => false,
  isPrivate: () => false,
  lost: () => undefined,
  noteAt: () => undefined,
  effectsOf: () => ({ notes: [], unreadable: [] }),
  supersedes: () => [],
  withSourceKey: () => undefined,
  newlyTitled: () => [],
  sourceKeyOf: () => undefined,
  editedSinceImport: () => false,
  broughtTexts: () => [],
  setHere: () => undefined,
};
