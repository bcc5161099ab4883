/** All projections, in the order in which they are written. */
import { activity } from './activity/activity.js';
import { eventHistory } from './history/event-history.js';
import { noteIndex } from './index/note-index.js';
import { notePrints } from './prints/note-prints.js';
import type { Projection } from './projection.js';

export const projections: readonly Projection[] = [noteIndex, eventHistory, activity, notePrints];

/** Raised when the tables change and no digest does: a projection's own version says that digests can't be compared. */
const tablesOnly = 2;

/**
 * Of the file that holds all tables; another number means a replay into a new file. A projection that is removed leaves its
 * last version to be added here, so that no number comes twice.
 */
export const schemaNumber = projections.reduce((sum, { version }) => sum + version, tablesOnly);
