/**
 * Commits that repeat the event id of another commit: a person cherry-picked it, or put its trailers on another change.
 * One of them is the event. Each other is shown as what it changes, like a commit without trailers, so that no change
 * goes unseen. Pure.
 */
import type { JournalEvent, RecordedEvent } from '../../events/event.js';
import { isIdOfForeign } from '../../events/ulid-form.js';
import type { ProjectedEvent } from '../projection.js';

/**
 * Returns the commits that are not the event. Decides by what no later commit changes, never by the order in which a
 * machine saw them.
 */
export const findDuplicateEvents = (events: readonly RecordedEvent[]): readonly string[] => {
  const eventById = new Map<string, RecordedEvent>();
  const repeated: string[] = [];
  for (const event of events) {
    const other = eventById.get(event.id);
    const isFirst = other === undefined || comesBefore(event, other);
    if (isFirst) eventById.set(event.id, event);
    if (other !== undefined) repeated.push((isFirst ? other : event).commit);
  }
  return repeated;
};

/** The events, with repeated ones as `asForeign` describes them. */
export const withRepeated = (
  events: readonly RecordedEvent[],
  asForeign: ReadonlyMap<string, JournalEvent>,
): readonly ProjectedEvent[] =>
  events.map((event) => {
    const { journal, commit, depth, id } = event;
    const foreign = asForeign.get(commit);
    return foreign === undefined ? event : { ...foreign, journal, commit, depth, repeats: id };
  });

/** An id derived from the commit itself belongs to that commit. */
const comesBefore = (one: RecordedEvent, other: RecordedEvent): boolean => {
  const [mine, theirs] = [one, other].map(({ id, commit }) => isIdOfForeign(id, commit));
  if (mine !== theirs) return mine === true;
  return one.depth < other.depth || (one.depth === other.depth && one.commit < other.commit);
};
