/** Reads which tags, keywords and values of imported notes were set here since. */
import { groupBy } from '../../events/group-by.js';
import type { PathChange } from '../../events/journal.js';
import { type BlobId, type JournalName, journalNames, type Note, type NoteId } from '../../events/note/note.js';
import { type NoteFile, parseNoteFile } from '../../events/note/note-file.js';
import { idOfPath } from '../../events/note/paths.js';
import type { ListSetHere, SetHere } from '../command.js';
import type { EventOfNote, Store } from '../worktree/write-store.js';

/**
 * Covers notes with an event other than an import, a capture or a purge. One git call for the events of each journal,
 * and one for the files.
 */
export const readSetHere = async (store: Store, ids: readonly NoteId[]): Promise<ReadonlyMap<NoteId, SetHere>> => {
  const eventsById = new Map(
    ids.map((id) => [id, store.lookup.eventsOfNote(id).filter(({ kind }) => !bringing.has(kind))] as const),
  );
  const all = [...eventsById.values()].flat();
  if (all.length === 0) return new Map();
  const changes = new Map<string, readonly PathChange[]>();
  for (const name of journalNames) {
    const commits = new Set(all.flatMap(({ journal, commit }) => (journal === name ? [commit] : [])));
    for (const [commit, changed] of await store.journals[name].changesOf([...commits]))
      changes.set(`${name} ${commit}`, changed);
  }
  const steps = [...eventsById].map(([id, events]) => ({ id, steps: stepsOf(id, events, changes) }));
  const fileOf = await readVersions(
    store,
    steps.flatMap((one) => one.steps.flatMap(({ before, after }) => [before, after].filter((it) => it !== undefined))),
  );
  return new Map(steps.map((one) => [one.id, foldSteps(one.steps, (version) => fileOf(version)?.note)] as const));
};

/** Events that bring what a source says, or that take a text out of the history. */
const bringing: ReadonlySet<string> = new Set(['notes.imported', 'session.captured', 'notes.purged']);

export type Version = { readonly journal: JournalName; readonly path: string; readonly blob: BlobId };
type Step = { readonly kind: string; readonly before: Version | undefined; readonly after: Version | undefined };

/** Returns the steps oldest first. A command that moved a note to the other journal has a commit in each. */
const stepsOf = (
  id: NoteId,
  events: readonly EventOfNote[],
  changes: ReadonlyMap<string, readonly PathChange[]>,
): readonly Step[] =>
  [...groupBy(events, ({ commandId, commit }) => commandId ?? commit).values()].toReversed().flatMap((group) => {
    const versions = group.flatMap(({ journal, commit }) =>
      (changes.get(`${journal} ${commit}`) ?? [])
        .filter(({ path }) => idOfPath(path) === id)
        .map(({ path, before, after }) => ({
          before: before === undefined ? undefined : { journal, path, blob: before },
          after: after === undefined ? undefined : { journal, path, blob: after },
        })),
    );
    const first = (side: 'before' | 'after'): Version | undefined =>
      versions.map((one) => one[side]).find((one) => one !== undefined);
    return [{ kind: group[0]?.kind ?? '', before: first('before'), after: first('after') }];
  });

/** Makes one git call for each journal. */
export const readVersions = async (
  store: Store,
  versions: readonly Version[],
): Promise<(version: Version | undefined) => NoteFile | undefined> => {
  const bytesByBlob = new Map<BlobId, Buffer>();
  for (const name of journalNames) {
    const wanted = versions.filter(({ journal }) => journal === name).map(({ blob }) => blob);
    if (wanted.length === 0) continue;
    for (const [id, bytes] of await store.journals[name].blobs(wanted)) bytesByBlob.set(id, bytes);
  }
  return (version) => {
    const bytes = version === undefined ? undefined : bytesByBlob.get(version.blob);
    if (version === undefined || bytes === undefined) return undefined;
    const parsed = parseNoteFile(bytes, version.journal, version.path);
    return parsed.ok ? parsed.file : undefined;
  };
};

const foldSteps = (steps: readonly Step[], noteOf: (version: Version | undefined) => Note | undefined): SetHere => {
  let set: SetHere = nothingSet;
  for (const { kind, ...step } of steps) {
    const [before, after] = [noteOf(step.before), noteOf(step.after)];
    // After an undone import, the count starts over.
    if (step.after === undefined && kind === 'event.undone') set = nothingSet;
    if (before === undefined || after === undefined) continue;
    const values = (['project', 'importance'] as const).filter((key) => before[key] !== after[key]);
    set = {
      values: new Set([...set.values, ...values]),
      tags: addStep(set.tags, before.tags, after.tags),
      keywords: addStep(set.keywords, before.keywords, after.keywords),
    };
  }
  return set;
};

const nothingSet: SetHere = {
  values: new Set(),
  tags: { added: [], removed: [] },
  keywords: { added: [], removed: [] },
};

const addStep = (set: ListSetHere, before: readonly string[], after: readonly string[]): ListSetHere => {
  const [old, fresh] = [foldCase(before), foldCase(after)];
  const added = fresh.filter((entry) => !old.includes(entry));
  const removed = old.filter((entry) => !fresh.includes(entry));
  return {
    added: [...set.added.filter((entry) => !removed.includes(entry)), ...added],
    removed: [...set.removed.filter((entry) => !added.includes(entry)), ...removed],
  };
};

const foldCase = (entries: readonly string[]): readonly string[] => entries.map((entry) => entry.toLowerCase());
