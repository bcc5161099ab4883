/** Queries on the history: which event happened to which note, on which machine, and when. */
import type Database from 'better-sqlite3';
import type { ClaimedEvent, PlaceInJournal } from '../../events/event.js';
import { type JournalName, journalNames, type NoteId } from '../../events/note/note.js';
import { formatTime } from '../../events/time.js';
import { prepared, preparedTexts } from '../prepared.js';

export type EventFilter = {
  readonly note?: NoteId | undefined;
  readonly kind?: string | undefined;
  readonly machine?: string | undefined;
  /** A project that the event names, or that now has a note which the event touched. */
  readonly project?: string | undefined;
  /** Epoch seconds, `after` inclusive and `before` exclusive. */
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly oldestFirst?: boolean | undefined;
};

/** An event with the number of notes that it touched; `notesOfEvent` reads their ids for a single event. */
export type ListedEvent = Omit<ClaimedEvent, 'notes'> & PlaceInJournal & { readonly noteCount: number };

/** Ordered by time, then id (a ULID, so within a second too). One indexed query for one note, machine or kind. */
export const listEvents = (database: Database.Database, filter: EventFilter, limit: number): readonly ListedEvent[] => {
  const parts: string[] = [];
  const args: (string | number)[] = [];
  const add = (sql: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    parts.push(sql);
    args.push(value);
  };
  add('x.note = ?', filter.note);
  add('e.kind = ?', filter.kind);
  add('e.machine = ?', filter.machine);
  if (filter.project !== undefined) {
    parts.push(ofProject);
    args.push(filter.project, filter.project);
  }
  add('e.at >= ?', filter.after);
  add('e.at < ?', filter.before);
  const from = filter.note === undefined ? 'events e' : 'event_notes x CROSS JOIN events e ON e.rowid = x.event';
  const where = parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`;
  const direction = filter.oldestFirst === true ? 'ASC' : 'DESC';
  const sql = `SELECT ${eventColumns} FROM ${from} ${where} ORDER BY e.at ${direction}, e.id ${direction} LIMIT ?`;
  return selectEvents(database, sql)
    .all(...args, limit)
    .map(toListedEvent);
};

const ofProject = `(json_extract(e.details, '$.project') = ? OR e.rowid IN (
  SELECT t.event FROM notes n CROSS JOIN event_notes t ON t.note = n.id WHERE n.project = ?))`;

/** Last first by depth in each journal, whatever the clocks said; the journals merged by time. Sorts all it finds. */
export const lastEvents = (
  database: Database.Database,
  filter: { readonly note: NoteId } | { readonly machine: string },
  limit: number,
): readonly ListedEvent[] => {
  const [sql, value] =
    'note' in filter
      ? ([lastOf(...ofNote), filter.note] as const)
      : ([lastOf('events e', 'e.machine = ?'), filter.machine] as const);
  const [portable = [], local = []] = journalNames.map((journal) =>
    selectEvents(database, sql).all(value, journal, limit),
  );
  const merged: EventColumns[] = [];
  for (let i = 0, j = 0; merged.length < limit && (i < portable.length || j < local.length); ) {
    const [one, other] = [portable[i], local[j]];
    const isFirst = other === undefined || (one !== undefined && isLater(one, other));
    const next = isFirst ? one : other;
    if (isFirst) i += 1;
    else j += 1;
    if (next !== undefined) merged.push(next);
  }
  return merged.map(toListedEvent);
};

export const lastEventsIn = (
  database: Database.Database,
  journal: JournalName,
  note: NoteId,
  limit: number,
): readonly ListedEvent[] =>
  selectEvents(database, lastOf(...ofNote))
    .all(note, journal, limit)
    .map(toListedEvent);

const isLater = (one: EventColumns, other: EventColumns): boolean =>
  one.at > other.at || (one.at === other.at && one.id > other.id);

export const countEvents = (database: Database.Database): number =>
  database.prepare<[], { count: number }>('SELECT count(*) AS count FROM events').get()?.count ?? 0;

/** At most 100 events that claim this machine and command: the local journal's first, each oldest first. */
export const claimsOfCommand = (
  database: Database.Database,
  commandId: string,
  machine: string,
): readonly ListedEvent[] =>
  selectEvents(
    database,
    `SELECT ${eventColumns} FROM events e WHERE e.command_id = ? AND e.machine = ? ORDER BY e.journal, e.depth LIMIT 100`,
  )
    .all(commandId, machine)
    .map(toListedEvent);

/** The event with this id; the local one if a synced commit repeats an id of the local journal. */
export const eventWithId = (database: Database.Database, id: string): ListedEvent | undefined => {
  const sql = `SELECT ${eventColumns} FROM events e WHERE e.id = ? ORDER BY e.journal, e.depth LIMIT 1`;
  const row = selectEvents(database, sql).get(id);
  return row === undefined ? undefined : toListedEvent(row);
};

/** The events of one command: two if it changed both journals. Ordered by journal. */
export const eventsOfCommand = (database: Database.Database, commandId: string): readonly ListedEvent[] =>
  selectEvents(database, `SELECT ${eventColumns} FROM events e WHERE e.command_id = ? ORDER BY e.journal, e.id`)
    .all(commandId)
    .map(toListedEvent);

export const notesOfEvent = (database: Database.Database, event: Pick<PlaceInJournal, 'commit'>): readonly NoteId[] =>
  database
    .prepare<[string], { note: string }>(
      'SELECT x.note FROM event_notes x JOIN events e ON e.rowid = x.event WHERE e.commit_id = ? ORDER BY x.note',
    )
    .all(event.commit)
    .map(({ note }) => note);

export const wasTouched = (database: Database.Database, id: NoteId): boolean =>
  selectTouched(database).get(id) !== undefined;

const selectTouched = prepared<[NoteId], unknown>('SELECT 1 FROM event_notes WHERE note = ? LIMIT 1');
const selectEvents = preparedTexts<(string | number)[], EventColumns>();

type EventColumns = {
  readonly journal: JournalName;
  readonly commit_id: string;
  readonly depth: number;
  readonly id: string;
  readonly kind: string;
  readonly at: number;
  readonly machine: string;
  readonly subject: string;
  readonly notes: number;
  readonly command_id: string | null;
  readonly details: string;
};

const eventColumns =
  'e.journal, e.commit_id, e.depth, e.id, e.kind, e.at, e.machine, e.subject, e.notes, e.command_id, e.details';
const lastOf = (from: string, condition: string): string =>
  `SELECT ${eventColumns} FROM ${from} WHERE ${condition} AND e.journal = ?
    ORDER BY e.depth DESC, e.at DESC, e.id DESC LIMIT ?`;
const ofNote = ['event_notes x CROSS JOIN events e ON e.rowid = x.event', 'x.note = ?'] as const;

const toListedEvent = (row: EventColumns): ListedEvent => ({
  ...parseDetails(row.details),
  journal: row.journal,
  commit: row.commit_id,
  depth: row.depth,
  id: row.id,
  kind: row.kind,
  at: formatTime(row.at * 1000),
  machine: row.machine,
  subject: row.subject,
  noteCount: row.notes,
  commandId: row.command_id ?? undefined,
});

type Details = Pick<
  ClaimedEvent,
  'by' | 'reason' | 'user' | 'project' | 'session' | 'agent' | 'move' | 'lost' | 'adopted' | 'undoes'
>;

const parseDetails = (json: string): Details => JSON.parse(json);
