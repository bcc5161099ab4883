/** Lists every project that has notes, with the day of its last event. */
import type Database from 'better-sqlite3';
import type { ProjectJson } from '../../answers/note-schema.js';
import { formatTime } from '../../events/time.js';
import { countNotes } from '../index/rows.js';
import { lastTimes } from './activity.js';

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
