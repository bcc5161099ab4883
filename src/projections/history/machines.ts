/** The activity of each machine, and how much of the history it has not seen. */
import type Database from 'better-sqlite3';
import { formatTime } from '../../events/time.js';
import { prepared } from '../prepared.js';

export type MachineActivity = {
  readonly machine: string;
  readonly events: number;
  readonly lastEvent:
    | { readonly id: string; readonly kind: string; readonly at: string; readonly subject: string }
    | undefined;
  /** Notes with the machine's name that are not superseded; expired ones count. */
  readonly notes: number;
};

/** Ordered by name. One pass over the notes; the events are counted in their index alone. */
export const machineActivity = (database: Database.Database): readonly MachineActivity[] => {
  const events = new Map(
    selectEvents(database)
      .all()
      .map(({ machine, count }) => [machine, count]),
  );
  const notes = new Map(
    selectNotes(database)
      .all()
      .map(({ machine, count }) => [machine, count]),
  );
  return [...new Set([...events.keys(), ...notes.keys()])].sort().map((machine) => {
    const last = selectLast(database).get(machine);
    return {
      machine,
      events: events.get(machine) ?? 0,
      lastEvent: last === undefined ? undefined : { ...last, at: formatTime(last.at * 1000) },
      notes: notes.get(machine) ?? 0,
    };
  });
};

/** How many portable commits each lacks; none for unknown ones or after the first fork: the index can't tell. */
export const commitsBeyond = (database: Database.Database, commits: readonly string[]): ReadonlyMap<string, number> => {
  const { total, fork } = selectForks(database).get() ?? { total: 0, fork: null };
  const beyond = new Map<string, number>();
  for (const commit of commits) {
    const depth = selectDepth(database).get(commit)?.depth;
    // Before the first fork each depth has one commit, so all of them are ancestors.
    if (depth !== undefined && (fork === null || depth < fork)) beyond.set(commit, total - depth);
  }
  return beyond;
};

type Count = { readonly machine: string; readonly count: number };

const selectEvents = prepared<[], Count>('SELECT machine, count(*) AS count FROM events GROUP BY machine');
const selectNotes = prepared<[], Count>(
  `SELECT machine_id AS machine, count(*) AS count FROM notes
   WHERE shadowed = 0 AND superseded_by IS NULL GROUP BY machine_id`,
);
const selectLast = prepared<[string], { id: string; kind: string; at: number; subject: string }>(
  `SELECT id, kind, at, subject FROM events WHERE machine = ? ORDER BY at DESC, id DESC LIMIT 1`,
);
const selectForks = prepared<[], { total: number; fork: number | null }>(
  `SELECT coalesce(sum(count), 0) AS total, min(CASE WHEN count > 1 THEN depth END) AS fork
   FROM (SELECT depth, count(*) AS count FROM events WHERE journal = 'portable' GROUP BY depth)`,
);
const selectDepth = prepared<[string], { depth: number }>(
  "SELECT depth FROM events WHERE commit_id = ? AND journal = 'portable'",
);
