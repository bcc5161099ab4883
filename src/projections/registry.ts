/** All projections in the order they are written, and a fold that drives them as one for replay and catch-up. */
import type Database from 'better-sqlite3';
import { eventHistory } from './history/event-history.js';
import { noteIndex } from './index/note-index.js';
import { notePrints } from './prints/note-prints.js';
import type { Projection, ProjectionWriter, Way } from './projection.js';

export const projections: readonly Projection[] = [noteIndex, eventHistory, notePrints];

export type Fold = Required<ProjectionWriter>;

export const beginFold = (database: Database.Database, way: Way): Fold => {
  const writers = projections.map(({ begin }) => begin(database, way));
  return {
    insert(projected) {
      for (const writer of writers) writer.insert?.(projected);
    },
    remove(journal, path) {
      for (const writer of writers) writer.remove?.(journal, path);
    },
    addEvent(event) {
      for (const writer of writers) writer.addEvent?.(event);
    },
    removeEvent(event) {
      for (const writer of writers) writer.removeEvent?.(event);
    },
    finish() {
      for (const writer of writers) writer.finish?.();
    },
  };
};

export const makeTables = (database: Database.Database): void => {
  for (const { tables } of projections) database.exec(tables);
};

export const makeIndexes = (database: Database.Database): void => {
  for (const { indexes } of projections) database.exec(indexes);
};
