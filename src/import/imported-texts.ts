/** Reads the texts that the last import brought, for notes that were edited here since. */
import type { NoteId } from '../events/note/note.js';
import { journalNames } from '../events/note/note.js';
import { parseNoteFile } from '../events/note/note-file.js';
import { idOfPath } from '../events/note/paths.js';
import { textEffectOf } from '../events/text-effect.js';
import { lastEvents } from '../projections/history/query.js';
import type { Memory } from '../store/memory.js';

/** Returns texts by note. Two git calls per journal, and none if no note was edited. */
export const readImportedTexts = async (
  memory: Memory,
  ids: readonly NoteId[],
): Promise<ReadonlyMap<NoteId, string>> => {
  const imports = await memory.liveIndex.ask((database) =>
    ids.flatMap((id) => {
      const events = lastEvents(database, { note: id }, maxEvents).filter((event) => textEffectOf(event) !== 'keeps');
      const brought = events[0]?.kind === 'notes.imported' ? undefined : events.find(isImport);
      return brought === undefined ? [] : [{ id, journal: brought.journal, commit: brought.commit }];
    }),
  );
  const texts = new Map<NoteId, string>();
  for (const name of journalNames) {
    const here = imports.filter(({ journal }) => journal === name);
    if (here.length === 0) continue;
    const changes = await memory.journals[name].changesOf([...new Set(here.map(({ commit }) => commit))]);
    const found = here.flatMap(({ id, commit }) =>
      (changes.get(commit) ?? []).flatMap(({ path, after }) =>
        after !== undefined && idOfPath(path) === id ? [{ id, path, after }] : [],
      ),
    );
    const bytes = await memory.journals[name].blobs(found.map(({ after }) => after));
    for (const { id, path, after } of found) {
      const text = bytes.get(after);
      const parsed = text === undefined ? undefined : parseNoteFile(text, name, path);
      if (parsed?.ok === true) texts.set(id, parsed.file.note.body);
    }
  }
  return texts;
};

const isImport = ({ kind }: { readonly kind: string }): boolean => kind === 'notes.imported';

const maxEvents = 1000;
