/**
 * Keeps the versions that files held when an event adopted them. If the process is killed before the checkpoint moves,
 * the rows predate those edits, and a person who keeps editing, or reverts an edit, starts from what the file held.
 */
import type { GitJournal } from '../../events/git/git-journal.js';
import type { LoggedEvent } from '../../events/logged-event.js';
import type { BlobId } from '../../events/note/note.js';
import type { ClassifiedFiles } from './hand-edits.js';
import type { Store } from './write-store.js';

/** `blob` is null if the file was gone. */
type Base = readonly [path: string, blob: BlobId | null];

/** Kept until the checkpoint passes the events; entries of events that were never appended are ignored. */
type Kept = readonly { readonly event: string; readonly bases: readonly Base[] }[];

/** By path: the version that the file was last made from; undefined if a person had removed or renamed it. */
export type AdoptedVersions = ReadonlyMap<string, BlobId | undefined>;

const factOf = (journal: GitJournal): string => `taken-in-${journal.name}`;

const readKept = (store: Store, journal: GitJournal, events: readonly LoggedEvent[]): Kept => {
  const kept: Kept = JSON.parse(store.state.fact(factOf(journal)) || '[]');
  const ids = new Set(events.flatMap(({ event, foreign }) => (foreign ? [] : [event.id])));
  return kept.filter(({ event }) => ids.has(event));
};

/** `events` are those since the checkpoint. */
export const readAdoptedVersions = (
  store: Store,
  journal: GitJournal,
  events: readonly LoggedEvent[],
): AdoptedVersions =>
  new Map(
    events.length === 0
      ? []
      : readKept(store, journal, events).flatMap(({ bases }) =>
          bases.map(([path, blob]) => [path, blob ?? undefined] as const),
        ),
  );

/**
 * Called before the event is appended. Only versions that git has can be a base: the edit itself if it is recorded
 * unchanged, and for a renamed file the version that it was made from.
 */
export const noteAdoptedVersions = (
  store: Store,
  journal: GitJournal,
  events: readonly LoggedEvent[],
  id: string,
  { adopt, merge }: Pick<ClassifiedFiles, 'adopt' | 'merge'>,
  removed: readonly string[],
  /** `<blob> <path>` of the edits that are not recorded unchanged. */
  changed: readonly string[],
): void => {
  const isChanged = new Set(changed);
  const edited = [...adopt, ...merge].flatMap((file): readonly Base[] => {
    const { path, blob } = file;
    if (!isChanged.has(`${blob} ${path}`)) return [[path, blob]];
    const isNew = store.state.checkedOut(journal.name, path) === undefined;
    return isNew && 'base' in file && file.base !== undefined ? [[path, file.base]] : [];
  });
  const bases = [...edited, ...removed.map((path): Base => [path, null])];
  const kept: Kept = [...readKept(store, journal, events), ...(bases.length === 0 ? [] : [{ event: id, bases }])];
  const fact = kept.length === 0 ? '' : JSON.stringify(kept);
  if (fact !== (store.state.fact(factOf(journal)) ?? '')) store.state.setFact(factOf(journal), fact);
};
