/** Counts events and the notes they touched, per UTC day, project, kind or machine; lists projects by last event. */
import type Database from 'better-sqlite3';
import type { ProjectJson } from '../../answers/note-schema.js';
import { formatTime } from '../../events/time.js';
import { countNotes } from '../index/rows.js';
import { prepared, preparedTexts } from '../prepared.js';

const activityKeys = ['day', 'project', 'kind', 'machine'] as const;
export type ActivityKey = (typeof activityKeys)[number];

type ActivityFilter = {
  readonly by: ActivityKey;
  /** First day to count, as `2026-06-24`; days after today count too, since a clock may be ahead. */
  readonly from: string;
  readonly project?: string | undefined;
};

type ActivityRow = {
  /** A day as `2026-06-24`; null for events that name no project. */
  readonly key: string | null;
  readonly events: number;
  /** Notes that these events touched; one that two of them touched counts twice. */
  readonly notes: number;
};

export type Activity = {
  /** Days newest first; other keys by events, most first, then by key. */
  readonly rows: readonly ActivityRow[];
  readonly events: number;
  readonly notes: number;
  /** Day of the newest event of that project, whether it counts or not; null if there is none. */
  readonly lastDay: string | null;
};

export const noActivity: Activity = { rows: [], events: 0, notes: 0, lastDay: null };

/** One pass over the events that looks up each id. */
export const countActivity =
  ({ by, from, project }: ActivityFilter): ((database: Database.Database) => Activity) =>
  (database) => {
    const filter = project === undefined ? '' : `AND ${columns.project} = ?`;
    const args = project === undefined ? [] : [project];
    const order = by === 'day' ? 'key DESC' : 'events DESC, key';
    const rows = selectRows(
      database,
      `SELECT ${columns[by]} AS key, count(*) AS events, sum(a.notes) AS notes FROM events a
       WHERE ${columns.day} >= ? ${filter} AND ${isFirstOfItsId} GROUP BY 1 ORDER BY ${order}`,
    ).all(dayNumber(from), ...args);
    const last = selectLast(database).get({ project: project ?? null })?.day ?? null;
    const sum = (of: 'events' | 'notes'): number => rows.reduce((total, row) => total + row[of], 0);
    return {
      rows: rows.map(({ key, ...counts }) => ({ key: typeof key === 'number' ? dayText(key) : key, ...counts })),
      events: sum('events'),
      notes: sum('notes'),
      lastDay: last === null ? null : dayText(last),
    };
  };

/** Of `events a`; a day is the number of days since 1970. */
const columns: Readonly<Record<ActivityKey, string>> = {
  day: 'a.at / 86400',
  project: "a.details ->> '$.project'",
  kind: 'a.kind',
  machine: 'a.machine',
};

/** Epoch seconds. An event without a project counts for its notes' projects. One pass over rows and event notes. */
const lastTimes = (database: Database.Database): ReadonlyMap<string, number> =>
  new Map(
    selectLastTimes(database)
      .all()
      .map(({ project, at }) => [project, at]),
  );

/** An event whose id is in several commits counts once, in the same commit whatever order they came in. */
const isFirstOfItsId = `NOT EXISTS (SELECT 1 FROM events b
  WHERE b.id = a.id AND (b.journal, b.commit_id) < (a.journal, a.commit_id))`;

const msPerDay = 86_400_000;
const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / msPerDay;
const dayText = (day: number): string => formatTime(day * msPerDay).slice(0, 10);

const selectRows = preparedTexts<(string | number)[], { key: string | number | null; events: number; notes: number }>();
const selectLast = prepared<[{ project: string | null }], { day: number | null }>(
  `SELECT max(${columns.day}) AS day FROM events a WHERE @project IS NULL OR ${columns.project} = @project`,
);
const selectLastTimes = prepared<[], { project: string; at: number }>(
  `SELECT project, max(at) AS at FROM (
     SELECT ${columns.project} AS project, a.at FROM events a WHERE ${columns.project} IS NOT NULL
     UNION ALL
     SELECT n.project, a.at FROM events a JOIN event_notes x ON x.event = a.rowid JOIN notes n ON n.id = x.note
     WHERE ${columns.project} IS NULL)
   GROUP BY project`,
);
/** Sorted by newest event first; `last_event` is its day in UTC. */
export const listProjects = (database: Database.Database): readonly ProjectJson[] => {
  const times = lastTimes(database);
  const timeOf = (key: string): number => times.get(key) ?? -Infinity;
  return Object.entries(countNotes(database).byProject)
    .toSorted(([a], [b]) => timeOf(b) - timeOf(a) || (a < b ? -1 : 1))
    .map(([key, notes]) => {
      const at = times.get(key);
      return { key, notes, last_event: at === undefined ? null : formatTime(at * 1000).slice(0, 10) };
    });
};
