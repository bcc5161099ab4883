/** Finds what reconciling would find in a journal's working tree, without changing anything. */
import type { BlobId, JournalName, NoteId } from '../../events/note/note.js';
import { idOfPath } from '../../events/note/paths.js';
import { readFileBases } from './file-bases.js';
import type { ClassifiedFiles, LeftFile } from './hand-edits.js';
import { eachOnce } from './reconciling/left-files.js';
import { knownCheckout } from './reconciling/lost-checkout.js';
import type { ReplacedNote } from './removed/removed-notes.js';
import { gatherWhole } from './whole-tree.js';
import { noteAt, type Store } from './write-store.js';

export type Inspected = ClassifiedFiles & {
  /** Files that took the places of other notes; they are also in `adopt` or `merge`. */
  readonly replaced: readonly ReplacedNote[];
  /** There are too many removed and replaced files to record without confirmation. */
  readonly areHeld: boolean;
  /** Left files whose notes adopting finds again: it renames the files to their ids. */
  readonly renamedBack: readonly string[];
};

export const inspectTree = async (store: Store, name: JournalName): Promise<Inspected> => {
  const journal = store.journals[name];
  if (!journal.exists()) return nothingFound;
  const head = journal.head();
  const checkout = await knownCheckout(store.state, journal, head);
  const events =
    head === undefined || checkout === undefined || checkout === head ? [] : await journal.events(checkout, head);
  const { baseOf, judge } = await readFileBases(store, journal, head, checkout, events);
  const gathered = await gatherWhole(store, journal, head, checkout, baseOf, false);
  if (gathered.candidates.length === 0) return { ...nothingFound, left: gathered.left };
  // Loads the YAML parser, which takes longer than examining a small store.
  const { areTooManyDeletions, classifyFiles } = await import('./hand-edits.js');
  const { withoutUnmerged } = await import('./unmerged.js');
  const candidates = judge(gathered.candidates);
  const look = (noteOf: (path: string) => NoteId): ClassifiedFiles =>
    classifyFiles(journal, candidates, noteOf, (path) => gathered.unchanged.get(path));
  const byName = look(idOfPath);
  // Querying the index writes files beside it, which inspecting an unchanged store must not do.
  const isAsItWas = [byName.adopt, byName.merge, byName.deleted, byName.renamed, byName.missing].every(
    ({ length }) => length === 0,
  );
  const notes: ReadonlyMap<string, NoteId> = isAsItWas
    ? new Map()
    : await store.lookup.askPlaces((all) => new Map(candidates.map(({ path }) => [path, noteAt(all, name, path)])));
  const noteOf = (path: string): NoteId => notes.get(path) ?? idOfPath(path);
  const all = isAsItWas ? byName : look(noteOf);
  const whole = await withoutUnmerged(journal, all);
  const found = whole.adopt.length + whole.merge.length > 0 ? await withoutOthers(store, name, whole) : whole;
  const isAnyEdited = found.adopt.length + found.merge.length > 0;
  const headOf = new Map(gathered.candidates.map(({ path, head: blob }) => [path, blob]));
  const allowed =
    name === 'portable' && isAnyEdited
      ? await withoutPrivateOnes(store, found, (path) => headOf.get(path), noteOf)
      : found;
  const { reconciliation, replaced } = isAnyEdited
    ? await findReplacedOnes(store, name, allowed)
    : { reconciliation: allowed, replaced: [] };
  const sought = [...reconciliation.deleted, ...reconciliation.missing];
  const total = store.state.allCheckedOut(name).size;
  const areHeldWith = (deleted: readonly string[]): boolean =>
    areTooManyDeletions(deleted.length + replaced.length, total);
  if (sought.length === 0)
    return {
      ...reconciliation,
      replaced,
      areHeld: areHeldWith([]),
      renamedBack: [],
      left: eachOnce([...gathered.left, ...reconciliation.left]),
    };
  const { findMisnamed } = await import('./misnamed-files.js');
  const named = await findMisnamed(journal, gathered.left, sought, (path) => headOf.get(path), noteOf);
  const idByPath = new Map(named.map(({ path, id }) => [path, id]));
  const kept = new Set(idByPath.values());
  const left = gathered.left.map((file): LeftFile => {
    const id = idByPath.get(file.path);
    return id === undefined ? file : { ...file, reason: `anamnesis adopt renames it to ${id}.md again` };
  });
  const deleted = reconciliation.deleted.filter((path) => !kept.has(noteOf(path)));
  return {
    ...reconciliation,
    replaced,
    areHeld: areHeldWith(deleted),
    renamedBack: [...idByPath.keys()],
    deleted,
    left: eachOnce([...left, ...reconciliation.left]),
  };
};

const findReplacedOnes = async (
  store: Store,
  name: JournalName,
  found: ClassifiedFiles,
): Promise<{ readonly reconciliation: ClassifiedFiles; readonly replaced: readonly ReplacedNote[] }> => {
  const { findReplaced, renameMovedOver, sayKept } = await import('./removed/removed-notes.js');
  return store.lookup.askPlaces((places) => {
    const reconciliation = renameMovedOver(name, places, found);
    const replaced = findReplaced(store.journals[name], places, reconciliation);
    return { reconciliation, replaced: sayKept(name, places, reconciliation, replaced) };
  });
};

const withoutOthers = async (store: Store, name: JournalName, whole: ClassifiedFiles): Promise<ClassifiedFiles> => {
  const { separateMisplaced, reconcileMisplaced } = await import('./removed/misplaced-files.js');
  const { found, others } = await store.lookup.askPlaces((places) =>
    separateMisplaced(name, places, whole, name === 'portable' ? places.unfinishedMoves() : []),
  );
  const { left } = await reconcileMisplaced(store.journals, name, others, 'hold');
  return { ...found, left: [...found.left, ...left] };
};

const withoutPrivateOnes = async (
  store: Store,
  found: ClassifiedFiles,
  headOf: (path: string) => BlobId | undefined,
  noteOf: (path: string) => NoteId,
): Promise<ClassifiedFiles> => {
  const { findOfLocal, withoutLocalText, withoutPrivate, withoutSaidLocal } = await import('./private-files.js');
  const { readMovedEdits } = await import('../../state/moved-edits.js');
  const isCheckedOut = (path: string): boolean => store.state.checkedOut('portable', path) !== undefined;
  const { taken, ofLocal } = await store.lookup.askPlaces((places) => {
    const movedEdits = readMovedEdits(store.state, places.isLocalEvent);
    const allowed = withoutPrivate(places, found, places.unfinishedMoves(), isCheckedOut, movedEdits);
    return { taken: allowed, ofLocal: findOfLocal(places, allowed) };
  });
  const others = await withoutLocalText(store, taken, ofLocal, noteOf);
  return withoutSaidLocal(store.journals.portable, others, headOf, noteOf);
};

const nothingFound: Inspected = {
  replaced: [],
  areHeld: false,
  renamedBack: [],
  advance: [],
  gone: [],
  put: [],
  adopt: [],
  merge: [],
  deleted: [],
  renamed: [],
  missing: [],
  left: [],
};
