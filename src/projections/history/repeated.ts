/**
 * Commits that carry an event id which another commit of the journal has: a person picked one again, or somebody put its
 * trailers under a change of their own. One of them is the event. Each other is shown as what it changes, like a commit
 * without trailers, so that nothing is changed out of sight. Pure.
 */
import type { JournalEvent, RecordedEvent } from '../../events/event.js';
import { isIdOfForeign } from '../../events/foreign-id.js';
import type { ProjectedEvent } from '../projection.js';

/** Which is the event is told by what no later commit changes: never by the order in which a machine saw them. */
export const findRepeated = (events: readonly RecordedEvent[]): readonly string[] => {
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

/** These events, with `repeated` ones as what `asForeign` says that they are. */
export const withRepeated = (
  events: readonly RecordedEvent[],
  asForeign: ReadonlyMap<string, JournalEvent>,
): readonly ProjectedEvent[] =>
  events.map((event) => {
    const { journal, commit, depth, id } = event;
    const foreign = asForeign.get(commit);
    return foreign === undefined ? event : { ...foreign, journal, commit, depth, repeats: id };
  });

/** An id that was made of the commit itself is nobody else's. */
const comesBefore = (one: RecordedEvent, other: RecordedEvent): boolean => {
  const [mine, theirs] = [one, other].map(({ id, commit }) => isIdOfForeign(id, commit));
  if (mine !== theirs) return mine === true;
  return one.depth < other.depth || (one.depth === other.depth && one.commit < other.commit);
};
